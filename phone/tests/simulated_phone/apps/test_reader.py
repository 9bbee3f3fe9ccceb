"""The reader app: its rules, and taps outside any strategy."""

from __future__ import annotations

from typing import Any

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import Phone
from simulated_phone.apps.reader.data import BOOKS, PACKAGE, SEARCH, chapters_of
from simulated_phone.goals.steps import Hold, Open, Press, Swipe, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

spoken_steps = AppSteps(PACKAGE).spoken


def state(phone: Phone) -> dict[str, Any]:
    return dict(phone.state[PACKAGE])


def test_chapters_are_turned_by_button_and_by_swipe(phone: Phone) -> None:
    book = state(phone)["shelf"][0]
    at = state(phone)["progress"][book]
    GesturePlayer(phone).play([Open(PACKAGE), Tap(book), Tap("下一章")])
    assert state(phone)["reading"] == {"book": book, "chapter": at + 1}
    GesturePlayer(phone).play([Swipe("left"), Swipe("left"), Swipe("right")])
    assert state(phone)["progress"][book] == at + 2
    GesturePlayer(phone).play([Tap("上一章"), Press("back")])
    assert f"读到第{at + 1}章" in phone.tree()


def test_the_first_and_the_last_chapter_cannot_be_turned_further(phone: Phone) -> None:
    GesturePlayer(phone).play(spoken_steps("看渡口第1章"))
    assert not {node.text: node.enabled for node in phone.screen().nodes()}.get("上一章", False)
    GesturePlayer(phone).play([Swipe("right")])
    assert state(phone)["reading"]["chapter"] == 1
    GesturePlayer(phone).play(spoken_steps("看渡口第九百章"))
    assert state(phone)["reading"]["chapter"] == chapters_of("渡口", phone.seed)
    GesturePlayer(phone).play([Swipe("left")])
    assert state(phone)["reading"]["chapter"] == chapters_of("渡口", phone.seed)


def test_a_book_put_on_the_shelf_has_no_progress(phone: Phone) -> None:
    book = next(title for title in BOOKS if title not in state(phone)["shelf"])
    GesturePlayer(phone).play(spoken_steps(f"把{book}加入书架"))
    assert state(phone)["shelf"][0] == book
    assert book not in state(phone)["progress"]
    assert "未读" in phone.tree()
    GesturePlayer(phone).play(spoken_steps(f"把{book}加入书架"))
    assert state(phone)["shelf"].count(book) == 1


def test_a_book_taken_off_the_shelf_keeps_its_progress(phone: Phone) -> None:
    book = state(phone)["shelf"][2]
    GesturePlayer(phone).play([Open(PACKAGE), Hold(book), Tap("移出书架")])
    assert book not in state(phone)["shelf"]
    assert "书籍详情" not in phone.tree()
    GesturePlayer(phone).play(spoken_steps(f"打开{book}"))
    assert state(phone)["reading"]["chapter"] == state(phone)["progress"][book] > 1


def test_a_book_is_found_by_its_author(phone: Phone) -> None:
    GesturePlayer(phone).play([Open(PACKAGE), Tap(SEARCH), TypeText("陈星野", into=SEARCH)])
    assert "轨道之外" in phone.tree()
    GesturePlayer(phone).play([TypeText("没有", into=SEARCH, clear=True)])
    assert "没有找到这本书" in phone.tree()
