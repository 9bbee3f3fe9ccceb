"""Notifications that a host posts by `cmd notification post`."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.conftest import run_line
from simulated_phone.adb.device_state import DeviceState
from simulated_phone.adb.phone_device import make_device
from simulated_phone.machine.app_stacks import MAX_POSTED
from simulated_phone.phone import Phone


@pytest.fixture
def device() -> DeviceState:
    return make_device(Phone(seed=5, size=(540, 1200), density=210))


def post(device: DeviceState, words: str) -> None:
    code, out, _ = run_line(f"cmd notification post {words}", device)
    assert (code, out.splitlines()[0]) == (0, "posting:")


def shown(device: DeviceState) -> list[str]:
    device.phone.open_panel()
    nodes = [node for node in device.phone.screen().nodes() if node.view_id == "notification"]
    return [node.label() for node in nodes]


def test_the_panel_shows_the_latest_of_each_tag_and_the_button_clears_it(device: DeviceState) -> None:
    post(device, "-S bigtext -t 'Record an intent' reminder 'four hours without one'")
    post(device, "other 'no title'")
    post(device, "-t Again reminder 'it is time'")
    assert shown(device) == ["Again", "no title"]
    clear = next(node for node in device.phone.screen().nodes() if node.view_id == "dismiss_text")
    device.phone.tap(*clear.box.centre)
    assert shown(device) == []
    assert "posted" not in device.phone.data


def test_a_dump_lists_them_with_texts_only_where_they_are_asked_for(device: DeviceState) -> None:
    post(device, "-t 标题 mine 'two words'")
    _, hidden, _ = run_line("dumpsys notification", device)
    _, plain, _ = run_line("dumpsys notification --noredact", device)
    assert "tag=mine " in hidden
    assert ("two words" in hidden, "android.text=String [length=9]" in hidden) == (False, True)
    assert "android.title=String (标题)\n        android.text=String (two words)\n" in plain


def test_the_oldest_leave_the_panel(device: DeviceState) -> None:
    for number in range(MAX_POSTED + 2):
        post(device, f"tag{number} text{number}")
    assert shown(device) == [f"text{number}" for number in reversed(range(2, MAX_POSTED + 2))]


@pytest.mark.parametrize("words", ["-i @drawable/x tag text", "-S inbox --line a tag text", "tag", ""])
def test_other_forms_are_refused(device: DeviceState, words: str) -> None:
    code, out, err = run_line(f"cmd notification post {words}", device)
    assert (code != 0, out) == (True, "")
    assert err
