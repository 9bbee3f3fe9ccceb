"""Index tables of a release: its episodes, their intents and categories, and the split of each.

The tables are optional. If two of them contradict each other on an episode, the table of the narrower split
takes precedence, because the authors score by it: test_execution, test_suggestion, sampled_test_execution,
test_long, vali, train_set, then total. A release of today has no vali.csv; where there is one, it is the
split vali. Only simulated people with long goals have test_long.csv.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import TypeVar

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.extra_fields import (
    ExtraField,
    ExtraKind,
    ExtraPart,
    KeptIn,
    count_fields,
    join_extra,
)
from fingertip_dataset.release.problems import Problem, ProblemKind, printable
from fingertip_dataset.release.raw_folder import Listing, RawFolder
from fingertip_dataset.release.tables.further_tables import TABLE_SUFFIX, read_further_tables
from fingertip_dataset.release.tables.intent_table import find_meaning, read_intents
from fingertip_dataset.release.tables.keyed_table import KeyedTable, TableCount
from fingertip_dataset.release.tables.profiles import read_profiles
from fingertip_dataset.split_names import (
    FURTHER_TESTS,
    SAMPLED_TEST_EXECUTION,
    SPLITS,
    TEST_EXECUTION,
    TEST_LONG,
    TEST_SUGGESTION,
    TESTS,
    TRAIN,
    VALI,
)
from fingertip_dataset.times import BEIJING

T = TypeVar("T")

Extras = Mapping[str, tuple[ExtraField, ...]]
"""Episode id or user id -> values that no column of a row holds."""

EPISODE_TABLES: Mapping[str, str] = {
    TEST_EXECUTION: "test_execution.csv",
    TEST_SUGGESTION: "test_suggestion.csv",
    SAMPLED_TEST_EXECUTION: "sampled_test_execution.csv",
    TEST_LONG: "test_long.csv",
    VALI: "vali.csv",
    TRAIN: "train_set.csv",
    "total": "total.csv",
}
"""Field of `Tables` -> its file, in order of precedence."""

PROFILE_TABLE = "user_profile.csv"

FILES = (*EPISODE_TABLES.values(), PROFILE_TABLE)
"""The tables that this version knows."""

_NARROWER: Mapping[str, tuple[tuple[str, ProblemKind], ...]] = {
    VALI: tuple((name, ProblemKind.VALI_AND_TEST) for name in (*TESTS, *FURTHER_TESTS)),
    TRAIN: (
        *((name, ProblemKind.TRAIN_AND_TEST) for name in (*TESTS, *FURTHER_TESTS)),
        (VALI, ProblemKind.TRAIN_AND_VALI),
    ),
}
"""Table -> the tables that its episodes must not be in, with the kind of that problem, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Content of the index tables.

    The first seven map episode ids to intents, and are None if their file is missing or unreadable.

    Attributes:
        total: Intents of total.csv.
        train: Intents of train_set.csv, without the rows that vali.csv or a test table has too.
        vali: Intents of vali.csv, without the rows that a test table has too.
        test_suggestion: Intents of test_suggestion.csv.
        test_execution: Intents of test_execution.csv; 172 episodes of the release are in both tests.
        sampled_test_execution: Intents of sampled_test_execution.csv.
        test_long: Intents of test_long.csv.
        profiles: User id -> profile; empty if user_profile.csv is missing or unreadable.
        problems: Problems of the tables themselves.
        counts: File -> counts of its rows, for each existing file.
        places: Episode id -> file and line of the row that takes precedence.
        extra: Episode id -> values of unknown columns and tables.
        user_extra: User id -> values of unknown columns of user_profile.csv, and of unknown tables.
        parts: Every unknown column and table.
        files: Name of each unknown table that has no key of an episode or user -> its text.
    """

    total: Mapping[str, Intent] | None = None
    train: Mapping[str, Intent] | None = None
    vali: Mapping[str, Intent] | None = None
    test_suggestion: Mapping[str, Intent] | None = None
    test_execution: Mapping[str, Intent] | None = None
    sampled_test_execution: Mapping[str, Intent] | None = None
    test_long: Mapping[str, Intent] | None = None
    profiles: Mapping[str, UserProfile] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    counts: Mapping[str, TableCount] = field(default_factory=dict)
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    extra: Mapping[str, tuple[ExtraField, ...]] = field(default_factory=dict)
    user_extra: Mapping[str, tuple[ExtraField, ...]] = field(default_factory=dict)
    parts: tuple[ExtraPart, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    def has(self, split: str) -> bool:
        """Whether the folder has the table of a split, readable or not."""
        return EPISODE_TABLES[split] in self.counts

    def intent(self, episode_id: str) -> Intent | None:
        """Return an episode's intent by precedence of the tables; None if no table has it."""
        candidates = [table[episode_id] for table in self._list_by_precedence() if episode_id in table]
        if not candidates:
            return None
        category = next((intent.category for intent in candidates if intent.category), None)
        return (
            candidates[0] if candidates[0].category == category else replace(candidates[0], category=category)
        )

    def _list_by_precedence(self) -> Iterator[Mapping[str, Intent]]:
        for name in EPISODE_TABLES:
            table: Mapping[str, Intent] | None = getattr(self, name)
            if table is not None:
                yield table


def find_tables(raw: Path) -> Path | None:
    """Look for the index tables in the release's folder and in its subfolder `tables`."""
    for folder in (raw, raw / "tables"):
        if not set(FILES).isdisjoint(RawFolder.open(folder).list().names()):
            return folder
    return None


def note_unused_tables(raw: Path, tables: Path | None = None) -> str | None:
    """Return a line about tables that make no splits, though one might expect it; None without such tables.

    Args:
        raw: Folder of the users' folders.
        tables: Folder of the index tables; None looks for them as `find_tables` does.
    """
    place = tables or find_tables(raw)
    if place is None:
        return _note_tables_beside(raw) if raw.is_dir() else None
    present = set(RawFolder.open(place).list().names())
    sampled = EPISODE_TABLES[SAMPLED_TEST_EXECUTION]
    if sampled not in present or not present.isdisjoint(EPISODE_TABLES[split] for split in SPLITS):
        return None
    return (
        f"{printable(str(place / sampled))} is the only table of a split: it makes none, and all splits are "
        "drawn by rule A.5"
    )


def _note_tables_beside(raw: Path) -> str | None:
    # normpath: "." has a parent, too
    beside = find_tables(Path(os.path.normpath(raw / os.pardir)))
    if beside is None:
        return None
    found = printable(str(beside))
    return (
        f"{found} has index tables, and {printable(str(raw))} is read without them: splits are drawn by rule "
        f"A.5, and profiles are not known; add --tables {found}"
    )


def read_tables(folder: Path, zone: tzinfo = BEIJING) -> Tables:
    """Read every index table in a folder, and their problems.

    Args:
        folder: The folder.
        zone: Zone of the times.

    Raises:
        ReleaseError: The folder has none of the index tables.
    """
    listing = RawFolder.open(folder).list()
    present = [file for file in FILES if file in listing.names()]
    if not present:
        got = f"a folder without them ({listing.error})" if listing.error else "a folder without them"
        near = find_tables(folder)
        hint = f": did you mean {printable(str(near))}?" if near else ""
        raise ReleaseError(f"expected one of the tables {', '.join(FILES)}, got {got}{hint}", file=folder)
    problems = [
        Problem(kind=ProblemKind.UNREADABLE_TABLE, detail="expected a regular file of the folder", file=file)
        for file in present
        if file not in listing.files
    ]
    problems += _find_missing(present)
    usable = [file for file in present if file in listing.files]
    read: dict[str, KeyedTable[Intent]] = {}
    for name, file in EPISODE_TABLES.items():
        table = (
            _try_read(partial(read_intents, zone=zone), folder / file, problems) if file in usable else None
        )
        if table is not None:
            read[name] = table
    for name, narrower in _NARROWER.items():
        if name in read:
            read[name] = _remove_narrower(name, narrower, read, problems)
    problems += _find_disagreements(read)
    profiles = _try_read(read_profiles, folder / PROFILE_TABLE, problems) if PROFILE_TABLE in usable else None
    counts = {EPISODE_TABLES[name]: table.count for name, table in read.items()}
    if profiles is not None:
        counts[PROFILE_TABLE] = profiles.count
    further = read_further_tables(folder, list_further_tables(listing))
    extras = [table.extra for table in read.values()]
    profile_extra = profiles.extra if profiles is not None else {}
    return Tables(
        profiles=profiles.values if profiles is not None else {},
        problems=tuple(problems),
        counts={file: counts.get(file, TableCount()) for file in present},
        places=_find_places(read),
        extra=_join_by_key(extras, further.by_episode),
        user_extra=_join_by_key([profile_extra], further.by_user),
        parts=(*_list_columns((*extras, profile_extra)), *further.parts),
        files=further.files,
        **{name: table.values for name, table in read.items()},
    )


def _find_missing(present: Collection[str]) -> Iterator[Problem]:
    """Yield a problem for each table that is missing beside those of splits, with what follows from that."""
    splits = [EPISODE_TABLES[name] for name in (TRAIN, *TESTS)]
    if set(splits).isdisjoint(present):
        return  # no release's own tables, but some that a person made
    effects = dict.fromkeys(splits, "beside those of the other splits, got none: its split is empty") | {
        EPISODE_TABLES["total"]: (
            "of all episodes, got none: an episode that is in no other table has its survey's intent alone, "
            "and nobody sees which episodes are missing"
        ),
        PROFILE_TABLE: "of the users' profiles, got none: age, sex and the rest are not known",
    }
    for file, effect in effects.items():
        if file not in present:
            yield Problem(kind=ProblemKind.MISSING_TABLE, detail=f"expected the table {effect}", file=file)


def find_missing_sample(tables: Tables) -> Problem | None:
    """The problem of a published release without the table of its sampled test; None if it is there.

    Releases of others, drawn samples and simulated people have no such table. Nor has one without splits.
    """
    if tables.has(SAMPLED_TEST_EXECUTION) or not any(tables.has(name) for name in (TRAIN, *TESTS)):
        return None
    detail = "expected the table of the sampled test of execution, got none: the dataset lacks this split"
    file = EPISODE_TABLES[SAMPLED_TEST_EXECUTION]
    return Problem(kind=ProblemKind.MISSING_TABLE, detail=detail, file=file)


def table_files(folder: Path) -> tuple[str, ...]:
    """Return the names of all tables in a folder that a build keeps: the known ones first."""
    listing = RawFolder.open(folder).list()
    known = tuple(name for name in FILES if name in listing.files)
    further = read_further_tables(folder, list_further_tables(listing)).parts
    return (*known, *(part.file for part in further if part.kept_in is not KeptIn.NOWHERE))


def list_further_tables(listing: Listing) -> tuple[str, ...]:
    """Return the names of the tables that this version does not know."""
    return tuple(name for name in listing.files if name.lower().endswith(TABLE_SUFFIX) and name not in FILES)


def _join_by_key(tables: Sequence[Extras], further: Extras) -> Extras:
    """Join the values of known tables, which repeat each other, and those of further tables by key."""
    keys = dict.fromkeys(key for table in (*tables, further) for key in table)
    return {key: (*join_extra(table.get(key, ()) for table in tables), *further.get(key, ())) for key in keys}


def _list_columns(tables: Iterable[Extras]) -> tuple[ExtraPart, ...]:
    values = (value for table in tables for group in table.values() for value in group)
    return count_fields(ExtraKind.COLUMN, values)


def _try_read(
    read: Callable[[Path], KeyedTable[T]], path: Path, problems: list[Problem]
) -> KeyedTable[T] | None:
    try:
        table = read(path)
    except ReleaseError as error:
        problems.append(Problem(kind=ProblemKind.UNREADABLE_TABLE, detail=error.message, file=path.name))
        return None
    problems += table.problems
    return table


def _remove_narrower(
    name: str,
    narrower: Sequence[tuple[str, ProblemKind]],
    read: Mapping[str, KeyedTable[Intent]],
    problems: list[Problem],
) -> KeyedTable[Intent]:
    """Remove from a table the rows of episodes that a narrower split has too, and report them."""
    table = read[name]
    shared: dict[str, list[tuple[str, ProblemKind]]] = {}
    for key in table.values:
        for other, kind in narrower:
            if other in read and key in read[other].values:
                shared.setdefault(key, []).append((other, kind))
    for key, found in shared.items():
        where = " and ".join(EPISODE_TABLES[other] for other, kind in found if kind is found[0][1])
        problems.append(
            Problem(
                kind=found[0][1],
                detail=f"expected the episode in one part, got it in {where} too",
                episode_id=key,
                file=EPISODE_TABLES[name],
                line=table.lines[key],
            )
        )
    count = replace(
        table.count, kept=table.count.kept - len(shared), refused=table.count.refused + len(shared)
    )
    remaining = {key: intent for key, intent in table.values.items() if key not in shared}
    return replace(table, values=remaining, count=count)


def _find_disagreements(read: Mapping[str, KeyedTable[Intent]]) -> Iterator[Problem]:
    """Yield rows that contradict the table that takes precedence."""
    preferred: dict[str, tuple[str, Intent]] = {}
    for name, table in read.items():
        for key, intent in table.values.items():
            source, first_intent = preferred.setdefault(key, (name, intent))
            # not every table has the column of categories: a missing one is no contradiction
            if first_intent.category is None or intent.category is None:
                first_intent, intent = replace(first_intent, category=None), replace(intent, category=None)
            if find_meaning(first_intent) == find_meaning(intent):
                continue
            yield Problem(
                kind=ProblemKind.TABLES_DISAGREE,
                detail=f"expected the row of {EPISODE_TABLES[source]} for the episode, got a different one",
                episode_id=key,
                file=EPISODE_TABLES[name],
                line=table.lines[key],
            )


def _find_places(read: Mapping[str, KeyedTable[Intent]]) -> dict[str, tuple[str, int]]:
    places: dict[str, tuple[str, int]] = {}
    for name, table in read.items():
        for key in table.values:
            # the first table in order of precedence
            places.setdefault(key, (EPISODE_TABLES[name], table.lines[key]))
    return places
