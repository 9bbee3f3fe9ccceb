"""`fingertip execute --repeats`: tries of track 2, their scores, and calls that cannot be repeated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from execution_runner.execution_log import read_attempts, read_run
from tests.command_line import fingertip


@pytest.fixture(scope="module")
def drawn(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tries of the agent that draws, each step on the recorded screen."""
    folder = tmp_path_factory.mktemp("runs") / "drawn"
    call = ("--agent", "random", "--device", "teacher-forced", "--limit", 3, "--repeats", 2, "--seed", 6)
    done = fingertip("execute", sample, *call, "--out", folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"next: fingertip score {folder}"
    return folder


def test_the_tries_have_the_same_tasks_and_seeds_that_follow(drawn: Path) -> None:
    tries = [read_run(drawn / name) for name in ("try-1", "try-2")]
    assert [one.agent.settings["seed"] for one in tries] == [6, 7]
    assert tries[0].task_ids == tries[1].task_ids
    first, second = (
        [step.output for attempt in read_attempts(drawn / name) for step in attempt.steps]
        for name in ("try-1", "try-2")
    )
    assert first != second


def test_where_nothing_is_carried_out_there_are_means_and_no_chances(drawn: Path) -> None:
    done = fingertip("score", drawn, "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["runs"]
    tries = [one["sim2"]["mean"] for one in found["tries"]]
    assert found["means"]["sim2"]["mean"] == pytest.approx(sum(tries) / 2)
    assert found["pass_at"] is None
    assert "sr2" not in found["means"]
    assert "success in k" not in fingertip("score", drawn).stdout


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--device", "adb:X"), "--repeats is not for real phones: nothing on them is reset"),
        (("--device", "simulated", "--dry-run"), "--repeats is not for --dry-run"),
    ],
)
def test_what_cannot_be_repeated_is_one_line(
    sample: Path, tmp_path: Path, given: tuple[str, ...], words: str
) -> None:
    call = ("--agent", "random", "--repeats", 2, "--out", tmp_path / "run")
    done = fingertip("execute", sample, *call, *given)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert words in line
    assert not (tmp_path / "run").exists()


def test_an_agent_that_draws_nothing_is_said_before_the_first_try(sample: Path, tmp_path: Path) -> None:
    call = ("--agent", "imitate", "--device", "replay", "--limit", 1, "--repeats", 2)
    done = fingertip("execute", sample, *call, "--out", tmp_path / "run")
    assert done.stderr.startswith("note: the agent imitate draws nothing: all tries will be the same\n")
