"""Figure 5: the match of each query, compared with an independent slow search."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from rapidfuzz import fuzz

from fingertip_analysis.statistics.action_similarity import (
    FEW_QUERIES,
    POOLS,
    SimilarIntent,
    choose_queries,
    find_matches,
    matches_table,
    means_table,
    pool_means,
)
from fingertip_analysis.statistics.statistics import EpisodeFacts
from fingertip_dataset.times import BEIJING

START = datetime(2025, 3, 10, 8, tzinfo=BEIJING)


def fact(user: str, hours: float, intent: str, **given: object) -> EpisodeFacts:
    time = START + timedelta(hours=hours)
    values = {
        "episode_id": f"{user}__{time:%Y%m%d_%H%M%S}",
        "user_id": user,
        "user_type": 1,
        "splits": ("train",),
        "time": time,
        "scenario": "住所",
        "scenario_category": "residence",
        "app": "com.a",
        "intent": intent,
        "category": None,
        "actions": ("wait()", "finished()"),
        "action_types": ("wait", "finished"),
    }
    return EpisodeFacts(**(values | given))  # type: ignore[arg-type]


def same_length(a: Sequence[str], b: Sequence[str]) -> float:
    return float(len(a) == len(b))


def found(matches: Sequence[SimilarIntent]) -> dict[str, str]:
    return {match.pool: match.reference.episode_id for match in matches}


def crowd(size: int) -> list[EpisodeFacts]:
    draw = random.Random(5)  # noqa: S311 - a sample, not a secret
    words = ["打开", "听歌", "导航", "回家", "闹钟", "外卖"]
    return [
        fact(
            str(draw.randrange(9)),
            number,
            "".join(draw.choices(words, k=draw.randrange(1, 5))),
            user_type=draw.choice([1, 2, None]),
            actions=("wait()",) * draw.randrange(4),
        )
        for number in range(size)
    ]


def slow(query: EpisodeFacts, facts: Sequence[EpisodeFacts]) -> dict[str, str]:
    best: dict[str, tuple[float, datetime, str]] = {}
    for other in facts:
        if not other.actions:
            continue
        if other.user_id == query.user_id:
            pool = POOLS[0] if other.time < query.time else None
        elif None in (other.user_type, query.user_type):
            pool = None
        else:
            pool = POOLS[1] if other.user_type == query.user_type else POOLS[2]
        rank = (fuzz.ratio(query.intent, other.intent), other.time, other.episode_id)
        if pool and (pool not in best or rank > best[pool]):
            best[pool] = rank
    return {pool: rank[2] for pool, rank in best.items()}


def test_every_pool_agrees_with_a_slow_search() -> None:
    facts = crowd(300)
    matches = find_matches(facts, facts, {"length": same_length})
    for query in facts:
        mine = [match for match in matches if match.query is query]
        assert found(mine) == slow(query, facts)
        for match in mine:
            assert match.values["length"] == same_length(query.actions, match.reference.actions)
            ratio = fuzz.ratio(query.intent, match.reference.intent) / 100
            assert match.intent_similarity == pytest.approx(ratio, abs=1e-4)


def test_a_query_never_matches_itself_or_later_episodes_of_the_user() -> None:
    query = fact("1", 1, "听歌")
    later = fact("1", 2, "听歌")
    assert find_matches([query, later], [query], {}) == ()
    assert found(find_matches([query, later], [later], {})) == {POOLS[0]: query.episode_id}


def test_among_equals_the_most_recent_matches() -> None:
    facts = [fact("1", hour, "听歌") for hour in (0, 5, 3)]
    assert found(find_matches(facts, [fact("1", 9, "听歌")], {})) == {POOLS[0]: facts[1].episode_id}


def test_queries_are_the_execution_test_or_a_seeded_sample() -> None:
    train = [fact("1", hour, "a") for hour in range(300)]
    tests = [fact("2", hour, "b", splits=("test_execution",)) for hour in range(FEW_QUERIES)]
    assert choose_queries([*train, *tests]).episodes == tuple(sorted(tests, key=lambda f: f.episode_id))
    assert choose_queries([*train, *tests]).method == "test_execution"
    drawn = choose_queries([*train, *tests[1:]], limit=20, seed=4)
    assert len({query.episode_id for query in drawn.episodes}) == 20
    assert drawn == choose_queries([*tests[1:], *reversed(train)], limit=20, seed=4)
    assert drawn.episodes != choose_queries([*train, *tests[1:]], limit=20, seed=5).episodes
    assert drawn.method == "20 of 349 episodes of all episodes, seed 4"


def test_means_count_those_without_a_match() -> None:
    facts = [fact("1", 0, "听歌"), fact("1", 1, "听歌"), fact("2", 2, "听歌听歌", user_type=2)]
    matches = find_matches(facts, facts, {"length": same_length})

    def interval(values: Sequence[float], users: Sequence[str]) -> SimpleNamespace:
        return SimpleNamespace(mean=sum(values) / len(values), low=min(values), high=len(set(users)))

    table = means_table(pool_means(matches, ("length",), interval), len(facts))
    assert {(line[0], line[1]): line[2:] for line in table.rows} == {
        (POOLS[0], "intent"): (1.0, 1.0, 1, 1, 1, 2),
        (POOLS[0], "length"): (1.0, 1.0, 1, 1, 1, 2),
        (POOLS[2], "intent"): (0.6667, 0.6667, 2, 3, 2, 0),
        (POOLS[2], "length"): (1.0, 1.0, 2, 3, 2, 0),
    }
    assert len(matches_table(matches, ("length",)).rows) == 4


def test_no_matches_give_an_empty_table() -> None:
    assert find_matches([], [], {}) == ()
    assert pool_means((), ("length",), lambda values, users: pytest.fail("asked for nothing")) == ()
