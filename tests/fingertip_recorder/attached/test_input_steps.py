"""Steps of an attached agent, from commands that it sends over adb."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from execution_runner.attached.input_steps import NO_FOCUS, InputStep, InputSteps, observe
from execution_runner.devices.adb_client import AdbClient
from fingertip_dataset.actions import format_action
from simulated_phone import SimulatedPhoneServer
from simulated_phone.watched_phone import WatchedPhone

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"


class Watch:
    """A watched phone behind adb, and the steps that it saw."""

    def __init__(self, server: SimulatedPhoneServer, phone: WatchedPhone, client: AdbClient) -> None:
        self.server, self._client = server, client
        self.steps: list[InputStep] = []
        self._made = InputSteps(phone, self.steps.append)
        self._phone = phone
        server.do(lambda _: phone.watch(self._made.add))

    def send(self, *lines: str) -> list[str]:
        """Runs shell lines; returns the actions so far, or the words of what is none."""
        for line in lines:
            self._client.run("shell", line)
        self.server.do(lambda _: (self._phone.report_changes(), self._made.flush()))
        return [step.words if step.action is None else format_action(step.action) for step in self.steps]


@pytest.fixture
def watch(adb_port: int) -> Iterator[Watch]:
    phone = WatchedPhone(size=(540, 1200), density=210)
    with SimulatedPhoneServer(phone) as server:
        client = AdbClient.find(server.serial, server_port=adb_port)
        yield Watch(server, phone, client)
        client.disconnect()


def test_touches_and_keys_are_a_step_each(watch: Watch) -> None:
    lines = ["input tap 5 9", "input swipe 270 900 270 400", "input swipe 5 9 5 9 900", "input keyevent 4"]
    assert watch.send(*lines, "input keyevent HOME APP_SWITCH") == [
        "click(coordinates=(5, 9))",
        "scroll(coordinates=(270, 900), direction='down')",
        "long_click(coordinates=(5, 9))",
        "press_back()",
        "press_home()",
        "press_recent()",
    ]


def test_a_started_app_is_the_way_to_it(watch: Watch) -> None:
    def icon(name: str) -> tuple[int, int]:
        nodes = watch.server.do(lambda phone: list(phone.screen().nodes()))
        return next(node.box.centre for node in nodes if node.clickable and node.label() == name)

    weather, notes = icon("天气"), icon("便签")
    found = watch.send(
        "monkey -p com.wangyun.weather -c android.intent.category.LAUNCHER 1",
        "am start -n com.simulated.bianqian/.NotesActivity",
    )
    assert found == [
        f"click(coordinates={weather}, content='天气')",
        "press_home()",
        f"click(coordinates={notes}, content='便签')",
    ]


def test_text_typed_in_a_row_is_one_step(watch: Watch) -> None:
    watch.send("am start -n com.android.calendar/.AllInOneActivity")
    field = watch.server.do(
        lambda phone: next(node.box.centre for node in phone.screen().nodes() if node.entry is not None)
    )
    before = len(watch.steps)
    found = watch.send(
        f"input tap {field[0]} {field[1]}",
        "input text abx",
        "input keyevent DEL",
        "input keyevent C",
        f"ime set {ADB_KEYBOARD}",
        "am broadcast -a ADB_INPUT_TEXT --es msg 雨伞",
        "input keyevent ENTER",
        "input keyevent BACK",
    )
    assert found[before + 1 :] == ["type(text='abc雨伞\n')", "press_back()"]
    assert watch.steps[before + 1].effective


def test_text_without_focus_is_a_step_that_did_nothing(watch: Watch) -> None:
    assert watch.send("input text abc") == ["type(text='abc')"]
    assert not watch.steps[0].effective
    assert NO_FOCUS


def test_each_command_that_changes_something_is_a_step(watch: Watch) -> None:
    found = watch.send(
        "settings put global wifi_on 0; settings put global wifi_on 0; svc wifi enable",
        "pm clear com.android.deskclock && pm clear com.android.calendar",
        "for n in 1 2 3; do settings put system screen_brightness $n; echo $n; done",
        "am start -a android.settings.WIFI_SETTINGS",
        "input keyevent VOLUME_UP",
        "settings put global stay_on_while_plugged_in 7",
        "dumpsys window",
    )
    assert [words for words in found if "(" not in words] == [
        *["a command changed wifi_on"] * 2,
        *["a command changed screen_brightness"] * 3,
        "open the page wlan of com.android.settings",
        "key KEYCODE_VOLUME_UP",
    ]


def test_a_step_has_the_screen_before_it(watch: Watch) -> None:
    home = watch.server.do(observe)
    watch.send("am start -n com.android.settings/.Settings", "input tap 5 9")
    assert watch.steps[0].seen == home
    assert watch.steps[-1].seen.package == "com.android.settings"
    assert watch.steps[-1].seen.size == (540, 1200)


def test_a_screen_without_a_tree_says_so(watch: Watch) -> None:
    watch.server.do(lambda phone: phone.set_fault("no_tree", True))
    watch.send("input tap 5 9")
    seen = watch.steps[0].seen
    assert seen.tree is None
    assert [type(problem).__name__ for problem in seen.problems] == ["NoTreeError"]
