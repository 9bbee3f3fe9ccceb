"""Draw of the benchmark's tasks: each kind of trouble has its share, by the seed alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from fingertip_recorder.task_draw import KINDS, draw_tasks

EPISODES = 60
LAST = 12


def population(users: int, seed: int) -> tuple[list[str], dict[str, tuple[str, ...]], list[str]]:
    """Episodes of the people, trouble in a seventh of them, and one drawn task of each."""
    rng = random.Random(seed)  # noqa: S311 - a sample, not a secret
    ids = [f"{1001 + user}__{number:02d}" for user in range(users) for number in range(EPISODES)]
    kinds = [((kind,), 0.03) for kind in KINDS] + [((KINDS[0], KINDS[1]), 0.01), ((), 0.81)]
    troubles = {one: rng.choices([kind for kind, _ in kinds], [rate for _, rate in kinds])[0] for one in ids}
    drawn = [ids[user * EPISODES + EPISODES - 1 - rng.randrange(LAST)] for user in range(users)]
    return ids, troubles, drawn


@pytest.mark.parametrize("seed", range(5))
def test_each_kind_of_trouble_has_a_tenth_of_the_tasks_and_the_rest_has_none(seed: int) -> None:
    ids, troubles, drawn = population(100, seed)
    tasks = draw_tasks(ids, troubles, drawn, seed=seed)
    assert Counter(troubles[task] for task in tasks) == {**{(kind,): 10 for kind in KINDS}, (): 40}
    assert [task.partition("__")[0] for task in tasks] == [task.partition("__")[0] for task in drawn]
    assert all(int(task.partition("__")[2]) >= EPISODES - LAST for task in tasks)
    assert draw_tasks(ids, troubles, drawn, seed=seed) == tasks
    assert draw_tasks(ids, troubles, drawn, seed=seed + 1) != tasks


def test_few_tasks_are_those_that_were_drawn() -> None:
    ids, troubles, drawn = population(9, 0)
    assert draw_tasks(ids, troubles, drawn, seed=0) == tuple(drawn)


def test_people_with_several_tasks_get_different_ones() -> None:
    ids, troubles, _ = population(12, 3)
    drawn = [one for one in ids if int(one.partition("__")[2]) in (50, 55, 59)]
    tasks = draw_tasks(ids, troubles, drawn, seed=1)
    assert len(set(tasks)) == len(tasks) == len(drawn)


def test_a_kind_that_nobody_met_has_no_task() -> None:
    ids, _, drawn = population(20, 1)
    assert draw_tasks(ids, {}, drawn, seed=1) == tuple(drawn)
