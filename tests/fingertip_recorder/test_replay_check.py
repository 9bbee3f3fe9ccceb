"""Replay check: recorded trajectories reach their goals, so phone, recorder, actions and rules agree."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from execution_runner.devices.adb_server import run_private_adb_server
from fingertip_dataset.actions import Click, PressHome
from fingertip_dataset.errors import ReleaseError
from fingertip_recorder.replay_check import (
    ReplayReport,
    read_trajectories,
    replay_release,
    replay_trajectories,
)
from fingertip_recorder.simulated_life import SampleOrder, write_sample

USERS, EPISODES, SIZE = (4, 4, (540, 1200)) if "FINGERTIP_SOAK" in os.environ else (4, 2, (360, 800))


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release")
    write_sample(SampleOrder(out=out, users=USERS, episodes=EPISODES, seed=5, size=SIZE))
    return out / "raw"


@pytest.fixture(scope="module")
def report(raw: Path) -> ReplayReport:
    return replay_release(raw)


def test_at_least_99_percent_of_replayed_trajectories_reach_their_goal(report: ReplayReport) -> None:
    failures = "\n".join(map(str, report.failures))
    assert report.given == USERS * EPISODES
    assert report.reached >= 0.99 * report.given, failures


def test_replayed_screens_equal_the_recorded_ones(report: ReplayReport) -> None:
    different = [str(one) for one in report.replayed if one.first_difference]
    assert report.given - len(different) >= 0.99 * report.given, different


def test_a_limited_check_is_spread_over_the_release(raw: Path) -> None:
    progress: list[tuple[int, int]] = []
    report = replay_release(raw, limit=4, on_progress=lambda done, total: progress.append((done, total)))
    assert report.given == 4
    assert len({one.trajectory.episode_id.partition("__")[0] for one in report.replayed}) == 4
    assert progress == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_trajectory_with_a_wrong_step_misses_its_goal_and_the_first_difference_is_named(raw: Path) -> None:
    original = next(one for one in read_trajectories(raw) if isinstance(one.actions[1], Click))
    actions = (original.actions[0], PressHome(), *original.actions[2:-3], original.actions[-1])
    count = len(actions)
    wrong = replace(original, actions=actions, moments=original.moments[:count], trees=original.trees[:count])
    with run_private_adb_server() as port:
        (outcome,) = replay_trajectories([wrong], server_port=port)
    assert not outcome.reached
    assert outcome.first_difference == 3
    # what the wrong step leads to depends on what this person does next
    unfocused = "step 3: no text field has the focus: nothing was typed"
    assert outcome.reason in (unfocused, "the goal's rule does not hold at the end")
    goal_instance = original.simulation.goal_instance
    assert str(outcome).startswith(f"{original.episode_id} {goal_instance.package} {goal_instance.goal}(")


def test_a_folder_without_simulated_episodes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="the folder holds no simulated episodes"):
        read_trajectories(tmp_path)
    folder = tmp_path / "1" / "20250310_083000"
    folder.mkdir(parents=True)
    (folder / "survey_result.json").write_text(json.dumps({"user_id": "1"}), encoding="utf-8")
    with pytest.raises(ReleaseError, match="the episode of a simulated release cannot be read"):
        read_trajectories(tmp_path)
