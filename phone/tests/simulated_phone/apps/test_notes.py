"""The notes app: its rules, and taps outside any strategy."""

from __future__ import annotations

from typing import Any

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.notes.data import ADD_ITEM, PACKAGE, WRITE
from simulated_phone.goals.steps import Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

play = AppSteps(PACKAGE).play


def notes(phone: Phone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = phone.state[PACKAGE]["notes"]
    return found


def test_an_empty_note_is_not_saved(phone: Phone) -> None:
    play(phone, Tap("新建便签"), TypeText("   ", into=WRITE), Tap("保存"))
    assert phone.toast == "便签是空的"
    assert len(notes(phone)) == 9


def test_editing_a_note_adds_no_note(phone: Phone) -> None:
    old = next(note["text"] for note in notes(phone) if note["items"] is None)
    wanted = GoalInstance(package=PACKAGE, goal="write_note", arguments={"text": old + "！"})
    play(phone, Tap(old), TypeText("！", into=WRITE), Tap("学习"), Tap("保存"))
    changed = next(note for note in notes(phone) if note["text"] == old + "！")
    assert changed["folder"] == "学习"
    assert not phone.achieved(wanted)


def test_a_tick_can_be_undone(phone: Phone) -> None:
    found = next(note for note in notes(phone) if note["items"])
    item = next(item["text"] for item in found["items"] if not item["done"])
    wanted = GoalInstance(package=PACKAGE, goal="tick_item", arguments={"list": found["text"], "item": item})
    play(phone, Tap(found["text"]), Tap(item))
    assert phone.achieved(wanted)
    GesturePlayer(phone).play([Tap(item)])
    assert not phone.achieved(wanted)
    assert [fact.arguments["on"] for fact in phone.facts if fact.name == "item_ticked"] == [True, False]


def test_enter_adds_items_and_all_items_can_be_deleted(phone: Phone) -> None:
    found = next(note for note in notes(phone) if note["items"])
    play(phone, Tap(found["text"]), TypeText("胶带\n", into=ADD_ITEM))
    names = [item["text"] for item in found["items"]]
    assert names[-1] == "胶带"
    assert len(names) == 6
    GesturePlayer(phone).play([Tap(f"移除{name}") for name in names])
    assert found["items"] == []
