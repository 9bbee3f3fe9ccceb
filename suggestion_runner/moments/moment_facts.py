"""Facts of moments to group scores by: kind, missing condition, hour, place, and facts of the person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs.run_record import DatasetRecord
from fingertip_runs.task_facts import COLUMNS, FACTS, TaskFacts, collect_facts

MOMENT_FACTS = ("condition", *(fact for fact in FACTS if fact != "trouble"))
"""Groupings that need the run's dataset. No moment finds the phone in trouble."""

MOMENT_GROUPINGS = ("kind", "hour", "user", *MOMENT_FACTS)
"""All groupings of the scores of moments."""


def open_moments(dataset: DatasetRecord) -> BuiltDataset:
    """Open the dataset of a run of moments, which must still be as the run found it.

    Raises:
        DatasetError: It is missing, or another one than the run was made on.
        UsageError: It has no moments.
    """
    if not dataset.path:
        raise DatasetError("the run's record has no path of its dataset")
    path = Path(dataset.path)
    built = BuiltDataset.open(path)
    found = (built.manifest.data_sha256, built.require_moments().data_sha256)
    if found != (dataset.data_sha256, dataset.moments_sha256):
        raise DatasetError(
            "this is another dataset than the run was made on, or it was built again since: bring that one "
            "back to this path",
            file=path,
        )
    return built


def read_moment_facts(built: BuiltDataset, split: str) -> TaskFacts:
    """Read the facts of a split's moments.

    Args:
        built: The run's dataset.
        split: Name of the split, or "month" for all moments.

    Raises:
        DatasetError: The dataset has changed since it was built.
    """
    languages = {
        episode_id.partition("__")[0]: simulation.get("locale", "zh")
        for episode_id, simulation in built.simulations().items()
    }
    found = {
        row["episode_id"]: {
            **collect_facts(row, None),
            "language": languages.get(row["user_id"]),
            "condition": row["condition"],
        }
        for row in built.rows(split, columns=(*COLUMNS, "user_id", "condition"))
    }
    return TaskFacts(of_task=found)


def group_moments(targets: Sequence[TaskTarget], facts: TaskFacts) -> Mapping[str, Sequence[str | None]]:
    """List the group of each moment by each grouping that is known.

    Args:
        targets: Targets of the moments.
        facts: Facts from the dataset.
    """
    groups: dict[str, Sequence[str | None]] = {
        "kind": [target.kind for target in targets],
        "hour": [read_hour(target.time) for target in targets],
        "user": [target.user_id for target in targets],
    }
    if facts.why_none is None:
        ids = [target.task_id for target in targets]
        groups |= {fact: facts.groups(fact, ids) for fact in MOMENT_FACTS}
    return groups


def read_hour(time: str) -> str | None:
    """Return the hour of the day of a time in ISO 8601, two digits; None if unknown.

    >>> read_hour("2025-03-05T08:30:00+08:00"), read_hour("")
    ('08', None)
    """
    hour = time.partition("T")[2][:2]
    return hour if len(hour) == 2 and hour.isdigit() else None
