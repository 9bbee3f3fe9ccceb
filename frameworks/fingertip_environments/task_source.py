"""Tasks and rewards by settings, for frameworks whose workers get settings and the ids of tasks alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from fingertip_dataset.errors import UnknownNameError
from fingertip_dataset.split_names import TRAIN
from fingertip_environments.phone_task import PhoneTask, live_tasks, load_tasks
from fingertip_environments.rewards import Reward, goal_reward, personal_reward, progress_reward

RewardName = Literal["goal", "personal", "progress"]
REWARDS: Mapping[str, Callable[[], Reward]] = {
    "goal": lambda: goal_reward,
    "personal": personal_reward,
    "progress": progress_reward,
}
"""Makers of the rewards by name, each with its own default weights."""


def make_reward(name: str) -> Reward:
    """Make a reward by name.

    Raises:
        UsageError: There is no such reward.
    """
    if name not in REWARDS:
        raise UnknownNameError("a reward", name, REWARDS)
    return REWARDS[name]()


@cache
def list_source_tasks(
    *,
    dataset: Path | None = None,
    split: str = TRAIN,
    limit: int | None = None,
    people: int = 3,
    episodes: int = 8,
    first: int = 0,
    locale: str = "zh",
) -> tuple[PhoneTask, ...]:
    """List the tasks of a dataset, or of people who live now; the process keeps them.

    Args:
        dataset: Folder of a built dataset of simulated people; None for people who live now.
        split: Name of the dataset's split.
        limit: Maximum number of the split's tasks, spread evenly.
        people: Number of people who live now.
        episodes: Number of tasks of each of them.
        first: Number of the first of them, from 0; people with other numbers are strangers.
        locale: Language of people who live now, and of their phones.

    Raises:
        UsageError: As of `load_tasks` and `live_tasks`.
        DatasetError: The dataset cannot be read.
    """
    if dataset is not None:
        return load_tasks(dataset, split=split, limit=limit)
    return live_tasks(people=people, episodes=episodes, first=first, locale=locale)
