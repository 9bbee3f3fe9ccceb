"""Rewards: the person's way among three, progress less side effects, costs of asking, answers at moments."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fingertip_dataset.actions import Finished, parse_action
from fingertip_dataset.errors import UsageError
from fingertip_environments import (
    EpisodeOutcome,
    PhoneCore,
    PhoneTask,
    asking_reward,
    goal_reward,
    identification_reward,
    live_tasks,
    progress_reward,
)
from fingertip_environments.moment_rewards import moment_reward
from fingertip_environments.rewards import needs_states
from fingertip_training import ExportOrder, export_samples

OUTCOME = EpisodeOutcome(success=True, actions=("finished()",), person=("finished()",), other=())


@pytest.fixture(scope="module")
def three() -> tuple[PhoneTask, ...]:
    """A task of each of three people."""
    return live_tasks(people=3, episodes=1, size=(270, 600))


def test_the_own_way_among_three_people_earns_more(three: tuple[PhoneTask, ...]) -> None:
    reward = identification_reward(three, weight=0.3)
    ways = {task.task_id: task.task.target.golden_actions for task in three}
    own, other, _ = ways
    outcome = replace(OUTCOME, task_id=own, person=ways[own])
    assert reward(replace(outcome, actions=ways[own])) == 1.3
    assert reward(replace(outcome, actions=ways[other])) == 1.0
    assert reward(replace(outcome, actions=ways[own], success=False)) == 0.0
    assert reward(replace(outcome, task_id="of no group")) == 1.0
    alone = identification_reward(three[:1])
    assert alone(outcome) == 1.0


def test_progress_is_what_the_agent_met_and_side_effects_cost(three: tuple[PhoneTask, ...]) -> None:
    seen: list[EpisodeOutcome] = []
    reward = progress_reward(0.5, side_effect=0.2)

    class Kept:
        needs_states = True

        def __call__(self, outcome: EpisodeOutcome) -> float:
            seen.append(outcome)
            return reward(outcome)

    core = PhoneCore(reward=Kept())
    for task in three:
        core.reset(task)
        assert core.step(Finished()).reward == 0
        core.reset(task)
        for action in map(parse_action, task.task.target.golden_actions):
            done = core.step(action)
        assert done.reward == 1
    nothing, everything = seen[::2], seen[1::2]
    assert {outcome.progress for outcome in nothing} == {0.0}
    assert {outcome.progress for outcome in everything} == {1.0}
    half = replace(OUTCOME, success=False, progress=0.5)
    assert reward(half) == 0.25
    assert reward(replace(half, side_effects=1)) == pytest.approx(0.05)
    assert reward(replace(half, side_effects=9)) == 0
    assert reward(replace(half, progress=None)) == 0


def test_states_are_noted_only_for_a_reward_that_asks_for_them(three: tuple[PhoneTask, ...]) -> None:
    assert [needs_states(one) for one in (goal_reward, progress_reward(), asking_reward())] == [
        False,
        True,
        False,
    ]
    assert needs_states(asking_reward(progress_reward()))
    seen: list[EpisodeOutcome] = []
    core = PhoneCore(reward=lambda outcome: seen.append(outcome) or 0.0)
    core.reset(three[0])
    core.step(Finished())
    assert (seen[0].progress, seen[0].side_effects) == (None, 0)


def test_questions_and_risks_cost() -> None:
    reward = asking_reward(question=0.1, needless=0.2, unasked=0.4)
    assert reward(OUTCOME) == 1
    with_questions = replace(OUTCOME, questions=3, needless=1, unasked=1, after_no=1)
    assert reward(with_questions) == pytest.approx(1 - 0.3 - 0.2 - 0.8)
    assert reward(replace(with_questions, success=False)) < 0


def test_a_reward_at_a_moment_is_its_utility() -> None:
    reward = moment_reward(penalty=0.5)
    right = '{"wanted": 1, "intent": "打车去公司"}'
    other, silence = '{"wanted": 1, "intent": "听歌"}', '{"wanted": 0, "intent": ""}'
    answers = [right, other, silence, right, silence]
    wanted = [right, right, right, silence, silence]
    expected = [1.0, 0.0, 0.0, -0.5, 0.0]
    assert reward(completions=answers, answer=wanted) == expected
    messages = [[{"role": "assistant", "content": text}] for text in answers]
    parts = [[{"role": "assistant", "content": [{"type": "text", "text": text}]}] for text in wanted]
    assert reward(completions=messages, answer=parts, step=[0] * 5, prompts=[]) == expected


def test_the_rows_of_an_export_are_those_of_the_reward(people: Path, tmp_path: Path) -> None:
    """As docs/train.md has it: the column `completion` renamed to `answer`."""
    export_samples(people, tmp_path / "rows", ExportOrder(track="moments", history="none"))
    lines = (tmp_path / "rows" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line)["completion"] for line in lines]
    rewards = moment_reward()(completions=answers, answer=answers)
    assert set(rewards) == {0.0, 1.0}
    assert rewards == [float('"wanted": 1' in answer[0]["content"]) for answer in answers]


def test_wrong_weights_are_refused_in_one_line() -> None:
    for make, line in (
        (lambda: progress_reward(1.0), "expected a weight of progress from 0 to below 1, got 1.0"),
        (lambda: progress_reward(side_effect=-1), "expected a cost of side effects of 0 or more, got -1"),
        (lambda: asking_reward(needless=-1), "expected a cost needless of 0 or more, got -1"),
        (lambda: moment_reward(-1), "expected a penalty of 0 or more, got -1"),
    ):
        with pytest.raises(UsageError) as caught:
            make()
        assert str(caught.value) == line
