"""The ticket app: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import Phone
from simulated_phone.apps.tickets.data import PACKAGE, ROWS, SEATS, draw_taken_seats
from simulated_phone.goals.steps import SetWheel, Step, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

_STEPS = AppSteps(PACKAGE)
play, speak = _STEPS.play, _STEPS.speak

JUNE_9: tuple[Step, ...] = (SetWheel("月份", "6"), SetWheel("日期", "9"), Tap("确定"))


def test_a_refunded_ticket_is_gone_and_a_changed_one_keeps_its_train(phone: Phone) -> None:
    train, film = phone.state[PACKAGE]["orders"]
    play(phone, Tap("我的票"), Tap(film["name"]), Tap("退票"), Tap("确定退票"))
    play(phone, Tap("我的票"), Tap(train["name"]), Tap("改签"), *JUNE_9, Tap("确定改签"))
    assert phone.state[PACKAGE]["orders"] == [{**train, "date": "2025-06-09"}]


def test_a_day_without_sale_is_not_taken(phone: Phone) -> None:
    before = phone.state[PACKAGE]["draft"]["date"]
    play(phone, Tap("出发日期"), SetWheel("月份", "1"), Tap("确定"))
    assert phone.toast == "这一天的车票不在售"
    assert phone.state[PACKAGE]["draft"]["date"] == before


def test_an_order_is_not_sent_without_a_seat_and_taken_seats_have_no_action(phone: Phone) -> None:
    speak(phone, "买长风渡海的票")
    GesturePlayer(phone).play([Tap("4月13日")])
    time = next(node for node in phone.screen().nodes() if ":" in node.text and node.clickable)
    phone.tap(*time.box.centre)
    nodes = list(phone.screen().nodes())
    assert not next(node for node in nodes if node.text == "提交订单").clickable
    taken = [node for node in nodes if node.description == "已售"]
    assert (
        len(taken) == len(draw_taken_seats(4, "长风渡海", "星光影院", "2025-04-13", time.text)) < ROWS * SEATS
    )
    assert not any(node.clickable for node in taken)


def test_a_passenger_needs_a_name(phone: Phone) -> None:
    play(phone, Tap("乘车人"), Tap("添加"))
    assert phone.toast == "请输入姓名"
    GesturePlayer(phone).play([TypeText("王静\n", into="乘车人姓名")])
    assert phone.state[PACKAGE]["passengers"] == ["我", "王静"]
