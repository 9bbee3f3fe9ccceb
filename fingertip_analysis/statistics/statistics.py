"""Tables behind the figures of `fingertip stats`, counted from a built dataset.

All counts are over distinct episodes of the `text` config. An action is a line of action.jsonl, including
the final `finished()` that the authors added.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from fingertip_dataset.actions import canonical
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.parquet.manifest import MomentCounts
from fingertip_dataset.split_names import SPLITS, TEST_EXECUTION, TEST_SUGGESTION
from fingertip_dataset.tasks.moments import MOMENT_KINDS
from fingertip_dataset.tasks.splits import PAPER_EPISODES, PAPER_TABLE_7, PUBLIC_RELEASE

CountKey = TypeVar("CountKey", str, str | None)

COLUMNS = (
    "episode_id",
    "user_id",
    "user_type",
    "time",
    "scenario",
    "scenario_category",
    "app",
    "intent",
    "intent_category",
    "actions",
    "user_profile",
)
"""Columns of a row that the statistics read."""

PAPER = {split: {"episodes": episodes} for split, episodes in PAPER_TABLE_7.items()} | {
    "all": {"episodes": PAPER_EPISODES, "users": 95, "apps": 506},
}
"""Published counts, from the paper's table 7 and section 1; the episodes in both tests are not published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFacts:
    """Fields of one episode that the statistics use.

    Attributes:
        splits: Every split that the episode is in; the two tests share some episodes.
        user_type: 1 or 2; None if unknown.
        actions: The action strings in canonical spelling, in order.
        profile: Profile of the user, as in the release.
        action_types: Types of the actions, in the same order; "unparsable" for an invalid action string.
        respelled: Number of actions that the release spells otherwise.
    """

    episode_id: str
    user_id: str
    user_type: int | None
    splits: tuple[str, ...]
    time: datetime
    scenario: str
    scenario_category: str
    app: str
    intent: str
    category: str | None
    actions: tuple[str, ...]
    action_types: tuple[str, ...]
    profile: UserProfile = UserProfile()  # noqa: RUF009 - frozen
    respelled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsTable:
    """A table as in its CSV file; None for a missing value."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


def read_facts(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[EpisodeFacts, ...]:
    """The facts of every distinct episode, in the order of first occurrence.

    Args:
        rows: (split, row) of each split; a row has at least `COLUMNS`.
    """
    splits: dict[str, list[str]] = {}
    first: dict[str, Mapping[str, Any]] = {}
    for split, row in rows:
        splits.setdefault(row["episode_id"], []).append(split)
        first.setdefault(row["episode_id"], row)
    return tuple(_collect_facts(row, tuple(splits[episode_id])) for episode_id, row in first.items())


def _collect_facts(row: Mapping[str, Any], splits: tuple[str, ...]) -> EpisodeFacts:
    actions = [action for action in row["actions"] if action["raw"]]
    return EpisodeFacts(
        episode_id=row["episode_id"],
        user_id=row["user_id"],
        user_type=row["user_type"],
        splits=splits,
        time=row["time"],
        scenario=row["scenario"],
        scenario_category=row["scenario_category"],
        app=row["app"],
        intent=row["intent"],
        category=row["intent_category"] or None,
        actions=tuple(canonical(action["raw"]) for action in actions),
        action_types=tuple(action["type"] for action in actions),
        profile=UserProfile(**(row.get("user_profile") or {})),
        respelled=sum(canonical(action["raw"]) != action["raw"] for action in actions),
    )


def split_members(facts: Sequence[EpisodeFacts]) -> dict[str, list[EpisodeFacts]]:
    """The episodes of each split, of both tests, and all of them, in this order."""
    members = {split: [fact for fact in facts if split in fact.splits] for split in SPLITS}
    members["both tests"] = [fact for fact in members[TEST_SUGGESTION] if TEST_EXECUTION in fact.splits]
    members["all"] = list(facts)
    return members


def splits_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Table 7: our counts and those of the paper and the public release; None for an unpublished count."""
    members = split_members(facts)
    published = [
        (f"{source}_{noun}_published", values, noun)
        for source, values in (("paper", PAPER), ("public_release", PUBLIC_RELEASE))
        for noun in ("episodes", "users", "apps")
    ]
    rows = []
    for split, part in members.items():
        ours = (
            len(part),
            len({fact.user_id for fact in part}),
            len({fact.app for fact in part}),
            len({fact.category for fact in part if fact.category}),
            sum(len(fact.actions) for fact in part),
        )
        rows.append((split, *ours, *(values.get(split, {}).get(noun) for _, values, noun in published)))
    columns = ("split", "episodes", "users", "apps", "intent_categories", "actions")
    return StatisticsTable(
        name="splits", columns=columns + tuple(name for name, _, _ in published), rows=tuple(rows)
    )


def users_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Episodes and actions of each user, most episodes first."""
    types = {fact.user_id: fact.user_type for fact in facts}
    actions: Counter[str] = Counter()
    for fact in facts:
        actions[fact.user_id] += len(fact.actions)
    episodes = _ranked(Counter(fact.user_id for fact in facts))
    rows = tuple((user, types[user], count, actions[user]) for user, count in episodes)
    return StatisticsTable(
        name="episodes_per_user", columns=("user_id", "user_type", "episodes", "actions"), rows=rows
    )


def apps_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Episodes and users of each app, as the release writes the app (package, sometimes with an activity)."""
    return _group("episodes_per_app", "app", facts, lambda fact: fact.app)


def categories_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Episodes and users of each intent category; None for episodes that no index table lists."""
    return _group("episodes_per_category", "intent_category", facts, lambda fact: fact.category)


def scenarios_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Episodes and users of each scenario as written, with the paper's English name or "other"."""
    english = {fact.scenario: fact.scenario_category for fact in facts}
    plain = _group("scenarios", "scenario", facts, lambda fact: fact.scenario)
    rows = tuple((row[0], english[str(row[0])], *row[1:]) for row in plain.rows)
    return StatisticsTable(
        name="scenarios", columns=("scenario", "scenario_category", "episodes", "users"), rows=rows
    )


def lengths_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Number of episodes per number of actions, the shortest first."""
    lengths = Counter(len(fact.actions) for fact in facts)
    rows = tuple(sorted(lengths.items()))
    return StatisticsTable(name="actions_per_episode", columns=("actions", "episodes"), rows=rows)


def types_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Number and share (0-1) of actions of each type."""
    types = Counter(kind for fact in facts for kind in fact.action_types)
    rows = tuple((kind, count, round(count / types.total(), 4)) for kind, count in _ranked(types))
    return StatisticsTable(name="action_types", columns=("type", "actions", "share"), rows=rows)


def hours_table(facts: Sequence[EpisodeFacts]) -> StatisticsTable:
    """Number of episodes that begin in each of the 24 hours of the day, local time."""
    hours = Counter(fact.time.hour for fact in facts)
    rows = tuple((hour, hours[hour]) for hour in range(24)) if facts else ()
    return StatisticsTable(name="hours", columns=("hour", "episodes"), rows=rows)


def moments_table(splits: Mapping[str, MomentCounts]) -> StatisticsTable:
    """Moments of each kind, and people, of each split.

    Args:
        splits: Split of moments -> its counts.
    """
    kinds = [kind for kind in MOMENT_KINDS if any(one.kinds.get(kind) for one in splits.values())]
    return StatisticsTable(
        name="moments",
        columns=("split", "moments", "users", *kinds),
        rows=tuple(
            (split, one.moments, one.users, *(one.kinds.get(kind, 0) for kind in kinds))
            for split, one in splits.items()
        ),
    )


def write_csv(table: StatisticsTable, path: Path) -> None:
    """Writes the table as UTF-8 CSV with a header line; None is an empty cell."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(table.rows)


def _group(
    name: str, column: str, facts: Sequence[EpisodeFacts], key: Callable[[EpisodeFacts], str | None]
) -> StatisticsTable:
    users: dict[str | None, set[str]] = {}
    for fact in facts:
        users.setdefault(key(fact), set()).add(fact.user_id)
    counts = _ranked(Counter(key(fact) for fact in facts))
    rows = tuple((value, count, len(users[value])) for value, count in counts)
    return StatisticsTable(name=name, columns=(column, "episodes", "users"), rows=rows)


def _ranked(counts: Counter[CountKey]) -> list[tuple[CountKey, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], _order_naturally(item[0])))


def _order_naturally(value: str | None) -> tuple[int, int, str]:
    """Sort key: numbers by size, then words, then None."""
    if value is None:
        return (2, 0, "")
    return (0, int(value), value) if value.isdecimal() and len(value) < 20 else (1, 0, value)
