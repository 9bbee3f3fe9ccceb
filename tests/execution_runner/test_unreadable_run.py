"""Runs of track 2 whose answers cannot be read: they stop, and the same call asks their tasks again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from execution_runner.environments.environment import Environment
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts
from execution_runner.execution_records import StepRecord
from execution_runner.execution_run import ExecutionOutcome, run_execution
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.registry import get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import Click, Finished
from fingertip_dataset.errors import ModelError, UnreadableAnswersError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_models.responses import Cached
from fingertip_runs import unreadable_answers
from tests.shared_fixtures import OpenAIServer

Run = Callable[..., ExecutionOutcome]
UNREADABLE = Decision(output="I am", actions=(), problem="expected an action, got 'I am'", queries=1)
FINISHED = Decision(output="finished()", actions=(Finished(),), queries=1, notes=("completed: a bracket",))


class Says:
    """Agent that answers each query with the next of its decisions, the last one again and again."""

    name = "says"

    def __init__(self, *decisions: Decision | Exception, **settings: object) -> None:
        self.settings = settings
        self.queried: list[str] = []
        self._decisions = decisions

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        decision = self._decisions[min(len(self.queried), len(self._decisions) - 1)]
        self.queried.append(task_input.task_id)
        if isinstance(decision, Exception):
            raise decision
        return decision


@pytest.fixture
def recordings(people: Path) -> Iterator[Sequence[Environment]]:
    """Two replays, on which an attempt ends with its first action that is not the recorded one."""
    with open_environments(["replay", "replay"], BuiltDataset.open(people), split="train") as environments:
        yield environments


@pytest.fixture
def run(people: Path, recordings: Sequence[Environment], tmp_path: Path) -> Run:
    """Function that starts or resumes a run of four tasks in tmp_path/run."""

    def call(agent: object, *, phones: int = 1, **options: object) -> ExecutionOutcome:
        return run_execution(
            people,
            agent,
            recordings[:phones],
            tmp_path / "run",
            split="train",
            limit=4,
            resume=True,
            **options,
        )  # type: ignore[arg-type]

    return call


@pytest.fixture
def first_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tasks without a readable answer are enough to stop: recordings of ten would take long."""
    monkeypatch.setattr(unreadable_answers, "FIRST_TASKS", 2)


@pytest.mark.usefixtures("first_two")
@pytest.mark.parametrize("phones", [1, 2])
def test_a_run_stops_and_the_same_call_asks_again(run: Run, tmp_path: Path, phones: int) -> None:
    agent = Says(UNREADABLE)
    with pytest.raises(UnreadableAnswersError, match="the first 2 tasks could be read, and the run stops"):
        run(agent, phones=phones)
    assert len(agent.queried) in (2, 2 + phones - 1)
    assert read_attempts(tmp_path / "run") == ()
    again = Says(FINISHED)
    outcome = run(again, phones=phones)
    assert (outcome.done_before, outcome.queried, len(again.queried)) == (0, 4, 4)
    attempts = {attempt.end.task_id: attempt.end.attempt for attempt in read_attempts(tmp_path / "run")}
    assert {task_id for task_id, number in attempts.items() if number == 2} == set(agent.queried)
    assert outcome.answers.describe_notes() == "4 answers were read with notes: 4 completed"


@pytest.mark.usefixtures("first_two")
def test_a_run_that_goes_on_keeps_its_answers(run: Run, tmp_path: Path) -> None:
    counted: list[int] = []
    outcome = run(Says(UNREADABLE), keep_going=True, on_unreadable=counted.append)
    assert (outcome.queried, outcome.answers.unreadable, counted) == (4, 4, [1, 2, 3, 4])
    later = Says(UNREADABLE)
    assert run(later).done_before == 4
    assert later.queried == []
    assert len(read_attempts(tmp_path / "run")) == 4


def test_a_short_run_fails_at_its_end(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UnreadableAnswersError, match="no answer to any of 4 tasks could be read"):
        run(Says(UNREADABLE))
    assert read_attempts(tmp_path / "run") == ()
    outcome = run(Says(UNREADABLE, UNREADABLE, FINISHED, UNREADABLE))
    assert (outcome.queried, outcome.answers.unreadable) == (4, 3)


@pytest.mark.usefixtures("first_two")
def test_another_agent_may_have_the_folder_of_a_stopped_run(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UnreadableAnswersError):
        run(Says(UNREADABLE, format="wrong"))
    outcome = run(Says(FINISHED, format="right"))
    assert outcome.queried == 4
    assert {attempt.end.attempt for attempt in read_attempts(tmp_path / "run")} == {1}


@pytest.mark.usefixtures("first_two")
def test_agents_without_a_model_are_not_stopped(run: Run, tmp_path: Path) -> None:
    own = Decision(output="", actions=(), problem="expected an action, got none")
    assert run(Says(own)).answers.answers == 0
    assert len(read_attempts(tmp_path / "run")) == 4


@pytest.mark.usefixtures("first_two")
def test_errors_are_no_unreadable_answers(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UnreadableAnswersError, match="the first 2 tasks"):
        run(Says(ModelError("busy"), ModelError("busy"), UNREADABLE))
    assert [one.end.outcome for one in read_attempts(tmp_path / "run")] == ["agent_error"] * 2


def test_only_the_first_step_of_an_answer_has_its_notes(people: Path, tmp_path: Path) -> None:
    notes = ("left_out: press", "server: read there")
    both = Decision(output="two taps", actions=(Click(x=1, y=1), Click(x=2, y=2)), queries=1, notes=notes)
    with open_environments(["simulated"], BuiltDataset.open(people), split="train") as environments:
        run_execution(people, Says(both, FINISHED), environments, tmp_path / "run", split="train", limit=1)
    ((first, second, last),) = [attempt.steps for attempt in read_attempts(tmp_path / "run")]
    assert (first.notes, second.notes, last.notes) == (notes, (), FINISHED.notes)
    assert (first.is_answer, second.is_answer) == (True, False)
    lines = [json.loads(line) for line in (tmp_path / "run" / "steps.jsonl").read_text().splitlines()]
    assert ["notes" in line for line in lines[:3]] == [True, False, True]
    # lines of earlier versions have no notes
    assert StepRecord.model_validate_json(json.dumps(lines[1])) == second


@pytest.mark.usefixtures("first_two")
def test_answers_that_stopped_a_run_do_not_come_from_the_cache_again(
    run: Run, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.play(openai_server.says("", reasoning_content="I should tap."))
    with ChatClient(ModelOptions(base_url=openai_server.base_url, model="tiny-1")) as client:
        agent = get_execution_agent(
            "ui-tars-1.5", AgentSetup(opened=Cached(client, tmp_path / "answers.jsonl"))
        )
        with pytest.raises(UnreadableAnswersError, match="without --reasoning-parser"):
            run(agent)
        sent = len(openai_server.requests)
        openai_server.play(openai_server.says("Action: finished(content='')"))
        assert run(agent).answers.unreadable == 0
        assert (sent, len(openai_server.requests)) == (2, 6)
