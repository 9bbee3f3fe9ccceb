"""Device kinds: one record a kind, and every environment has one."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.environments.replay import ReplayEnvironment
from execution_runner.environments.simulated import SimulatedEnvironment
from execution_runner.environments.teacher_forced import TeacherForcedEnvironment
from execution_runner.scoring.trace_scores import TraceScores
from fingertip_runs.device_kinds import (
    DEVICE_KINDS,
    DEVICE_SPECS,
    PAPER_DEVICE,
    DeviceKind,
    DeviceKindName,
)


def test_each_name_has_one_record_and_one_environment() -> None:
    environments = (AdbEnvironment, SimulatedEnvironment, ReplayEnvironment, TeacherForcedEnvironment)
    assert get_args(DeviceKindName) == tuple(DEVICE_KINDS)
    assert [environment.kind for environment in environments] == list(DEVICE_KINDS)
    assert all(name == kind.name for name, kind in DEVICE_KINDS.items())


def test_only_the_papers_device_is_a_real_phone_and_has_no_caveat() -> None:
    assert [kind.name for kind in DEVICE_KINDS.values() if kind.real_phone] == [PAPER_DEVICE]
    assert [kind.name for kind in DEVICE_KINDS.values() if kind.caveat is None] == [PAPER_DEVICE]


@pytest.mark.parametrize("kind", DEVICE_KINDS.values(), ids=lambda kind: kind.name)
def test_fields_of_a_record_are_consistent(kind: DeviceKind) -> None:
    assert bool(kind.trace_columns) == kind.recorded
    assert set(kind.trace_columns) <= {field.name for field in fields(TraceScores)}
    assert not (kind.recorded and (kind.simulated or kind.success_by_rule))
    assert kind.own_trajectory or kind.recorded
    assert all((kind.score_title, kind.command_title, kind.board_title, kind.board_filter, kind.hub_title))


def test_the_command_line_takes_both_spellings_of_every_kind_but_real_phones() -> None:
    assert DEVICE_SPECS == {
        "simulated": "simulated",
        "replay": "replay",
        "teacher-forced": "teacher_forced",
        "teacher_forced": "teacher_forced",
    }
