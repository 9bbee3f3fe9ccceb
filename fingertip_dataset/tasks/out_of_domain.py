"""Out-of-domain subsets: tests on unseen users, unseen apps and unseen intent categories.

Protocol. The paper's (A.6.1): 3 users, 7 apps and 4 intent categories are held out together. Each kind has a
test subset, the tasks of its held-out values; one filtered training set has no episode of any of them. The
paper's draw is not public. Ours, where the paper is silent:

- Values are drawn from those of the tasks, in a seeded random order, alternating between the kinds: a user,
  an app, a category, a user, and so on. Values with tasks in both tests come first, so that neither test of
  a subset is empty if that is possible.
- A value that would leave less than `KEPT` of the training part is skipped, and so is the last value of a
  kind: small data hold out fewer values than requested, and the note of the subset says so.
- An app is identified by its package, without the activity after the slash.
- If an app or category was held out, training episodes whose own is unknown are removed from the filtered
  training set too, because they might have the held-out value.
- A task keeps its history: the earlier intents of an unseen user are part of the task's input.
- A row of the filtered training set keeps its references in the dataset. `unseen` says which episodes
  training on that set must not show.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.frozen_model import describe_fault
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION, TESTS, TRAIN
from fingertip_dataset.tasks.history import release_order
from fingertip_dataset.tasks.splits import SplitPlan, draw_key

SUBSETS_VERSION: Literal[2] = 2
"""Version of subsets.json. Version 1, unnumbered, had three training sets and held out a fifth of values."""

WITHOUT_UNSEEN = "without_unseen"
"""Name of the filtered training set in `OutOfDomain.episodes`."""

KEPT = 0.5
"""Minimum share of the training part in the filtered training set; ours. The paper's is 14,706 of 16,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutCounts:
    """Numbers of values to hold out of each kind; the defaults are the paper's (A.6.1).

    Raises:
        UsageError: A number is below 0.
    """

    users: int = 3
    apps: int = 7
    categories: int = 4

    def __post_init__(self) -> None:
        for kind, count in (("users", self.users), ("apps", self.apps), ("categories", self.categories)):
            if count < 0:
                raise UsageError(f"expected 0 or more unseen {kind}, got {count}")

    def by_subset(self) -> dict[str, int]:
        """Return the number of each subset, by name."""
        return dict(zip(VALUES, (self.users, self.apps, self.categories), strict=True))


class _SubsetModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Subset(_SubsetModel):
    """Tasks with held-out values of one kind; episode ids are sorted by user and time.

    Attributes:
        held_out: User ids, packages or intent categories that the filtered training set does not have.
        wanted: Requested number of held-out values.
        test_suggestion: Tasks of that test whose value is held out.
        test_execution: Tasks of that test whose value is held out.
        note: How the values were chosen, or why they are fewer than requested.
    """

    held_out: tuple[str, ...]
    wanted: int
    test_suggestion: tuple[str, ...]
    test_execution: tuple[str, ...]
    note: str


class OutOfDomain(_SubsetModel):
    """Content of subsets.json: three test subsets, and the training set without their held-out values.

    Attributes:
        version: Version of the format.
        seed: Seed of the draw.
        subsets: "unseen_users", "unseen_apps", "unseen_intent_categories".
        train: Episode ids of the filtered training set by user and time; all of the training part if nothing
            is held out.
        train_episodes: Number of episodes of the whole training part.
    """

    version: Literal[2] = SUBSETS_VERSION
    seed: int
    subsets: dict[str, Subset]
    train: tuple[str, ...]
    train_episodes: int

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read subsets.json.

        Raises:
            DatasetError: The file is missing, broken, or of another version.
        """
        try:
            text = file.read_bytes()
        except OSError as error:
            raise DatasetError(
                f"expected the out-of-domain subsets, got {error.strerror or error}", file=file
            ) from error
        try:
            version = _SubsetsVersion.model_validate_json(text).version
            if version == SUBSETS_VERSION:
                return cls.model_validate_json(text)
        except ValidationError as error:
            fault = f"expected the out-of-domain subsets, got at {describe_fault(error)}"
            raise DatasetError(fault, file=file) from error
        remedy = "a newer fingertip-20k reads it" if version > SUBSETS_VERSION else "build the dataset again"
        raise DatasetError(
            f"expected out-of-domain subsets of version {SUBSETS_VERSION}, got version {version}: {remedy}",
            file=file,
        )

    def episodes(self, subset: str, split: str) -> tuple[str, ...]:
        """Return the episode ids of a split within a subset; with "train" the filtered training set.

        Args:
            subset: A name of `subsets`, or "without_unseen" with "train".
            split: "train", "test_suggestion" or "test_execution".

        Raises:
            UsageError: The subset is unknown, or it does not have the split.
        """
        if subset not in self.subsets and subset != WITHOUT_UNSEEN:
            names = ", ".join((*self.subsets, WITHOUT_UNSEEN))
            raise UsageError(f"expected a subset of {names}, got {subset!r}")
        splits = (TRAIN,) if subset == WITHOUT_UNSEEN else (TRAIN, *TESTS)
        if split not in splits:
            raise UsageError(f"expected split {' or '.join(splits)} with subset {subset}, got {split!r}")
        if split == TRAIN:
            return self.train
        tasks = self.subsets[subset]
        return tasks.test_suggestion if split == TEST_SUGGESTION else tasks.test_execution

    def unseen(self, intent: Intent) -> bool:
        """Whether an episode of any split has, or may have, a value that the filtered training set lacks."""
        return not all(
            _keeps(value_of(intent), self.subsets[name].held_out)
            for name, value_of in VALUES.items()
            if name in self.subsets
        )


class _SubsetsVersion(BaseModel):
    version: int = 1


def package(app: str) -> str:
    """Return the package of an app, without the activity that the release sometimes adds.

    >>> package("com.android.chrome/com.google.android.apps.chrome.Main")
    'com.android.chrome'
    """
    return app.partition("/")[0].strip()


VALUES: Mapping[str, Callable[[Intent], str | None]] = {
    "unseen_users": lambda intent: intent.user_id,
    "unseen_apps": lambda intent: package(intent.app) or None,
    "unseen_intent_categories": lambda intent: intent.category or None,
}
"""Subset -> function that returns an episode's value of that kind; None if unknown."""


def out_of_domain(
    intents: Iterable[Intent], plan: SplitPlan, *, seed: int = 0, counts: HeldOutCounts | None = None
) -> OutOfDomain:
    """Draw the three test subsets of A.6.1 and the filtered training set.

    Args:
        intents: Intents of every episode in the plan, in any order.
        plan: The split of every episode.
        seed: Seed of the draw.
        counts: Numbers of values to hold out; None for the paper's.
    """
    counts = counts or HeldOutCounts()
    ordered = sorted(intents, key=release_order)
    kinds = {
        name: _HeldOutKind(name, {intent.episode_id: value_of(intent) for intent in ordered}, plan, seed)
        for name, value_of in VALUES.items()
    }
    in_train = set(plan.episode_ids[TRAIN])
    train = tuple(intent.episode_id for intent in ordered if intent.episode_id in in_train)
    wanted = counts.by_subset()
    _draw(kinds, wanted, train)
    return OutOfDomain(
        seed=seed,
        subsets={name: kind.subset(wanted[name], plan, seed) for name, kind in kinds.items()},
        train=_without(train, kinds.values()),
        train_episodes=len(train),
    )


class _HeldOutKind:
    """State of one kind of values during the draw."""

    def __init__(self, name: str, values: Mapping[str, str | None], plan: SplitPlan, seed: int) -> None:
        """Sort the kind's values; `values` maps episode ids to values, by user and time."""
        self.values = values
        tested = [{values[episode_id] for episode_id in plan.episode_ids[part]} - {None} for part in TESTS]
        known = {values[episode_id] for part in (TRAIN, *TESTS) for episode_id in plan.episode_ids[part]}
        self.known = len(known - {None})
        both = set.intersection(*tested)
        self.tested = sorted(
            (value for value in set.union(*tested) if value),
            key=lambda value: (value not in both, draw_key(seed, f"{name}/{value}")),
        )
        self.held_out: set[str] = set()

    def keeps(self, episode_id: str) -> bool:
        """Whether this kind allows the episode in the filtered training set."""
        return _keeps(self.values[episode_id], self.held_out)

    def subset(self, wanted: int, plan: SplitPlan, seed: int) -> Subset:
        unseen = [episode_id for episode_id, value in self.values.items() if value in self.held_out]
        tests = {part: set(plan.episode_ids[part]) for part in TESTS}
        return Subset(
            held_out=tuple(sorted(self.held_out)),
            wanted=wanted,
            test_suggestion=tuple(one for one in unseen if one in tests[TEST_SUGGESTION]),
            test_execution=tuple(one for one in unseen if one in tests[TEST_EXECUTION]),
            note=self._note(wanted, seed),
        )

    def _note(self, wanted: int, seed: int) -> str:
        drawn = len(self.held_out)
        if not self.tested:
            return "nothing held out: no value is known for any test task"
        if self.known == 1:
            return "nothing held out: the data have a single value"
        note = f"{drawn} of the {len(self.tested)} values in the tests, drawn with seed {seed}"
        if drawn < wanted:
            share = f"{100 * KEPT:.0f} %"
            return f"{note}; {wanted} were requested, but more would leave less than {share} of the training"
        return note


def _keeps(value: str | None, held_out: Collection[str]) -> bool:
    """Whether the filtered training set may have a value; an unknown one only if nothing is held out."""
    return not held_out or (value is not None and value not in held_out)


def _draw(kinds: Mapping[str, _HeldOutKind], wanted: Mapping[str, int], train: tuple[str, ...]) -> None:
    """Hold out values, alternating between the kinds, as long as enough of the training part is left."""
    rounds = zip_longest(
        *([(kind, wanted[name], value) for value in kind.tested] for name, kind in kinds.items())
    )
    for candidates in rounds:
        for kind, count, value in filter(None, candidates):
            if len(kind.held_out) >= min(count, kind.known - 1):
                continue
            kind.held_out.add(value)
            if len(_without(train, kinds.values())) < KEPT * len(train):
                kind.held_out.discard(value)


def _without(train: tuple[str, ...], kinds: Iterable[_HeldOutKind]) -> tuple[str, ...]:
    """Return the training episodes without any held-out value."""
    kinds = tuple(kinds)
    return tuple(episode_id for episode_id in train if all(kind.keeps(episode_id) for kind in kinds))
