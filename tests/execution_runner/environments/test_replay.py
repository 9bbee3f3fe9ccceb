"""Environments of recorded episodes: replay, actions that leave the recording, and teacher-forced steps."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from execution_runner.environments.open_environments import open_environments
from execution_runner.environments.recorded_episodes import RecordedEpisodes, RecordedStep
from execution_runner.environments.replay import ReplaySession
from execution_runner.environments.teacher_forced import TeacherForcedSession
from execution_runner.execution_log import Attempt, read_attempts, read_run
from execution_runner.execution_run import run_execution
from execution_runner.scoring.run_scores import score_run
from fingertip_agents.execution_agent import Decision
from fingertip_dataset.actions import Click, PressBack, PressHome, Wait, parse_action
from fingertip_dataset.errors import DatasetError, DeviceError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.targets import read_targets
from tests.execution_runner.players import Player, golden_ways

Carry = Callable[[str, Sequence[object]], Attempt]


@pytest.fixture(scope="module")
def task_id(simulated_dataset: Path) -> str:
    return max(golden_ways(simulated_dataset))


@pytest.fixture(scope="module")
def golden(simulated_dataset: Path, task_id: str) -> list[str]:
    return golden_ways(simulated_dataset)[task_id]


@pytest.fixture(scope="module")
def recorded(simulated_dataset: Path, task_id: str) -> tuple[RecordedStep, ...]:
    return RecordedEpisodes(BuiltDataset.open(simulated_dataset), "test_execution").steps(task_id)


@pytest.fixture
def carry(simulated_dataset: Path, task_id: str, tmp_path: Path) -> Carry:
    def carry_out(device: str, way: Sequence[object]) -> Attempt:
        with open_environments([device], BuiltDataset.open(simulated_dataset)) as environments:
            run_execution(
                simulated_dataset, Player({task_id: way}), environments, tmp_path / "run", task_ids=[task_id]
            )
        (attempt,) = read_attempts(tmp_path / "run")
        return attempt

    return carry_out


def recorded_actions(run: Path, attempt: Attempt) -> tuple[str, ...]:
    """The recorded actions that the agent was queried for."""
    return read_targets(run)[attempt.end.task_id].list_scored_actions(attempt.end.gaps)


def test_recorded_steps_equal_the_dataset(
    simulated_dataset: Path, recorded: tuple[RecordedStep, ...], task_id: str, golden: list[str]
) -> None:
    user, time = task_id.split("__")
    screens = simulated_dataset.parent / "sample" / "raw" / user / time / "Screenshots"
    assert [step.action for step in recorded] == golden
    assert [step.screenshot for step in recorded] == [
        path.read_bytes() for path in sorted(screens.glob("*.jpg"))
    ]
    seen = recorded[-1].observation
    assert (seen.size, seen.problems) == ((360, 800), ())
    assert seen.package.startswith("com.")


def test_repeating_the_persons_actions_shows_the_persons_screens(
    carry: Carry, recorded: tuple[RecordedStep, ...], golden: list[str], tmp_path: Path
) -> None:
    attempt = carry("replay", golden)
    assert (attempt.end.outcome, attempt.end.success, attempt.end.device) == ("terminated", None, "replay")
    assert [step.on_trace for step in attempt.steps] == [True] * len(golden)
    for step, was in zip(attempt.steps, recorded, strict=True):
        assert str(step.screenshot).endswith(".jpg")
        assert (tmp_path / "run" / str(step.screenshot)).read_bytes() == was.screenshot
    assert read_run(tmp_path / "run").device == "replay"


def test_a_near_touch_stays_on_the_trace_and_another_action_leaves_it(
    carry: Carry, golden: list[str]
) -> None:
    number = next(index for index, raw in enumerate(golden) if raw.startswith("click"))
    click = parse_action(golden[number])
    assert isinstance(click, Click)
    attempt = carry("replay", [*golden[:number], replace(click, x=click.x + 1), PressHome(), PressHome()])
    assert attempt.end.outcome == "off_trace"
    assert attempt.end.reason == f"the recorded action is {golden[number + 1]}"
    *before, last = attempt.steps
    assert [step.on_trace for step in before] == [True] * (number + 1)
    assert (last.on_trace, last.performed, last.written) == (False, False, "press_home()")
    assert attempt.end.success is None


def test_finished_ends_a_replay_at_any_time(carry: Carry, golden: list[str]) -> None:
    attempt = carry("replay", golden[:2])
    assert (attempt.end.outcome, attempt.end.reason) == ("terminated", f"the person went on with {golden[2]}")
    assert [step.on_trace for step in attempt.steps] == [True, True, False]


def test_each_recorded_step_is_queried_once_with_the_persons_past(
    simulated_dataset: Path, task_id: str, golden: list[str], tmp_path: Path
) -> None:
    agent = Player({task_id: [Wait()] * len(golden)})
    with open_environments(["teacher-forced"], BuiltDataset.open(simulated_dataset)) as environments:
        run_execution(simulated_dataset, agent, environments, tmp_path / "run", task_ids=[task_id])
    (attempt,) = read_attempts(tmp_path / "run")
    assert (attempt.end.outcome, attempt.end.success) == ("terminated", None)
    assert list(recorded_actions(tmp_path / "run", attempt)) == golden
    assert [step.written for step in attempt.steps] == ["wait()"] * len(golden)
    assert not any(step.performed or step.on_trace for step in attempt.steps)
    for number, (_, _, past) in enumerate(agent.seen):
        assert [step.written for step in past] == golden[:number]
    assert read_run(tmp_path / "run").device == "teacher_forced"


def test_finished_does_not_end_a_teacher_forced_attempt(carry: Carry, golden: list[str]) -> None:
    attempt = carry("teacher-forced", ["finished()"] * len(golden))
    assert len(attempt.steps) == len(golden)
    assert [step.on_trace for step in attempt.steps] == [raw == "finished()" for raw in golden]


def test_a_second_action_counts_if_the_first_was_right(
    carry: Carry, golden: list[str], tmp_path: Path
) -> None:
    pair = Decision(output="both", actions=(parse_action(golden[0]), parse_action(golden[1])))
    wrong = Decision(output="both", actions=(Wait(), parse_action(golden[3])))
    attempt = carry("teacher-forced", [pair, "unused", wrong, *golden[3:]])
    assert [step.on_trace for step in attempt.steps] == [True, True, False, *[True] * (len(golden) - 3)]
    assert list(recorded_actions(tmp_path / "run", attempt)) == golden
    assert len(attempt.steps) == len(golden)
    assert len([step for step in attempt.steps if step.output == "both"]) == 3


# ---- recordings with gaps


def step(action: str, screenshot: bytes | None, xml: str | None = None) -> RecordedStep:
    return RecordedStep(action=action, screenshot=screenshot, xml=xml)


def test_replay_skips_steps_without_a_screen(recorded: tuple[RecordedStep, ...]) -> None:
    home, back, end = step("press_home()", None), step("press_back()", None), step("finished( )", None)
    session = ReplaySession([home, recorded[0], back, recorded[-1]])
    assert (session.gaps, [one.written for one in session.before()]) == ((0, 2), ["press_home()"])
    assert session.observe() is recorded[0].observation
    done = session.step(parse_action(recorded[0].action))
    assert (done.on_trace, done.end, [one.written for one in done.skipped]) == (True, None, ["press_back()"])
    done = session.step(parse_action(recorded[-1].action))
    assert (done.on_trace, done.end and done.end.outcome) == (True, "terminated")
    session = ReplaySession([recorded[0], home, end])
    done = session.step(parse_action(recorded[0].action))
    assert (done.end and done.end.outcome, session.last_screen()) == ("terminated", None)
    assert done.end.reason == "the recording's last steps have no screen and are taken as done"
    done = ReplaySession([recorded[0], home]).step(parse_action(recorded[0].action))
    assert (done.end and done.end.outcome) == "off_trace"


def test_missing_screens_are_not_invented() -> None:
    with pytest.raises(DeviceError, match="the recorded screenshot cannot be read"):
        ReplaySession([step("press_home()", b"no picture")]).observe()
    for session in (ReplaySession, TeacherForcedSession):
        with pytest.raises(DeviceError, match="the episode has no recorded screenshot"):
            session([step("press_home()", None), step("finished()", None)]).observe()


def test_a_step_without_a_screen_is_not_queried_and_counts_as_done(
    recorded: tuple[RecordedStep, ...],
) -> None:
    gap, broken = step("press_back( )", None), step("swipe it", None)
    session = TeacherForcedSession([gap, recorded[0], gap, broken, recorded[-1]])
    assert session.observe() is recorded[0].observation
    assert (session.gaps, [past.written for past in session.before()]) == ((0, 2, 3), ["press_back()"])
    done = session.step(Wait())
    assert [past.written for past in done.past] == [recorded[0].action]
    assert [(past.written, past.action) for past in done.skipped] == [
        ("press_back()", PressBack()),
        ("swipe it", Wait()),
    ]
    assert done.end is None
    assert session.step(Wait()).end is not None


def test_a_perfect_agent_scores_perfectly_on_all_real_episodes(real_release: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    build(real_release / "raw", dataset, tables=real_release / "tables", workers=1)
    built = BuiltDataset.open(dataset)
    episodes = 0
    for split in ("train", "test_suggestion", "test_execution"):
        agent = Player(golden_ways(dataset, split))
        for device in ("replay", "teacher-forced"):
            run = tmp_path / f"{split}-{device}"
            with open_environments([device], built, split=split) as environments:
                outcome = run_execution(dataset, agent, environments, run, split=split)
            assert outcome.outcomes == {"terminated": outcome.tasks}
            scores = score_run(run, protocol="paper")
            assert [task.sim2 and task.sim2.s_i for task in scores.tasks] == [1.0] * outcome.tasks
            assert all(step.on_trace for attempt in read_attempts(run) for step in attempt.steps)
            episodes += outcome.tasks
    assert episodes >= 2 * 23


def test_without_a_tree_touches_match_by_distance(recorded: tuple[RecordedStep, ...]) -> None:
    bare = step("click(coordinates=(100, 100))", recorded[0].screenshot, "<node")
    assert [str(problem) for problem in bare.observation.problems] == [
        "the recording has no readable accessibility tree for this step"
    ]
    assert bare.observation.tree is None
    assert ReplaySession([bare, bare]).step(Click(x=120, y=100)).on_trace
    assert not ReplaySession([bare, bare]).step(Click(x=200, y=100)).on_trace


def test_a_recording_without_finished_ends_after_its_last_step(recorded: tuple[RecordedStep, ...]) -> None:
    done = ReplaySession(recorded[:1]).step(parse_action(recorded[0].action))
    assert (done.on_trace, done.end and done.end.outcome) == (True, "off_trace")


def test_a_device_error_of_a_recording_is_not_retried(
    simulated_dataset: Path, task_id: str, golden: list[str], tmp_path: Path
) -> None:
    sample = shutil.copytree(simulated_dataset.parent / "sample", tmp_path / "sample")
    user, time = task_id.split("__")
    for screen in (sample / "raw" / user / time / "Screenshots").glob("*.jpg"):
        screen.unlink()
    dataset = tmp_path / "dataset"
    build(sample / "raw", dataset, tables=sample / "tables", workers=1)
    with open_environments(["replay"], BuiltDataset.open(dataset)) as environments:
        run_execution(dataset, Player({task_id: golden}), environments, tmp_path / "run", task_ids=[task_id])
    (line,) = [
        json.loads(line) for line in (tmp_path / "run" / "steps.jsonl").read_text("utf-8").splitlines()
    ]
    assert (line["kind"], line["outcome"], line["final"]) == ("end", "device_error", True)
    assert line["reason"] == "the episode has no recorded screenshot"


def test_wrong_arguments_raise_errors_that_name_valid_ones(
    simulated_dataset: Path, task_id: str, tmp_path: Path
) -> None:
    recordings = RecordedEpisodes(BuiltDataset.open(simulated_dataset), "test_execution")
    with pytest.raises(
        DatasetError, match=r"the dataset has no recording of this episode \(episode nobody\)"
    ):
        recordings.steps("nobody")
    with (
        open_environments(["replay"], BuiltDataset.open(simulated_dataset)) as environments,
        pytest.raises(UsageError, match="a dry run needs a phone, not replay"),
    ):
        run_execution(simulated_dataset, Player({}), environments, tmp_path / "run", dry_run=True)
