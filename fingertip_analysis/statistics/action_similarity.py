"""Similarity of action sequences of similar intents: figure 5 of the paper, and our larger variant of it.

For each query episode, finds the most similar intent in each of three pools: the same user's earlier
episodes, other users of the same type, users of another type. Then compares the two action sequences. The
sequence measure and the interval are parameters, because they belong to the metrics.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fingertip_analysis.statistics.statistics import EpisodeFacts, StatisticsTable
from fingertip_dataset.split_names import TEST_EXECUTION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAPER_POOLS = ("same user", "same type, other users", "another type")
"""Pools of the paper's figure 5, which does not restrict the time; the query itself is in none."""

POOLS = ("same user, earlier", "same type, other users", "another type")
"""Names of the pools that a query is compared with, in the tables and the figure."""

INTENT = "intent"
"""Name of the measure that compares the two intents instead of the actions."""

FEW_QUERIES = 50
"""Minimum number of execution-test episodes; with fewer, the queries are drawn from all episodes."""

BLOCK = 64
"""Queries compared per batch: at 20,000 episodes, 5 MB of similarities."""

SimilarityFunction = Callable[[Sequence[str], Sequence[str]], float]
"""Similarity of two action sequences, 0-1."""


class SimilarityInterval(Protocol):
    """A mean with its interval, as the metrics' bootstrap returns it; without ends for a single user."""

    @property
    def mean(self) -> float: ...  # noqa: D102
    @property
    def low(self) -> float | None: ...  # noqa: D102
    @property
    def high(self) -> float | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """The query episodes, and in words how they were chosen."""

    method: str
    episodes: tuple[EpisodeFacts, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarIntent:
    """The most similar intent of one pool to one query.

    Attributes:
        intent_similarity: 0-1, rapidfuzz ratio of the two intents.
        values: Name of a measure -> similarity of the two action sequences, 0-1.
    """

    query: EpisodeFacts
    pool: str
    reference: EpisodeFacts
    intent_similarity: float
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolMean:
    """Mean of one measure in one pool with its interval, and the numbers of queries and users behind it."""

    pool: str
    measure: str
    mean: float
    low: float | None
    high: float | None
    queries: int
    users: int


def choose_queries(facts: Sequence[EpisodeFacts], *, limit: int = 200, seed: int = 0) -> Queries:
    """The execution-test episodes; if there are fewer than `FEW_QUERIES`, a seeded sample of all.

    Args:
        facts: Every episode; those without an action are left out.
        limit: Maximum number of queries.
        seed: Seed of the sample.
    """
    eligible = sorted((fact for fact in facts if fact.actions), key=lambda fact: fact.episode_id)
    method, pool = TEST_EXECUTION, [fact for fact in eligible if TEST_EXECUTION in fact.splits]
    if len(pool) < FEW_QUERIES:
        method, pool = "all episodes", eligible
    if len(pool) > limit:
        method = f"{limit} of {len(pool)} episodes of {method}, seed {seed}"
        pool = random.Random(seed).sample(pool, limit)  # noqa: S311 - a sample, not a secret
    return Queries(method=method, episodes=tuple(pool))


def one_of_each_category(facts: Sequence[EpisodeFacts], *, seed: int = 0) -> Queries:
    """The queries of figure 5 by section 4.4: a random episode of each intent category.

    Args:
        facts: Every episode; those without an action or a category are left out.
        seed: Seed of the draw. Each category is drawn independently of the others.
    """
    members: dict[str, list[EpisodeFacts]] = {}
    for fact in sorted(facts, key=lambda fact: fact.episode_id):
        if fact.actions and fact.category:
            members.setdefault(fact.category, []).append(fact)
    drawn = tuple(
        random.Random(f"{seed}/{category}").choice(members[category])  # noqa: S311 - a sample, not a secret
        for category in sorted(members)
    )
    return Queries(
        method=f"one episode of each of {len(drawn)} intent categories, seed {seed}", episodes=drawn
    )


def find_matches(
    facts: Sequence[EpisodeFacts],
    queries: Sequence[EpisodeFacts],
    measures: Mapping[str, SimilarityFunction],
    *,
    pools: tuple[str, str, str] = POOLS,
) -> tuple[SimilarIntent, ...]:
    """The best match of every query in every pool that has one; among equals, the most recent one.

    Args:
        facts: Every episode; those without an action cannot be a match.
        queries: The query episodes.
        measures: Name -> similarity of two action sequences, 0-1.
        pools: `POOLS`, or `PAPER_POOLS`, in which later episodes of the same user count, too.
    """
    import numpy as np
    from rapidfuzz import fuzz, process

    others = sorted(
        (fact for fact in facts if fact.actions), key=lambda fact: (fact.time, fact.episode_id), reverse=True
    )
    members = _Pools(others, pools)
    matches = []
    for start in range(0, len(queries), BLOCK):
        block = queries[start : start + BLOCK]
        scores = process.cdist(
            [query.intent for query in block],
            [fact.intent for fact in others],
            scorer=fuzz.ratio,
            dtype=np.float32,
        )
        for query, row in zip(block, scores, strict=True):
            matches += [
                SimilarIntent(
                    query=query,
                    pool=pool,
                    reference=others[best],
                    intent_similarity=round(float(row[best]) / 100, 4),
                    values={
                        name: measure(query.actions, others[best].actions)
                        for name, measure in measures.items()
                    },
                )
                for pool, best in members.best(query, row)
            ]
    return tuple(matches)


class _Pools:
    """Membership of episodes in the pools of a query, as boolean masks over the episodes."""

    def __init__(self, others: Sequence[EpisodeFacts], names: tuple[str, str, str]) -> None:
        import numpy as np

        self._names = names
        self._ids = np.array([fact.episode_id for fact in others], dtype=object)
        self._users = np.array([fact.user_id for fact in others], dtype=object)
        self._types = np.array([fact.user_type or 0 for fact in others], dtype=np.int8)
        self._times = np.array([fact.time.timestamp() for fact in others])

    def best(self, query: EpisodeFacts, scores: NDArray[np.float32]) -> list[tuple[str, int]]:
        """(pool, index of its highest score) of each pool that is not empty; among equals, the first."""
        import numpy as np

        same_user = self._users == query.user_id
        typed = np.full(len(self._users), query.user_type is not None) & (self._types > 0) & ~same_user
        same_type = self._types == (query.user_type or 0)
        if self._names == POOLS:
            own = same_user & (self._times < query.time.timestamp())
        else:
            own = same_user & (self._ids != query.episode_id)
        masks = (
            own,
            typed & same_type,
            typed & ~same_type,
        )
        return [
            (pool, int(np.where(mask, scores, -1).argmax()))
            for pool, mask in zip(self._names, masks, strict=True)
            if mask.any()
        ]


def pool_means(
    matches: Sequence[SimilarIntent],
    measures: Sequence[str],
    interval: Callable[[Sequence[float], Sequence[str]], SimilarityInterval],
) -> tuple[PoolMean, ...]:
    """Mean similarity with its interval in each pool: of the intents, and of the sequences by each measure.

    Args:
        matches: From `find_matches`.
        measures: Names of the measures.
        interval: (values, users) -> mean with its interval, by bootstrap over the users.
    """
    means = []
    for pool in POOLS:
        found = [match for match in matches if match.pool == pool]
        users = [match.query.user_id for match in found]
        for measure in (INTENT, *measures) if found else ():
            values = [
                match.intent_similarity if measure == INTENT else match.values[measure] for match in found
            ]
            mean = interval(values, users)
            means.append(
                PoolMean(
                    pool=pool,
                    measure=measure,
                    mean=mean.mean,
                    low=mean.low,
                    high=mean.high,
                    queries=len(found),
                    users=len(set(users)),
                )
            )
    return tuple(means)


def means_table(means: Sequence[PoolMean], queries: int) -> StatisticsTable:
    """A row per pool and measure; `without_match` is the number of `queries` without a match in the pool."""
    columns = ("pool", "measure", "mean", "low", "high", "queries", "users", "without_match")
    rows = tuple(
        (
            mean.pool,
            mean.measure,
            *(value if value is None else round(value, 4) for value in (mean.mean, mean.low, mean.high)),
            mean.queries,
            mean.users,
            queries - mean.queries,
        )
        for mean in means
    )
    return StatisticsTable(name="action_similarity", columns=columns, rows=rows)


def matches_table(matches: Sequence[SimilarIntent], measures: Sequence[str]) -> StatisticsTable:
    """Every match behind the means: a row per query and pool."""
    columns = ("episode_id", "user_id", "pool", "reference_episode_id", "intent_similarity", *measures)
    rows = tuple(
        (
            match.query.episode_id,
            match.query.user_id,
            match.pool,
            match.reference.episode_id,
            match.intent_similarity,
            *(round(match.values[name], 4) for name in measures),
        )
        for match in matches
    )
    return StatisticsTable(name="action_similarity_matches", columns=columns, rows=rows)
