"""Distributions of intents: clusters by a slow average linkage, distances by brute-force assignment."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.intent_distribution import (
    IntentDistribution,
    IntentShare,
    cluster_intents,
    compute_distribution_cosine,
    select_around_hour,
    select_hour,
    sim1_between,
)
from fingertip_metrics.sim1_score import sim1
from tests.examples import examples

LEXICAL = get_embedder("lexical")
WORDS = ("听歌", "听音乐", "打开网易云听歌", "叫车", "打车回家", "点外卖", "点一份外卖", "看天气")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)
small = st.lists(st.sampled_from(WORDS), min_size=4, max_size=4)


def slow_clusters(given_texts: list[str], same: float) -> list[int]:
    """Sizes of the clusters by average linkage, the two nearest groups first."""
    vectors = LEXICAL.encode(given_texts).astype(float)
    groups = [[number] for number in range(len(given_texts))]
    while len(groups) > 1:
        nearness = {
            (a, b): np.mean([vectors[i] @ vectors[j] for i in groups[a] for j in groups[b]])
            for a, b in combinations(range(len(groups)), 2)
        }
        a, b = max(nearness, key=lambda pair: nearness[pair])
        if nearness[a, b] < same - 1e-9:
            break
        groups[a] += groups.pop(b)
    return sorted(map(len, groups))


@given(texts)
@settings(deadline=None, max_examples=examples(60), derandomize=True)  # ties may be parted either way
def test_clusters_are_those_of_a_slow_average_linkage(given_texts: list[str]) -> None:
    found = cluster_intents(given_texts, LEXICAL)
    assert sorted(share.n for share in found.shares) == slow_clusters(given_texts, 0.75)
    assert {share.text for share in found.shares} <= set(given_texts)
    assert sum(share.n for share in found.shares) == len(given_texts)


@given(small, small)
@settings(deadline=None, max_examples=examples(40))
def test_sim1_between_is_the_best_pairing(one: list[str], other: list[str]) -> None:
    """Four equally likely intents on each side: the best of the 24 pairings is the optimum."""
    values = {(a, b): sim1([a], [b], embedder=LEXICAL, protocol="paper").sim1 for a in one for b in other}
    best = max(
        sum(values[a, b] for a, b in zip(one, order, strict=True)) / 4 for order in permutations(other)
    )
    got = sim1_between(
        IntentDistribution.of([(text, 1) for text in one]),
        IntentDistribution.of([(text, 1) for text in other]),
        embedder=LEXICAL,
        protocol="paper",
    )
    assert got == pytest.approx(best, abs=1e-6)


def slow_vector(shares: list[tuple[str, float]]) -> list[float]:
    """The weighted sum of the embeddings, one number at a time."""
    rows = [(LEXICAL.encode([text])[0], weight) for text, weight in shares]
    return [sum(float(row[place]) * weight for row, weight in rows) for place in range(len(rows[0][0]))]


def slow_cosine(one: list[float], other: list[float]) -> float:
    lengths = sum(a * a for a in one) ** 0.5 * sum(b * b for b in other) ** 0.5
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths


@given(texts, texts)
@settings(deadline=None, max_examples=examples(30))
def test_the_cosine_of_two_distributions_is_that_of_their_weighted_sums(
    one: list[str], other: list[str]
) -> None:
    both = [IntentDistribution.of([(text, 1) for text in given_texts]) for given_texts in (one, other)]
    weighted = [[(share.text, share.probability) for share in found.shares] for found in both]
    expected = slow_cosine(*map(slow_vector, weighted))
    assert compute_distribution_cosine(*both, embedder=LEXICAL) == pytest.approx(expected, abs=1e-6)
    assert compute_distribution_cosine(both[0], both[0], embedder=LEXICAL) == pytest.approx(1, abs=1e-6)


def test_no_answer_has_the_vector_of_the_empty_text() -> None:
    actual = IntentDistribution.of([("听歌", 1)])
    assert compute_distribution_cosine(None, actual, embedder=LEXICAL) == 0


@given(st.lists(st.datetimes(datetime(2025, 3, 1), datetime(2025, 3, 30)), max_size=30))
def test_each_intent_is_of_one_of_the_24_clock_hours(times: list[datetime]) -> None:
    intents = [(time, time.isoformat()) for time in times]
    parted = [select_hour(intents, hour) for hour in range(24)]
    assert sorted(text for part in parted for text in part) == sorted(text for _, text in intents)
    assert all(f"T{hour:02}:" in text for hour, part in enumerate(parted) for text in part)


@given(st.floats(0, 24), st.floats(0.1, 24))
def test_the_window_crosses_midnight(hour: float, hours: float) -> None:
    start = datetime(2025, 3, 9)
    times = [start + timedelta(minutes=20 * number) for number in range(72)]
    got = select_around_hour([(time, time.isoformat()) for time in times], hour, hours=hours)
    turns = [hour - 24, hour, hour + 24]
    expected = [
        time.isoformat()
        for time in times
        if min(abs(time.hour + time.minute / 60 - turn) for turn in turns) <= hours / 2
    ]
    assert list(got) == expected


def test_intents_are_sorted_by_probability() -> None:
    found = IntentDistribution.of([("a", 1), ("b", 5), (" a ", 1), ("c", 3)])
    assert found.top(3) == ("b", "c", "a")
    assert found.top(9) == ("b", "c", "a")


@pytest.mark.parametrize(
    ("weighted", "words"),
    [
        ([], "expected at least one intent"),
        ([("a", 0)], "expected a positive weight for 'a', got 0"),
        ([("a", float("nan"))], "expected a positive weight"),
        ([(" ", 1)], "expected an intent with a probability"),
    ],
)
def test_invalid_distributions_are_refused(weighted: list[tuple[str, float]], words: str) -> None:
    with pytest.raises(MetricInputError, match=words):
        IntentDistribution.of(weighted)


def test_probabilities_must_sum_to_one() -> None:
    with pytest.raises(MetricInputError, match=r"sum to 1, got 0\.9"):
        IntentDistribution(shares=(IntentShare(text="a", probability=0.9),))


def test_no_intents_and_no_hour_are_refused() -> None:
    with pytest.raises(MetricInputError, match="expected 1 to 2000 intents"):
        cluster_intents([], LEXICAL)
    with pytest.raises(MetricInputError, match="expected an hour of 0-24"):
        select_around_hour([], 25)
    with pytest.raises(MetricInputError, match="expected an hour of 0-23, got 24"):
        select_hour([], 24)
