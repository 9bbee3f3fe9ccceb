"""Hints on a demonstration from the checks of quality."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib.metadata import entry_points

from execution_runner.devices.device import Observation
from fingertip_cli.data.demonstration_review import HINTS
from fingertip_dataset.actions import Action, Click, PressBack
from fingertip_recorder.system_windows import SystemWindows
from fingertip_recorder.transcript import DemonstratedStep, TimedObservation
from fingertip_studies.quality.recorded_hints import find_step_hints
from simulated_phone import Phone

CLOCK, SETTINGS = "com.android.deskclock", "com.android.settings"


def observed(package: str, second: int, *, tree: bool = True) -> TimedObservation:
    phone = Phone(size=(540, 1200), density=210)
    phone.start(package)
    observation = Observation(
        screenshot=phone.screenshot_png(),
        tree=phone.tree() if tree else None,
        size=phone.size,
        package=package,
        problems=(),
    )
    moment = datetime(2025, 3, 10, tzinfo=UTC) + timedelta(seconds=second)
    return TimedObservation(
        begin=second, end=second, moment=moment, observation=observation, windows=SystemWindows()
    )


def hints(screens: list[TimedObservation], *actions: Action) -> dict[int, list[str]]:
    steps = [
        DemonstratedStep(before=screen, action=action)
        for screen, action in zip(screens, actions, strict=False)
    ]
    found = find_step_hints(steps, screens[len(actions)])
    return {step: [line.partition(":")[0] for line in lines] for step, lines in found.items()}


def test_touches_that_change_nothing_and_steps_that_are_undone_are_named() -> None:
    here, there = observed(CLOCK, 0), observed(SETTINGS, 9)
    tap = Click(x=270, y=600)
    assert hints([here, here, there], tap, Click(x=99, y=99)) == {0: ["unchanged_screen"]}
    assert hints([here, there, here, there], tap, PressBack(), tap) == {0: ["undone_action"]}
    assert hints([here, there], tap) == {}


def test_what_the_recorder_tells_itself_is_not_told_twice() -> None:
    assert hints([observed(CLOCK, 0, tree=False), observed(SETTINGS, 9)], Click(x=270, y=600)) == {}


def test_the_recorder_finds_the_checks_by_their_entry_point() -> None:
    (entry,) = entry_points(group=HINTS, name="quality")
    assert entry.load() is find_step_hints
