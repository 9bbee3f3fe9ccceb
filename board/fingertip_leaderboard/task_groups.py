"""Groupings of a dataset's test tasks, by which the board splits scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.task_lists import SPLIT_OF, TaskList
from fingertip_leaderboard.verified_records import SHORTEST
from fingertip_metrics.difficulty import difficulty
from fingertip_runs.task_facts import facts_of
from simulated_phone import PhoneError
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation

COLUMNS = ("episode_id", "app", "intent_category", "user_type")
SEVERAL = "several"
"""Group of tasks with more than one trouble."""

Groups = Mapping[str, Mapping[str, str | None]]
"""Grouping -> task id -> group; None if unknown."""


class TaskGroups:
    """The groupings of a dataset's tasks; those of each list are made once, when first asked for.

    Args:
        built: The dataset.
    """

    def __init__(self, built: BuiltDataset) -> None:
        self._built = built
        self._made: dict[TaskList, Groups] = {}

    def of(self, tasks: TaskList) -> dict[str, Mapping[str, str | None]]:
        """Grouping -> task id -> group: app, category, user type, and on simulated phones what these add."""
        if tasks not in self._made:
            self._made[tasks] = (
                _group_moments(self._built)
                if tasks == "moments"
                else _read_columns(self._built, SPLIT_OF[tasks]) | _group_simulated(self._built, tasks)
            )
        return dict(self._made[tasks])


def _read_columns(built: BuiltDataset, split: str) -> dict[str, Mapping[str, str | None]]:
    """Groupings by columns of the dataset."""
    rows = list(built.rows(split, columns=COLUMNS))
    kinds = {row["episode_id"]: row["user_type"] for row in rows}
    return {
        "app": {row["episode_id"]: row["app"] for row in rows},
        "category": {row["episode_id"]: row["intent_category"] for row in rows},
        "user type": {name: None if kind is None else f"type {kind}" for name, kind in kinds.items()},
    }


def _group_moments(built: BuiltDataset) -> dict[str, Mapping[str, str | None]]:
    """Groupings of the test moments: kind, user type and language."""
    rows = list(built.rows(SPLIT_OF["moments"], columns=("episode_id", "user_id", "user_type", "kind")))
    language_of = built.manifest.settings.language_of
    return {
        "kind": {row["episode_id"]: row["kind"] for row in rows},
        "user type": {
            row["episode_id"]: None if row["user_type"] is None else f"type {row['user_type']}"
            for row in rows
        },
        "language": {row["episode_id"]: language_of(row["user_id"]) for row in rows},
    }


def _group_simulated(built: BuiltDataset, tasks: TaskList) -> dict[str, Mapping[str, str | None]]:
    """Groupings of simulated phones: language, trouble, and on track 2 the length of the shortest path."""
    simulations = built.simulations()
    if not simulations:
        return {}
    facts = facts_of(built, SPLIT_OF[tasks])
    groups: dict[str, Mapping[str, str | None]] = {
        "language": {task_id: found["language"] for task_id, found in facts.items()},
        "trouble": {
            task_id: SEVERAL if "," in (found["trouble"] or "") else found["trouble"]
            for task_id, found in facts.items()
        },
    }
    # where an instruction names no app, tasks begin elsewhere
    if tasks in ("execution", "long"):
        groups[SHORTEST] = {task_id: _group_shortest(simulations.get(task_id)) for task_id in facts}
    return groups


def _group_shortest(simulation: Mapping[str, Any] | None) -> str | None:
    """Bin of the fewest steps, `finished()` included; None where no phone of this release can say."""
    if simulation is None:
        return None
    try:
        return difficulty(len(find_shortest_path(Simulation.from_json(simulation)).gestures) + 1)
    except (PhoneError, LookupError, TypeError, ValueError):
        return None
