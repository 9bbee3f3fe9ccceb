"""The proof that phone, recorder, actions and success rules agree: recorded ways arrive once more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from execution_runner.devices.adb_server import private_adb_server
from fingertip_dataset.actions import Click, PressHome
from fingertip_dataset.errors import ReleaseError
from fingertip_recorder.replay_check import (
    ReplayReport,
    recorded_trajectories,
    replay_release,
    replay_trajectories,
)
from fingertip_recorder.simulated_life import SampleOrder, write_sample

USERS, EPISODES = 4, 4


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release")
    write_sample(SampleOrder(out=out, users=USERS, episodes=EPISODES, seed=5, size=(540, 1200)))
    return out / "raw"


@pytest.fixture(scope="module")
def report(raw: Path) -> ReplayReport:
    return replay_release(raw)


def test_99_of_100_recorded_ways_reach_their_goal_again(report: ReplayReport) -> None:
    failures = "\n".join(map(str, report.failures))
    assert report.given == USERS * EPISODES
    assert report.reached >= 0.99 * report.given, failures


def test_the_screens_are_those_that_were_recorded(report: ReplayReport) -> None:
    with_the_recorded_screens = sum(one.parted is None for one in report.replayed)
    assert with_the_recorded_screens >= 0.99 * report.given, [
        str(one) for one in report.replayed if one.parted
    ]


def test_a_few_are_taken_from_all_over_the_release(raw: Path) -> None:
    output: list[tuple[int, int]] = []
    few = replay_release(raw, limit=4, on_progress=lambda done, total: output.append((done, total)))
    assert few.given == 4
    assert len({one.trajectory.episode_id.partition("__")[0] for one in few.replayed}) == 4
    assert output == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_wrong_step_misses_the_goal_and_the_first_differing_screen_is_named(raw: Path) -> None:
    way = next(way for way in recorded_trajectories(raw) if isinstance(way.actions[1], Click))
    lost = replace(way, actions=(way.actions[0], PressHome(), *way.actions[2:-3], way.actions[-1]))
    lost = replace(lost, moments=way.moments[: len(lost.actions)], trees=way.trees[: len(lost.actions)])
    with private_adb_server() as port:
        (outcome,) = replay_trajectories([lost], server_port=port)
    assert not outcome.reached
    assert (outcome.reason, outcome.parted) == ("the goal's rule does not hold at the end", 3)
    assert str(outcome).startswith(
        f"{way.episode_id} {way.simulation.aim.package} {way.simulation.aim.goal}("
    )


def test_what_is_no_simulated_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="expected simulated episodes, got none"):
        recorded_trajectories(tmp_path)
    folder = tmp_path / "1" / "20250310_083000"
    folder.mkdir(parents=True)
    (folder / "survey_result.json").write_text(json.dumps({"user_id": "1"}), encoding="utf-8")
    with pytest.raises(ReleaseError, match="expected an episode of a simulated release"):
        recorded_trajectories(tmp_path)
