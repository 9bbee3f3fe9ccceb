"""Index tables of a release: its episodes, their intents and categories, and the split of each.

The tables are optional. If two of them contradict each other on an episode, the table of the narrower split
takes precedence, because the authors score by it: test_execution, test_suggestion, train_set, then total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import TypeVar

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.problems import Problem, ProblemKind, printable
from fingertip_dataset.release.raw_folder import RawFolder
from fingertip_dataset.release.tables.intent_table import find_meaning, read_intents
from fingertip_dataset.release.tables.keyed_table import KeyedTable, TableCount
from fingertip_dataset.release.tables.profiles import read_profiles
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION, TESTS, TRAIN
from fingertip_dataset.times import BEIJING

T = TypeVar("T")

EPISODE_TABLES: Mapping[str, str] = {
    TEST_EXECUTION: "test_execution.csv",
    TEST_SUGGESTION: "test_suggestion.csv",
    "sampled_test_execution": "sampled_test_execution.csv",
    TRAIN: "train_set.csv",
    "total": "total.csv",
}
"""Field of `Tables` -> its file, in order of precedence."""

PROFILE_TABLE = "user_profile.csv"

FILES = (*EPISODE_TABLES.values(), PROFILE_TABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Content of the index tables.

    The first five map episode ids to intents, and are None if their file is missing or unreadable.

    Attributes:
        total: Intents of total.csv.
        train: Intents of train_set.csv, without the rows that a test table has too.
        test_suggestion: Intents of test_suggestion.csv.
        test_execution: Intents of test_execution.csv; 172 episodes of the release are in both tests.
        sampled_test_execution: Intents of sampled_test_execution.csv.
        profiles: User id -> profile; empty if user_profile.csv is missing or unreadable.
        problems: Problems of the tables themselves.
        counts: File -> counts of its rows, for each existing file.
        places: Episode id -> file and line of the row that takes precedence.
    """

    total: Mapping[str, Intent] | None = None
    train: Mapping[str, Intent] | None = None
    test_suggestion: Mapping[str, Intent] | None = None
    test_execution: Mapping[str, Intent] | None = None
    sampled_test_execution: Mapping[str, Intent] | None = None
    profiles: Mapping[str, UserProfile] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    counts: Mapping[str, TableCount] = field(default_factory=dict)
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)

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
    usable = [file for file in present if file in listing.files]
    read: dict[str, KeyedTable[Intent]] = {}
    for name, file in EPISODE_TABLES.items():
        table = (
            _try_read(partial(read_intents, zone=zone), folder / file, problems) if file in usable else None
        )
        if table is not None:
            read[name] = table
    if TRAIN in read:
        read[TRAIN] = _remove_tests(read, problems)
    problems += _find_disagreements(read)
    profiles = _try_read(read_profiles, folder / PROFILE_TABLE, problems) if PROFILE_TABLE in usable else None
    counts = {EPISODE_TABLES[name]: table.count for name, table in read.items()}
    if profiles is not None:
        counts[PROFILE_TABLE] = profiles.count
    return Tables(
        profiles=profiles.values if profiles is not None else {},
        problems=tuple(problems),
        counts={file: counts.get(file, TableCount()) for file in present},
        places=_find_places(read),
        **{name: table.values for name, table in read.items()},
    )


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


def _remove_tests(read: Mapping[str, KeyedTable[Intent]], problems: list[Problem]) -> KeyedTable[Intent]:
    """Remove from the training table the rows that a test table has, and report them."""
    train = read[TRAIN]
    tests = [name for name in TESTS if name in read]
    shared = dict.fromkeys(key for key in train.values if any(key in read[name].values for name in tests))
    for key in shared:
        where = " and ".join(EPISODE_TABLES[name] for name in tests if key in read[name].values)
        problems.append(
            Problem(
                kind=ProblemKind.TRAIN_AND_TEST,
                detail=f"expected the episode in one part, got it in {where} too",
                episode_id=key,
                file=EPISODE_TABLES[TRAIN],
                line=train.lines[key],
            )
        )
    count = replace(
        train.count, kept=train.count.kept - len(shared), refused=train.count.refused + len(shared)
    )
    remaining = {key: intent for key, intent in train.values.items() if key not in shared}
    return replace(train, values=remaining, count=count)


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
