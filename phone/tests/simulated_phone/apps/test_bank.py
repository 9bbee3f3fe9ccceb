"""The bank: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import Phone
from simulated_phone.apps.bank.data import PACKAGE, SAVINGS
from simulated_phone.goals.steps import Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

_STEPS = AppSteps(PACKAGE)
play, speak = _STEPS.play, _STEPS.speak


def test_a_bill_that_is_paid_leaves_the_list_and_the_account(phone: Phone) -> None:
    bill, before = phone.state[PACKAGE]["bills"][0], phone.state[PACKAGE]["cards"][SAVINGS]["fen"]
    play(phone, Tap("生活缴费"), Tap(bill["name"]), Tap("立即缴费"), Tap("确认付款"), Tap("完成"))
    state = phone.state[PACKAGE]
    assert bill not in state["bills"]
    assert state["cards"][SAVINGS]["fen"] == before - bill["fen"]
    play(phone, Tap("收支明细"))
    assert bill["name"] in {node.text for node in phone.screen().nodes()}


def test_a_locked_card_and_a_limit_refuse_a_payment(phone: Phone) -> None:
    speak(phone, "储蓄卡限额1000元")
    speak(phone, "存一年定期2000元")
    GesturePlayer(phone).play([Tap("确认付款")])
    assert phone.toast == "超过每日限额或余额不足"
    speak(phone, "储蓄卡限额50000元")
    speak(phone, "锁定储蓄卡")
    speak(phone, "存一年定期2000元")
    GesturePlayer(phone).play([Tap("确认付款")])
    assert phone.toast == "卡片已锁定"
    assert phone.state[PACKAGE]["payments"] == []


def test_a_credit_card_collects_what_was_paid(phone: Phone) -> None:
    before = phone.state[PACKAGE]["cards"]["信用卡"]["fen"]
    speak(phone, "充五十元话费")
    GesturePlayer(phone).play([Tap("信用卡（尾号 4096）"), Tap("确认付款")])
    assert phone.state[PACKAGE]["cards"]["信用卡"]["fen"] == before + 5000


def test_an_amount_must_be_a_number(phone: Phone) -> None:
    play(phone, Tap("转账"))
    name = next(node for node in phone.screen().nodes() if node.view_id == "title" and node.text)
    GesturePlayer(phone).play([Tap(name.text), TypeText("一百", into="请输入转账金额（元）"), Tap("下一步")])
    assert phone.toast == "请输入 1 到 10000 的整数"
