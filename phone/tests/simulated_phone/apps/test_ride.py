"""The ride app: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import Phone
from simulated_phone.apps.ride.data import PACKAGE, own_place
from simulated_phone.goals.steps import Tap
from simulated_phone.people.gestures import GesturePlayer

_STEPS = AppSteps(PACKAGE)
play, speak = _STEPS.play, _STEPS.speak


def test_a_called_ride_can_be_cancelled(phone: Phone) -> None:
    speak(phone, "叫专车去植物园")
    GesturePlayer(phone).play([Tap("确认呼叫")])
    assert phone.state[PACKAGE]["ride"]["car"] == "专车"
    play(phone)
    assert "前往 植物园" in {node.text for node in phone.screen().nodes()}
    play(phone, Tap("前往 植物园"), Tap("取消订单"), Tap("确定取消"))
    assert phone.state[PACKAGE]["ride"] is None


def test_home_is_that_of_the_map_until_it_is_changed(phone: Phone) -> None:
    assert own_place(phone.state[PACKAGE], 4, "家") == phone.state["com.simulated.ditu"]["家"]
    speak(phone, "家的地址改成植物园")
    assert own_place(phone.state[PACKAGE], 4, "家") == "植物园"
    play(phone, Tap("回家"), Tap("确认呼叫"))
    assert phone.state[PACKAGE]["ride"]["place"] == "植物园"
