"""The tasks of a dataset as a list for people who choose some of them by id."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.problems import printable
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.similar_names import did_you_mean
from fingertip_dataset.split_names import (
    FURTHER_TESTS,
    MOMENT_SPLITS,
    TEST_EXECUTION,
    TESTS,
    is_moments,
    split_name,
)

Item = TypeVar("Item")
FACTS = ("user_id", "time", "scenario", "app", "intent", "intent_category")
COLUMNS = ("episode_id", *FACTS, "actions")
MOMENT_COLUMNS = ("episode_id", *FACTS, "kind")
TRACK_2 = (TEST_EXECUTION, *FURTHER_TESTS)
"""Splits of track 2, whose tasks are episodes with recorded actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEntry:
    """Line of the list of tasks.

    Attributes:
        task_id: The episode id.
        split: Split that the task is of.
        user_id: Id of the person.
        time: Time of the episode.
        scenario: Where the person was.
        app: Package name of the app; "" for a moment at which nothing is wanted.
        intent: The person's intent, as written; "" for such a moment.
        intent_category: None where it is not known.
        steps: Number of the person's recorded steps, `finished()` included, as in scores; 0 for a moment.
        kind: Kind of a moment; "" for an episode.
    """

    task_id: str
    split: str
    user_id: str
    time: datetime
    scenario: str
    app: str
    intent: str
    intent_category: str | None
    steps: int
    kind: str = ""


def list_tasks(
    built: BuiltDataset,
    *,
    splits: Sequence[str] = TESTS,
    users: Collection[str] | None = None,
    limit: int | None = None,
) -> list[TaskEntry]:
    """List the tasks of splits, in the order in which a run has them.

    Args:
        built: The dataset.
        splits: Names of the splits, also in the paper's spelling.
        users: Ids of the persons whose tasks are listed; None for all.
        limit: Number of tasks of each split: those that a run with this --limit has.

    Raises:
        UsageError: There is no such split or person, or no task of these persons.
    """
    for split in splits:
        if is_moments(split):
            built.require_moments()
        elif split_name(split) not in built.split_names:
            names = (*built.split_names, *(MOMENT_SPLITS if built.has_moments else ()))
            raise UnknownNameError("a split", split, names)
    if users is not None:
        check_users(built, splits, users)
    found: list[TaskEntry] = []
    for split in splits:
        entries = _read_entries(built, split)
        if users is not None:
            entries = [entry for entry in entries if entry.user_id in users]
        if limit is not None:
            entries = spread(entries, limit) if split_name(split) in TRACK_2 else entries[:limit]
        found += entries
    return found


def spread(items: Sequence[Item], number: int) -> list[Item]:
    """Choose some of the items, spread evenly over all.

    >>> spread("abcdef", 3), spread("ab", 3)
    (['a', 'c', 'e'], ['a', 'b'])
    """
    if number >= len(items):
        return list(items)
    return [items[place * len(items) // number] for place in range(number)]


def check_users(built: BuiltDataset, splits: Sequence[str], users: Collection[str]) -> None:
    """Refuse persons whom the dataset does not have, and persons who all have no task in these splits.

    Raises:
        UsageError: There is such a person, or there are no tasks.
    """
    names = [split_name(split) for split in splits]
    here = _read_users(built, names)
    missing = set(users) - here
    if not missing:
        return
    known = here | _read_users(built, built.split_names)
    listed = f"`{write_tasks_call(built.path, names)}` lists the tasks with their users"
    if strangers := missing - known:
        first = min(strangers)
        meant = did_you_mean(first, sorted(known)).removeprefix(": ")
        advice = f"{meant} {listed}" if meant else listed
        raise UsageError(f"the dataset has no user {printable(first, 40)!r}: {advice}")
    if not here & set(users):
        raise UsageError(f"{' and '.join(names)} has no tasks of user {min(missing)}: {listed}")


def _read_users(built: BuiltDataset, splits: Sequence[str]) -> set[str]:
    return {row["user_id"] for split in splits for row in built.rows(split, columns=["user_id"])}


def write_tasks_call(dataset: Path, splits: Sequence[str] = ()) -> str:
    """Return the call that lists the tasks of a dataset, or of one split of it."""
    of_split = ("--split", splits[0]) if len(splits) == 1 else ()
    return write_call("tasks", dataset, *of_split)


def _read_entries(built: BuiltDataset, split: str) -> list[TaskEntry]:
    """Read the tasks of a split; one of track 2 leaves out episodes without recorded actions."""
    name = split_name(split)
    if is_moments(name):
        return [
            TaskEntry(
                task_id=row["episode_id"],
                split=name,
                steps=0,
                kind=row["kind"],
                **{column: row[column] for column in FACTS}
                | {part: row[part] or "" for part in ("app", "intent")},
            )
            for row in built.rows(name, columns=MOMENT_COLUMNS)
        ]
    entries = [
        TaskEntry(
            task_id=row["episode_id"],
            split=name,
            steps=sum(bool(step["raw"]) for step in row["actions"]),
            **{column: row[column] for column in FACTS},
        )
        for row in built.rows(name, columns=COLUMNS)
    ]
    return [entry for entry in entries if entry.steps or name not in TRACK_2]
