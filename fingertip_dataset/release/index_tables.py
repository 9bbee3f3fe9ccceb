"""The index tables of a release: which episodes there are, what they are about, which part they belong to.

The tables are optional. Where two of them tell different things of one episode, the table of the narrower
part is believed, for the authors score by it: test_execution, test_suggestion, train_set, then total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.intent_table import meaning_of, read_intents
from fingertip_dataset.release.keyed_table import KeyedTable, TableCount
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.profiles import read_profiles
from fingertip_dataset.release.raw_folder import RawFolder
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION, TESTS, TRAIN

T = TypeVar("T")

EPISODE_TABLES: Mapping[str, str] = {
    TEST_EXECUTION: "test_execution.csv",
    TEST_SUGGESTION: "test_suggestion.csv",
    "sampled_test_execution": "sampled_test_execution.csv",
    TRAIN: "train_set.csv",
    "total": "total.csv",
}
"""Field of `Tables` -> its file, the most believed first."""

PROFILE_TABLE = "user_profile.csv"

FILES = (*EPISODE_TABLES.values(), PROFILE_TABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """What the tables tell.

    Attributes:
        total: Episode id -> intent, of total.csv; None where the file is absent or cannot be read. The same
            for the four below.
        train: Of train_set.csv, without the rows that a test table has too.
        test_suggestion: Of test_suggestion.csv.
        test_execution: Of test_execution.csv; 172 episodes of the release are in both tests.
        sampled_test_execution: Of sampled_test_execution.csv.
        profiles: User id -> profile; empty where user_profile.csv is absent or cannot be read.
        problems: What is wrong with the tables themselves.
        counts: File -> its rows, for each file that is there.
        places: Episode id -> file and line of the row that is believed.
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
        """What the tables tell of an episode; None where no table knows it."""
        candidates = [table[episode_id] for table in self._by_belief() if episode_id in table]
        if not candidates:
            return None
        category = next((intent.category for intent in candidates if intent.category), None)
        return (
            candidates[0] if candidates[0].category == category else replace(candidates[0], category=category)
        )

    def _by_belief(self) -> Iterator[Mapping[str, Intent]]:
        for name in EPISODE_TABLES:
            table: Mapping[str, Intent] | None = getattr(self, name)
            if table is not None:
                yield table


def find_tables(raw: Path) -> Path | None:
    """Where a release's tables are when nobody says it: in the release's own folder, or in `tables` there."""
    for folder in (raw, raw / "tables"):
        if not set(FILES).isdisjoint(RawFolder.open(folder).list().names()):
            return folder
    return None


def read_tables(folder: Path) -> Tables:
    """Every table in the folder, and what is wrong with them.

    Raises:
        ReleaseError: None of the tables is there.
    """
    listing = RawFolder.open(folder).list()
    present = [file for file in FILES if file in listing.names()]
    if not present:
        got = f"a folder without them ({listing.error})" if listing.error else "a folder without them"
        raise ReleaseError(f"expected one of the tables {', '.join(FILES)}, got {got}", file=folder)
    problems = [
        Problem(kind=ProblemKind.UNREADABLE_TABLE, detail="expected a regular file of the folder", file=file)
        for file in present
        if file not in listing.files
    ]
    usable = [file for file in present if file in listing.files]
    read: dict[str, KeyedTable[Intent]] = {}
    for name, file in EPISODE_TABLES.items():
        table = _attempt(read_intents, folder / file, problems) if file in usable else None
        if table is not None:
            read[name] = table
    if TRAIN in read:
        read[TRAIN] = _without_tests(read, problems)
    problems += _disagreements(read)
    profiles = _attempt(read_profiles, folder / PROFILE_TABLE, problems) if PROFILE_TABLE in usable else None
    counts = {EPISODE_TABLES[name]: table.count for name, table in read.items()}
    if profiles is not None:
        counts[PROFILE_TABLE] = profiles.count
    return Tables(
        profiles=profiles.values if profiles is not None else {},
        problems=tuple(problems),
        counts={file: counts.get(file, TableCount()) for file in present},
        places=_places(read),
        **{name: table.values for name, table in read.items()},
    )


def _attempt(
    read: Callable[[Path], KeyedTable[T]], path: Path, problems: list[Problem]
) -> KeyedTable[T] | None:
    try:
        table = read(path)
    except ReleaseError as error:
        problems.append(Problem(kind=ProblemKind.UNREADABLE_TABLE, detail=error.message, file=path.name))
        return None
    problems += table.problems
    return table


def _without_tests(read: Mapping[str, KeyedTable[Intent]], problems: list[Problem]) -> KeyedTable[Intent]:
    """The training table less the rows that a test table has."""
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
    left = {key: intent for key, intent in train.values.items() if key not in shared}
    return replace(train, values=left, count=count)


def _disagreements(read: Mapping[str, KeyedTable[Intent]]) -> Iterator[Problem]:
    """Rows that tell something else than the table that is believed."""
    believed: dict[str, tuple[str, Intent]] = {}
    for name, table in read.items():
        for key, intent in table.values.items():
            source, first_intent = believed.setdefault(key, (name, intent))
            if first_intent.category is None or intent.category is None:
                first_intent, intent = replace(first_intent, category=None), replace(intent, category=None)
            if meaning_of(first_intent) == meaning_of(intent):
                continue
            yield Problem(
                kind=ProblemKind.TABLES_DISAGREE,
                detail=f"expected what {EPISODE_TABLES[source]} tells of the episode, got something else",
                episode_id=key,
                file=EPISODE_TABLES[name],
                line=table.lines[key],
            )


def _places(read: Mapping[str, KeyedTable[Intent]]) -> dict[str, tuple[str, int]]:
    places: dict[str, tuple[str, int]] = {}
    for name, table in read.items():
        for key in table.values:
            places.setdefault(key, (EPISODE_TABLES[name], table.lines[key]))
    return places
