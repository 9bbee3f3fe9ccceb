"""The app store: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import Phone
from simulated_phone.apps.store.data import PACKAGE
from simulated_phone.goals.steps import Tap
from simulated_phone.people.gestures import GesturePlayer

_STEPS = AppSteps(PACKAGE)
play, speak = _STEPS.play, _STEPS.speak


def test_a_removed_app_has_no_update_and_an_installed_one_is_no_wish(phone: Phone) -> None:
    name = phone.state[PACKAGE]["updates"][0]
    speak(phone, f"卸载{name}")
    GesturePlayer(phone).play([Tap("确定卸载")])
    assert name not in phone.state[PACKAGE]["updates"]
    speak(phone, f"{name}加入心愿单")
    speak(phone, f"安装{name}")
    assert phone.state[PACKAGE]["wishes"] == []
    assert phone.state[PACKAGE]["installed"][0] == name


def test_a_game_to_come_is_booked_and_not_installed(phone: Phone) -> None:
    speak(phone, "安装古城谜案")
    assert "预约" in {node.text for node in phone.screen().nodes()}
    GesturePlayer(phone).play([Tap("预约")])
    assert phone.state[PACKAGE]["booked"] == ["古城谜案"]
    assert "古城谜案" not in phone.state[PACKAGE]["installed"]
