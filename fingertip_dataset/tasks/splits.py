"""Splits of a dataset: by the official tables, or by the paper's rule for data without tables.

Protocol choices. The release's: the tables train_set, test_suggestion and test_execution define the splits,
an episode may be in both tests (172 are), there is a small table sampled_test_execution, and there is no
validation table. The paper's: a validation part whose size is exactly the remainder of the other three
(table 7); rule A.5, by which tests are drawn at random from each user's last 20 % in proportion to the user's
share of all data, every user covered, and the training part in the same way from the first 60 %. Ours, where
the two are silent: `vali` is every kept episode in none of the other tables, or the table vali.csv if a later
release has one; an episode in the training table and in a test table belongs to the test (`read_tables`
reports it); the rounding in rule A.5 (see `split_by_rule`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fingertip_dataset import paper_facts
from fingertip_dataset.episodes import Intent
from fingertip_dataset.release.tables.index_tables import Tables
from fingertip_dataset.split_names import (
    FURTHER_TESTS,
    SPLITS,
    TEST_EXECUTION,
    TEST_SUGGESTION,
    TESTS,
    TRAIN,
    VALI,
)
from fingertip_dataset.tasks.history import release_order

if TYPE_CHECKING:
    from fingertip_dataset.release.read_release import Release

PAPER_EPISODES = paper_facts.EPISODES
"""Number of episodes in the paper (section 1); the public release has 20,000."""

PAPER_TABLE_7: Mapping[str, int] = {
    split: counts["episodes"] for split, counts in paper_facts.TABLE_7.items()
}
"""Number of episodes of each split in the paper's table 7; the splits of the public release differ."""

PUBLIC_RELEASE = {
    TEST_SUGGESTION: {"episodes": 996},
    TEST_EXECUTION: {"episodes": 200},
    "both tests": {"episodes": 172},
    "all": {"episodes": 20_000, "users": 83, "apps": 482},
}
"""Counts from the index tables of the public release: distinct (user_id, time) keys, apps by `app` id."""

RULE_A5_CONTRADICTION = (
    "The paper's table 7 gives 16,000 of 21,437 episodes (74.6 %) to the training part, "
    "and its rule A.5 draws that part from each user's first 60 %: both cannot hold. "
    "Here the training part is all of the first 60 %, the largest that the rule allows."
)
"""Note on why a split by rule A.5 does not have the proportions of table 7."""

OFFICIAL = "official tables"
RULE_A5 = "rule A.5"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPlan:
    """Assignment of episodes to splits.

    Attributes:
        method: "official tables" or "rule A.5".
        seed: Seed of the draw; the official tables ignore it.
        episode_ids: Split -> its episode ids by user and time, for every name of `SPLITS`, and for those of
            `FURTHER_TESTS` whose table the release has. The tests may share episodes, no other two
            splits do.
        vali_table: Whether `vali` is a table of the release, and not the remainder.
    """

    method: str
    seed: int
    episode_ids: Mapping[str, tuple[str, ...]]
    vali_table: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the splits."""
        return tuple(self.episode_ids)


def split_release(release: Release, *, seed: int = 0) -> SplitPlan:
    """Split by the official tables if one of a split exists, otherwise by rule A.5."""
    intents = [episode.intent for episode in release.episodes]
    tables = release.tables
    if tables is None or all(getattr(tables, name) is None for name in SPLITS):
        return split_by_rule(intents, seed=seed)
    return split_by_tables(intents, tables, seed=seed)


def split_by_tables(intents: Iterable[Intent], tables: Tables, *, seed: int = 0) -> SplitPlan:
    """Split the kept episodes by the official tables.

    Args:
        intents: Intents of the kept episodes, in any order.
        tables: The official tables as `read_tables` returns them, with test episodes removed from the
            training table; the split of a missing table stays empty. With a table vali.csv
            an episode in no table of a split is in no split.
        seed: Recorded in the plan, otherwise unused.
    """
    vali_table = tables.has(VALI)
    further = tuple(name for name in FURTHER_TESTS if tables.has(name))
    rows = {
        name: getattr(tables, name) or {}
        for name in (TRAIN, *([VALI] if vali_table else ()), *TESTS, *further)
    }
    parts: dict[str, list[str]] = {name: [] for name in (*SPLITS, *further)}
    for intent in sorted(intents, key=release_order):
        names = [name for name, table in rows.items() if intent.episode_id in table]
        # an episode may be in several tests; without a table of validation one in no table is for it
        for name in names or ([] if vali_table else [VALI]):
            parts[name].append(intent.episode_id)
    episode_ids = {name: tuple(part) for name, part in parts.items()}
    return SplitPlan(method=OFFICIAL, seed=seed, episode_ids=episode_ids, vali_table=vali_table)


def split_by_rule(intents: Iterable[Intent], *, seed: int = 0) -> SplitPlan:
    """Split by rule A.5, for data without tables.

    All of the first floor(0.6 n) of a user's n episodes in order of time are the training part (see
    `RULE_A5_CONTRADICTION`). Tests come from the last max(1, floor(0.2 n)), so that a user with one episode
    is tested on it. A test has the paper's share of all episodes (1,000 and 200 of 21,437), rounded half up,
    and at least one episode per user; `apportion` divides it among the users. The remainder is `vali`. Every
    training episode of a user is earlier than that user's tests.

    Both tests follow one random order of a user's tail, so that the execution test lies within the suggestion
    test. By the sums of table 7 the paper's tests share 174 of 200 (inferred); two independent draws would
    share 23 %.

    The order depends only on the seed and the episode ids, not on the order of the input or on other users.

    Args:
        intents: Intents of the kept episodes, in any order.
        seed: Seed of the draw.
    """
    users: dict[str, list[Intent]] = {}
    for intent in sorted(intents, key=release_order):
        users.setdefault(intent.user_id, []).append(intent)
    sizes = {user: len(own) for user, own in users.items()}
    seats = {name: apportion(_test_size(name, sizes), sizes) for name in TESTS}
    parts: dict[str, tuple[str, ...]] = dict.fromkeys(SPLITS, ())
    for user, own in users.items():
        ids = [intent.episode_id for intent in own]
        # integer division: 0.6 * n in floats may fall below a whole number
        head, tail = ids[: 3 * len(ids) // 5], ids[-max(1, len(ids) // 5) :]
        drawn = sorted(tail, key=lambda episode_id: draw_key(seed, episode_id))
        chosen = {name: frozenset(drawn[: seats[name][user]]) for name in seats}
        rest = frozenset(ids).difference(head, *chosen.values())
        for name, members in {TRAIN: frozenset(head), VALI: rest, **chosen}.items():
            parts[name] += tuple(episode_id for episode_id in ids if episode_id in members)
    return SplitPlan(method=RULE_A5, seed=seed, episode_ids=parts)


def apportion(seats: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Divide the seats of a test among users in proportion to their episodes, at least one per user.

    A user whose proportion is below one seat gets one; the others share the rest by largest remainder. Of two
    equal remainders the first in `sizes` gets the seat.

    Args:
        seats: Number of episodes of the test, at least the number of users.
        sizes: user_id -> number of episodes, at least 1.

    >>> apportion(10, {"a": 70, "b": 29, "c": 1})
    {'a': 6, 'b': 3, 'c': 1}
    """
    small: set[str] = set()
    while True:
        pool = {user: size for user, size in sizes.items() if user not in small}
        left, total = seats - len(small), sum(pool.values())
        below = {user for user, size in pool.items() if left * size < total}
        if not below:
            break
        small |= below
    shares = {user: divmod(left * size, total) for user, size in pool.items()}
    whole = {user: share for user, (share, _) in shares.items()}
    by_remainder = sorted(pool, key=lambda user: -shares[user][1])
    extra = frozenset(by_remainder[: left - sum(whole.values())])
    return {user: 1 if user in small else whole[user] + (user in extra) for user in sizes}


def _test_size(name: str, sizes: Mapping[str, int]) -> int:
    """Size of a test: the paper's share of all episodes, rounded half up, but at least one per user."""
    share = (2 * PAPER_TABLE_7[name] * sum(sizes.values()) + PAPER_EPISODES) // (2 * PAPER_EPISODES)
    return max(len(sizes), share)


def draw_key(seed: int, name: str) -> bytes:
    """Return a sort key for a random order, the same on every machine and independent of other items."""
    return hashlib.sha256(f"{seed}/{name}".encode("utf-8", "surrogatepass")).digest()
