"""Rollouts of agents on a phone of this process, beside the same actions on the core alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import UsageError
from fingertip_environments import (
    EpisodeOutcome,
    PhoneCore,
    PhoneTask,
    make_answered_agent,
    roll_out_agent,
    sim2_reward,
)
from fingertip_models.messages import Message
from frameworks.tests.fingertip_environments.golden_answers import write_golden_answers

FORMATS = ("qwen3-vl", "ui-tars-1.5", "generalist")


def script(answers: Sequence[str], queries: list[Sequence[Message]] | None = None) -> Callable[..., str]:
    """A model that gives these answers, one after the other."""
    left = list(answers)

    def answer(messages: Sequence[Message]) -> str:
        if queries is not None:
            queries.append(messages)
        return left.pop(0)

    return answer


@pytest.mark.parametrize("format_name", FORMATS)
def test_what_the_person_did_is_a_success_in_each_format(
    tasks: tuple[PhoneTask, ...], format_name: str
) -> None:
    task, queries = tasks[0], list[Sequence[Message]]()
    answers = list(write_golden_answers(task, format_name))
    agent = make_answered_agent(format_name, script(answers, queries))
    rollout = roll_out_agent(PhoneCore(), task, agent)
    assert (rollout.success, rollout.reward, rollout.reason) == (True, 1.0, "")
    assert rollout.actions[-1].startswith("finished(")
    assert len(queries) == len(answers)
    assert all(any(message.images for message in messages) for messages in queries)
    assert any(task.intent in message.text for message in queries[0])


def test_the_reward_is_that_of_the_core(tasks: tuple[PhoneTask, ...]) -> None:
    task = tasks[1]
    core = PhoneCore(reward=sim2_reward)
    core.reset(task)
    done = [core.step(parse_action(action)) for action in task.task.target.golden_actions][-1]
    agent = make_answered_agent("generalist", script(list(write_golden_answers(task, "generalist"))))
    assert roll_out_agent(core, task, agent).reward == pytest.approx(done.reward)


def test_what_cannot_be_read_waits_and_is_scored_as_written(tasks: tuple[PhoneTask, ...]) -> None:
    seen: list[EpisodeOutcome] = []

    def reward(outcome: EpisodeOutcome) -> float:
        seen.append(outcome)
        return float(outcome.success)

    answer = make_answered_agent("qwen3-vl", lambda messages: "I do not know.")
    rollout = roll_out_agent(PhoneCore(reward=reward), tasks[0], answer)
    assert set(rollout.actions) == {"wait()"}
    assert len(rollout.actions) == int(tasks[0].task.target.step_limit) + 1
    assert (rollout.success, rollout.reward) == (False, 0.0)
    assert set(seen[0].actions) == {"I do not know."}


def test_a_model_that_fails_is_an_agent_that_does_no_more(tasks: tuple[PhoneTask, ...]) -> None:
    first, *_ = write_golden_answers(tasks[0], "qwen3-vl")
    rollout = roll_out_agent(PhoneCore(), tasks[0], make_answered_agent("qwen3-vl", script([first])))
    assert len(rollout.actions) == 1
    assert (rollout.success, rollout.reward, rollout.interrupted) == (False, 0.0, False)
    assert rollout.reason.startswith("agent qwen3-vl failed: IndexError: pop from empty list")


def test_a_phone_that_fails_is_told_from_an_agent_that_fails(
    tasks: tuple[PhoneTask, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    core, agent = PhoneCore(), make_answered_agent("qwen3-vl", lambda messages: "?")

    def fail(*_: object) -> None:
        raise RuntimeError("no battery")

    monkeypatch.setattr("execution_runner.environments.simulated.SimulatedSession.step", fail)
    rollout = roll_out_agent(core, tasks[0], agent)
    assert rollout.interrupted
    assert rollout.reason.startswith("the phone failed: RuntimeError: no battery")


def test_a_wrong_format_or_picture_budget_has_one_line() -> None:
    with pytest.raises(UsageError, match=r"expected a format, one of .*qwen3-vl.*, got 'qwen4-vl'"):
        make_answered_agent("qwen4-vl", str)
    with pytest.raises(UsageError, match="at least 1024 pixels"):
        make_answered_agent("qwen3-vl", str, max_pixels=10)
