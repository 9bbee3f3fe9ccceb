"""The table `own`: each person's own adapter on that person, against adapters of strangers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

from fingertip_dataset import BuiltDataset
from fingertip_dataset.split_names import TRAIN
from fingertip_metrics import open_judge
from fingertip_studies.learning.base_rows import SuggestionBase, SuggestionLessons
from fingertip_studies.learning.learning_cells import (
    HABIT,
    Cell,
    LearnedScores,
    answer,
    score,
    train_cell,
    users_of,
)
from fingertip_studies.learning.table import result
from fingertip_studies.learning.tiny_base import RECORD, make_base

TABLE = "own"
PEOPLE = 20
"""People with an adapter of their own; each of the others is a stranger to them."""
HISTORY = "none"
"""Prompts without earlier intents, so that what is personal comes from the adapter alone."""
SETTINGS = {
    "batch_size": 12, "device_batch_size": 12, "dropout": 0.0, "warmup_ratio": 0.05, "checkpoints": 1,
    "max_steps": 60, "learning_rate": 4e-3,
}  # fmt: skip
BASE = Cell(name="base")
OWN, STRANGERS, EVERYONE = "own adapter", "a stranger's adapter", "as many episodes of everyone"
GAINS = ((OWN, STRANGERS), (OWN, EVERYONE), (OWN, "base"), (OWN, HABIT.name), (STRANGERS, "base"))


def make_own(
    work: Path, dataset: Path, base_order: SuggestionBase, base: Path, processes: int
) -> dict[str, Any]:
    """Make the table, or go on with it; returns its text and times.

    Args:
        work: Folder of the trainings and the runs.
        dataset: The benchmark's people.
        base_order: How the base is made.
        base: Its folder; the table without history has the same base.
        processes: Trainings or runs at a time.
    """
    begun = time.perf_counter()
    if not (base / RECORD).is_file():
        make_base(base_order, SuggestionLessons(base_order), base)
    seconds = {"base": time.perf_counter() - begun}
    people, episodes = most_recorded(dataset)
    own = {user: Cell(name=f"user {user}", rank="64", users=(user,), settings=SETTINGS) for user in people}
    everyone = Cell(name=EVERYONE, rank="64", episodes=episodes, settings=SETTINGS)

    def fill(cell: Cell) -> None:
        started = time.perf_counter()
        trained = train_cell(cell, dataset, base, work, history=HISTORY)
        answer(cell, dataset, base, trained, work, history=cell.history or HISTORY)
        seconds[cell.name] = time.perf_counter() - started
        print(f"{TABLE}: {cell.name}, {time.perf_counter() - begun:.0f} s", flush=True)

    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(fill, (BASE, HABIT, *own.values(), everyone)))
    with open_judge("simulated", dataset=dataset) as judge:
        scores = own_and_strangers({user: score(cell, judge, work) for user, cell in own.items()})
        others = (score(cell, judge, work) for cell in (everyone, HABIT))
        scores = {"base": score(BASE, judge, work), **scores, **{one.cell.name: one for one in others}}
    tasks = sorted(scores[OWN].values["Sim_1"])
    seconds["all"] = time.perf_counter() - begun
    made = result(TABLE, base_order, scores, GAINS, tasks, seconds)
    return {**made, "text": f"{made['text']}\n{better_for(scores[OWN], scores[STRANGERS])}\n"}


def most_recorded(dataset: Path) -> tuple[list[str], int]:
    """Ids of the people with the most training episodes, and the least number that one of them has."""
    rows = BuiltDataset.open(dataset).rows(TRAIN, columns=["user_id"])
    known = sorted(Counter(row["user_id"] for row in rows).items(), key=lambda one: (-one[1], one[0]))
    return [user for user, _ in known[:PEOPLE]], min(number for _, number in known[:PEOPLE])


def own_and_strangers(adapters: Mapping[str, LearnedScores]) -> dict[str, LearnedScores]:
    """Scores of each person's tasks by the own adapter, and their mean over the adapters of the others.

    Args:
        adapters: Person -> scores of that person's adapter on all tasks, among them those of the others.
    """

    def combine(name: str, of_task: Callable[[Mapping[str, float], str], float]) -> LearnedScores:
        values: dict[str, dict[str, float]] = {kind: {} for kind in next(iter(adapters.values())).values}
        for kind, found in values.items():
            for task in _list_tasks(adapters):
                (user,) = users_of([task])
                found[task] = of_task({one: adapters[one].values[kind][task] for one in adapters}, user)
        return LearnedScores(Cell(name=name), values)

    return {
        OWN: combine(OWN, lambda by_adapter, user: by_adapter[user]),
        STRANGERS: combine(
            STRANGERS,
            lambda by_adapter, user: fmean(value for one, value in by_adapter.items() if one != user),
        ),
    }


def better_for(own: LearnedScores, other: LearnedScores) -> str:
    """How many people have a higher mean score with the first."""
    tasks = sorted(own.values["Sim_1"])
    people = sorted(set(users_of(tasks)))

    def mean(scores: LearnedScores, kind: str, user: str) -> float:
        return fmean(scores.values[kind][task] for task in tasks if users_of([task]) == [user])

    counts = [
        f"{sum(mean(own, kind, user) > mean(other, kind, user) for user in people)} by {kind}"
        for kind in own.values
    ]
    names = f"{own.cell.name} than with {other.cell.name}"
    return f"Of {len(people)} people, better with {names}: {', '.join(counts)}."


def _list_tasks(adapters: Mapping[str, LearnedScores]) -> Sequence[str]:
    """The tasks of the people with an adapter."""
    every = next(iter(adapters.values())).values["Sim_1"]
    return [task for task in every if users_of([task])[0] in adapters]
