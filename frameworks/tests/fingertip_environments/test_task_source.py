"""Tasks and rewards by settings, and the rows of verl, without the frameworks that take them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_environments import EpisodeOutcome, PhoneTask, goal_reward, live_tasks, load_tasks
from fingertip_environments.task_source import REWARDS, list_source_tasks, make_reward
from fingertip_environments.verl_rows import make_verl_rows


def test_the_same_settings_are_the_same_tasks(simulated_dataset: Path) -> None:
    live = list_source_tasks(people=1, episodes=2)
    assert live == live_tasks(people=1, episodes=2)
    assert live is list_source_tasks(people=1, episodes=2)
    assert list_source_tasks(dataset=simulated_dataset, limit=2) == load_tasks(simulated_dataset, limit=2)


def test_each_reward_has_a_name() -> None:
    assert make_reward("goal") is goal_reward
    done = EpisodeOutcome(success=True, actions=("wait()",), person=("wait()",), other=(), progress=1.0)
    assert all(make_reward(name)(done) > 0 for name in REWARDS)


def test_wrong_settings_have_one_line(simulated_dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a reward, one of goal, personal, progress, got 'best'"):
        make_reward("best")
    with pytest.raises(UsageError, match="expected at least 1 person"):
        list_source_tasks(people=0)
    with pytest.raises(DatasetError, match="no built dataset"):
        list_source_tasks(dataset=tmp_path / "nowhere")
    with pytest.raises(UsageError, match="nosplit"):
        list_source_tasks(dataset=simulated_dataset, split="nosplit")


def test_a_row_of_verl_names_its_task_and_nothing_of_the_answer(tasks: tuple[PhoneTask, ...]) -> None:
    rows = make_verl_rows(tasks, agent_name="phones")
    assert [row["extra_info"] for row in rows] == [
        {"index": number, "task_id": task.task_id} for number, task in enumerate(tasks)
    ]
    assert {row["agent_name"] for row in rows} == {"phones"}
    for row, task in zip(rows, tasks, strict=True):
        assert row["prompt"] == [{"role": "user", "content": task.intent}]
        assert not any(action in str(row) for action in task.task.target.golden_actions[:-1])
