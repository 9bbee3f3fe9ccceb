"""The health app: its rules, and taps outside any strategy."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import Phone
from simulated_phone.apps.health.data import PACKAGE
from simulated_phone.goals.steps import Tap, TypeText

_STEPS = AppSteps(PACKAGE)
play, speak = _STEPS.play, _STEPS.speak


@pytest.mark.parametrize("text", ["", "12", "301", "六十", "61.55", "1e9"])
def test_a_weight_must_be_one(phone: Phone, text: str) -> None:
    before = phone.state[PACKAGE]["weights"]
    play(phone, Tap("体重"), Tap("记录体重"), TypeText(text, into="体重（公斤）"), Tap("保存"))
    assert phone.toast == "请输入 20 到 300 之间的体重"
    assert phone.state[PACKAGE]["weights"] == before


def test_a_weight_is_kept_in_grams_the_latest_first(phone: Phone) -> None:
    speak(phone, "体重61.5公斤")
    assert phone.state[PACKAGE]["weights"][0] == {"day": "今天", "grams": 61500}


def test_a_medicine_needs_a_name_and_a_taken_one_cannot_be_taken_again(phone: Phone) -> None:
    play(phone, Tap("用药"), Tap("添加用药"), Tap("保存"))
    assert phone.toast == "请填写药品名称"
    name = phone.state[PACKAGE]["medicines"][0]["name"]
    play(phone, Tap("用药"), Tap(f"已服{name}"))
    taken = next(node for node in phone.screen().nodes() if node.text == "已服用")
    assert not taken.clickable
