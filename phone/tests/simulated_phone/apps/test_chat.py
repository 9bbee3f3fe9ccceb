"""The chat app: its rules, and taps outside any strategy."""

from __future__ import annotations

from typing import Any

import pytest

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from phone.tests.simulated_phone.random_use import is_black_but_for_bars
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.chat.conversation import LATEST
from simulated_phone.apps.chat.data import AMOUNT, MESSAGE, PACKAGE
from simulated_phone.goals.acquaintances import contacts
from simulated_phone.goals.steps import Press, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

play = AppSteps(PACKAGE).play


def talks(phone: Phone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = phone.state[PACKAGE]["talks"]
    return found


def person(phone: Phone) -> str:
    return next(one.name for one in contacts(4) if not one.group)


def test_a_text_that_is_only_typed_does_not_count_as_sent(phone: Phone) -> None:
    name = person(phone)
    wanted = GoalInstance(package=PACKAGE, goal="send_text", arguments={"contact": name, "text": "我到了"})
    play(phone, Tap(name), TypeText("我到了", into=MESSAGE))
    assert not phone.achieved(wanted)
    GesturePlayer(phone).play([Press("back"), Tap("发送")])
    assert phone.achieved(wanted)
    assert talks(phone)[0]["name"] == name
    GesturePlayer(phone).play([Tap("发送")])
    assert phone.toast == "不能发送空白消息"


@pytest.mark.parametrize("amount", ["", "0", "10001", "三百", "1.5"])
def test_invalid_amounts_are_refused(phone: Phone, amount: str) -> None:
    play(phone, Tap("通讯录"), Tap(person(phone)), Tap("转账"), TypeText(amount, into=AMOUNT), Tap("下一步"))
    assert phone.toast == "请输入 1 到 10000 的整数"


def test_a_transfer_needs_confirmation_on_a_secure_page(phone: Phone) -> None:
    name = person(phone)
    wanted = GoalInstance(package=PACKAGE, goal="transfer", arguments={"contact": name, "yuan": 50})
    play(phone, Tap("通讯录"), Tap(name), Tap("转账"), TypeText("50", into=AMOUNT), Tap("下一步"))
    phone.set_fault("black_payment_screen", True)
    assert is_black_but_for_bars(phone)
    assert "确认付款" in phone.tree()
    phone.set_fault("black_payment_screen", False)
    assert not phone.achieved(wanted)
    GesturePlayer(phone).play([Tap("确认付款")])
    assert phone.achieved(wanted)
    assert phone.facts[-1].arguments["fen"] == 5000


def test_a_group_cannot_be_paid(phone: Phone) -> None:
    group = next(one.name for one in contacts(4) if one.group)
    play(phone, Tap(group), Tap("更多功能"))
    words = {node.text for node in phone.screen().nodes()}
    assert "位置" in words
    assert "转账" not in words


def test_a_long_conversation_shows_its_end_and_more_on_request(phone: Phone) -> None:
    name = person(phone)
    play(phone, Tap(name), *(TypeText(f"第{number}句\n", into=MESSAGE) for number in range(12)))
    shown = [node.text for node in phone.screen().nodes() if node.view_id == "bubble"]
    assert 0 < len(shown) <= LATEST
    assert "第0句" not in phone.tree()
    GesturePlayer(phone).play([Tap("查看更早的消息")])
    assert "第0句" in phone.tree()
