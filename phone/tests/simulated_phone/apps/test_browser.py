"""The browser: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import Phone
from simulated_phone.apps.browser.data import PACKAGE
from simulated_phone.goals.steps import Tap

_STEPS = AppSteps(PACKAGE)
play, speak = _STEPS.play, _STEPS.speak


def test_a_page_opens_in_the_current_tab_and_is_remembered(phone: Phone) -> None:
    before = phone.state[PACKAGE]["tabs"]
    play(phone, Tap("万物百科"), Tap("赵州桥"))
    assert phone.state[PACKAGE]["tabs"] == ["赵州桥", *before[1:]]
    assert phone.state[PACKAGE]["history"][0] == "赵州桥"


def test_the_last_tab_that_is_closed_becomes_empty(phone: Phone) -> None:
    for title in list(phone.state[PACKAGE]["tabs"]):
        speak(phone, f"关闭{title}")
    assert (phone.state[PACKAGE]["tabs"], phone.state[PACKAGE]["current"]) == ([""], 0)
    play(phone, Tap("标签页"), Tap("空白页"))
    assert "今日热点" in {node.text for node in phone.screen().nodes()}


def test_a_form_needs_day_and_name(phone: Phone) -> None:
    play(phone, Tap("办事大厅"), Tap("健康讲座报名"), Tap("提交"))
    assert phone.toast == "请选择日期并填写姓名"
    assert phone.state[PACKAGE]["forms"] == []
