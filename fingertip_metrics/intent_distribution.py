"""A person's intents as a distribution (the paper's A.6.5), and the similarity of two distributions.

Intents at a given hour vary from day to day, so they are described by several texts with probabilities.

Method of A.6.5:

- The intents of a user are grouped by the 24 clock hours, 12:00 to 13:00 and so on (`select_hour`).
- The intents of one hour are embedded and clustered by distance. A cluster counts as one intent; its
  probability is its share of the hour's intents (`cluster_intents`).
- Sim_1 is the cosine of the embedding vectors of the predicted and the true distribution
  (`compute_distribution_cosine`).

Conventions of ours, which A.6.5 does not specify:

- Linkage and threshold: average linkage merges two groups while their mean cosine is at least `SAME_INTENT`.
- A cluster is named by its medoid, the member nearest to all others.
- The embedding vector of a distribution is the probability-weighted sum of its intents' embeddings; a
  person's distribution uses the embeddings of the clusters' medoids. Nothing is rounded; the cosine is raw.

`sim1_between` is a different measure, which is not in the paper: the maximum expected Sim_1 over all
couplings of the two distributions (optimal transport). It is 1 for two equal distributions, and equals Sim_1
if both have a single intent. `select_around_hour` has half an hour before and after a time, not a clock
hour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MetricInputError, MissingExtraError
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.similarity import text_similarity

SAME_INTENT = 0.75
"""Minimum mean cosine at which two groups of intents are merged; A.6.5 gives no value."""

HOURS = 24
"""Number of periods of a day (A.6.5)."""

MAX_INTENTS = 2000
"""Maximum number of intents in one distribution; clustering compares all pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentShare:
    """An intent of a distribution.

    Attributes:
        text: Text of the intent; the medoid of a cluster.
        probability: Probability, above 0 and at most 1.
        n: Number of intents in the cluster; 1 if the agent states the probability itself.
    """

    text: str
    probability: float
    n: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentDistribution:
    """Intents with probabilities that sum to 1, the most probable first.

    Raises:
        MetricInputError: No intent, a blank intent, or probabilities that do not sum to 1.
    """

    shares: tuple[IntentShare, ...]

    def __post_init__(self) -> None:
        if not self.shares:
            raise MetricInputError("expected at least one intent in a distribution, got none")
        for share in self.shares:
            if not share.text.strip() or not 0 < share.probability <= 1 + 1e-9:
                raise MetricInputError(
                    f"expected an intent with a probability above 0 and at most 1, got {share.text[:40]!r} "
                    f"with {share.probability}"
                )
        total = math.fsum(share.probability for share in self.shares)
        if abs(total - 1) > 1e-6:
            raise MetricInputError(f"expected probabilities that sum to 1, got {total:.6f}")

    @classmethod
    def of(cls, weighted: Sequence[tuple[str, float]]) -> IntentDistribution:
        """Build from intents with positive weights: equal texts are merged and the weights normalized.

        Raises:
            MetricInputError: No intent, or a weight that is not a positive number.

        >>> [share.probability for share in IntentDistribution.of([("听歌", 3), ("打车", 1)]).shares]
        [0.75, 0.25]
        """
        merged: dict[str, float] = {}
        for text, weight in weighted:
            if not (math.isfinite(weight) and weight > 0):
                raise MetricInputError(f"expected a positive weight for {text[:40]!r}, got {weight}")
            merged[text.strip()] = merged.get(text.strip(), 0.0) + weight
        total = math.fsum(merged.values())
        shares = [IntentShare(text=text, probability=weight / total) for text, weight in merged.items()]
        return cls(shares=tuple(sorted(shares, key=lambda share: -share.probability)))

    def top(self, count: int) -> tuple[str, ...]:
        """The most probable intents, at most `count`, for the top-3 SR_1 of A.6.5."""
        return tuple(share.text for share in self.shares[:count])


def select_hour(intents: Sequence[tuple[datetime, str]], hour: int) -> tuple[str, ...]:
    """Texts of the intents of one clock hour (A.6.5), in input order.

    Args:
        intents: Time in the person's own time zone, and text, of each intent.
        hour: Clock hour, 0 to 23; 12 covers 12:00:00 to 12:59:59.

    Raises:
        MetricInputError: An hour outside 0-23.

    >>> early, late = datetime(2025, 3, 9, 11, 59), datetime(2025, 3, 9, 12, 0)
    >>> select_hour([(early, "关灯"), (late, "点外卖")], 12)
    ('点外卖',)
    """
    if not 0 <= hour < HOURS:
        raise MetricInputError(f"expected an hour of 0-23, got {hour}")
    return tuple(text for time, text in intents if time.hour == hour)


def select_around_hour(
    intents: Sequence[tuple[datetime, str]], hour: float, *, hours: float = 1.0
) -> tuple[str, ...]:
    """Texts of the intents in a window around an hour of the day, which may cross midnight, in input order.

    Args:
        intents: Time and text of each intent.
        hour: Centre of the window, 0-24.
        hours: Width of the window, hours; 24 covers the whole day.

    Raises:
        MetricInputError: An hour outside 0-24, or a width that is not above 0 and at most 24.

    >>> early, late = datetime(2025, 3, 9, 0, 10), datetime(2025, 3, 9, 12, 0)
    >>> select_around_hour([(early, "关灯"), (late, "点外卖")], 23.9)
    ('关灯',)
    """
    if not 0 <= hour <= 24 or not 0 < hours <= 24:
        raise MetricInputError(f"expected an hour of 0-24 and a width up to 24, got {hour} and {hours}")
    return tuple(text for time, text in intents if _measure_distance(time, hour) <= hours / 2)


def cluster_intents(
    texts: Sequence[str], embedder: Embedder, *, same: float = SAME_INTENT
) -> IntentDistribution:
    """Cluster intents by their embeddings; the clusters' shares are the distribution.

    Args:
        texts: Texts of the intents, at least one.
        embedder: Embedder, from `get_embedder`.
        same: Minimum mean cosine at which two groups are merged, -1 to 1.

    Raises:
        MetricInputError: No text, more than `MAX_INTENTS` texts, or a blank one.
        MissingExtraError: scikit-learn is not installed.

    >>> from fingertip_metrics.embedders import get_embedder
    >>> found = cluster_intents(["打开网易云听歌", "打开网易云听歌曲", "叫车回家"], get_embedder("lexical"))
    >>> [(share.text, round(share.probability, 2)) for share in found.shares]
    [('打开网易云听歌', 0.67), ('叫车回家', 0.33)]
    """
    if not 1 <= len(texts) <= MAX_INTENTS or not all(text.strip() for text in texts):
        raise MetricInputError(f"expected 1 to {MAX_INTENTS} intents, none of them blank, got {len(texts)}")
    vectors = embedder.encode(texts).astype(np.float64)
    alike = np.clip(vectors @ vectors.T, -1, 1)
    labels = _merge_linked(alike, same)
    shares = [_cluster(texts, alike, np.flatnonzero(labels == label)) for label in dict.fromkeys(labels)]
    return IntentDistribution(shares=tuple(sorted(shares, key=lambda share: -share.n)))


def _embed_distribution(distribution: IntentDistribution, embedder: Embedder) -> NDArray[np.float64]:
    """Embedding vector of a distribution: the probability-weighted sum of its intents' embeddings.

    Args:
        distribution: Distribution over n intents.
        embedder: Embedder, from `get_embedder`; its vectors have norm 1.

    Returns:
        Vector (d,) of the embedder's dimension, with a norm of at most 1.
    """
    vectors = embedder.encode([share.text for share in distribution.shares]).astype(np.float64)
    weights = np.array([share.probability for share in distribution.shares])
    vector: NDArray[np.float64] = weights @ vectors
    return vector


def compute_distribution_cosine(
    predicted: IntentDistribution | None, actual: IntentDistribution, *, embedder: Embedder
) -> float:
    """Sim_1 of A.6.5: the cosine of the embedding vectors of two distributions.

    Args:
        predicted: The agent's distribution; None for no answer, which has the embedding of the empty text.
        actual: The person's distribution.
        embedder: Embedder, from `get_embedder`.

    Returns:
        Cosine, -1 to 1; 0 if one of the vectors is zero.

    >>> from fingertip_metrics.embedders import get_embedder
    >>> one = IntentDistribution.of([("听歌", 3), ("叫车回家", 1)])
    >>> round(compute_distribution_cosine(one, one, embedder=get_embedder("lexical")), 6)
    1.0
    """
    if predicted is None:
        first: NDArray[np.float64] = embedder.encode([""])[0].astype(np.float64)
    else:
        first = _embed_distribution(predicted, embedder)
    second = _embed_distribution(actual, embedder)
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.clip(first @ second / lengths, -1, 1)) if lengths > 0 else 0.0


def sim1_between(
    predicted: IntentDistribution,
    actual: IntentDistribution,
    *,
    embedder: Embedder,
    protocol: str = "release",
) -> float:
    """Optimal-transport variant of Sim_1 (not in the paper): maximum expected Sim_1 over all couplings.

    Args:
        predicted: The agent's distribution.
        actual: The person's distribution.
        embedder: Embedder, from `get_embedder`.
        protocol: "release" or "paper": selects the text similarity; nothing is rounded here.

    Raises:
        MissingExtraError: scipy (a dependency of scikit-learn) is not installed.
        UsageError: Unknown protocol.

    >>> from fingertip_metrics.embedders import get_embedder
    >>> one = IntentDistribution.of([("打开网易云听歌", 3), ("叫车回家", 1)])
    >>> round(sim1_between(one, one, embedder=get_embedder("lexical")), 6)
    1.0
    """
    method = get_protocol(protocol).similarity
    predicted_texts, true = [s.text for s in predicted.shares], [s.text for s in actual.shares]
    cosine = embedder.encode(predicted_texts).astype(np.float64) @ embedder.encode(true).astype(np.float64).T
    ratio = np.array([[text_similarity(one, other, method) for one in true] for other in predicted_texts])
    alike = (ratio + cosine) / 2
    given, lived = (np.array([s.probability for s in one.shares]) for one in (predicted, actual))
    if 1 in alike.shape:
        # a single text has only one coupling
        return float(given @ alike @ lived)
    try:
        from scipy.optimize import linprog
    except ImportError:
        raise MissingExtraError("scipy", "lexical") from None
    weights = np.concatenate([given, lived])
    rows = np.kron(np.eye(len(predicted_texts)), np.ones(len(true)))
    columns = np.tile(np.eye(len(true)), len(predicted_texts))
    # the last equation follows from the others and is dropped; rounding could make it contradict them
    found = linprog(-alike.ravel(), A_eq=np.vstack([rows, columns])[:-1], b_eq=weights[:-1], bounds=(0, None))
    return float(-found.fun)


def _measure_distance(time: datetime, hour: float) -> float:
    """Distance between a time of day and an hour on the 24-hour circle, hours."""
    gap = abs(time.hour + time.minute / 60 + time.second / 3600 - hour) % 24
    return min(gap, 24 - gap)


def _merge_linked(alike: NDArray[np.float64], same: float) -> NDArray[np.int64]:
    """Cluster label of each intent, by average linkage while the mean cosine is at least `same`."""
    try:
        from sklearn.cluster import AgglomerativeClustering
    except ImportError:
        raise MissingExtraError("scikit-learn", "lexical") from None
    if len(alike) == 1:
        return np.zeros(1, dtype=np.int64)
    # the tolerance keeps pairs together whose cosine equals `same` up to rounding
    model = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=1 - same + 1e-9
    )
    labels: NDArray[np.int64] = model.fit_predict(1 - alike)
    return labels


def _cluster(texts: Sequence[str], alike: NDArray[np.float64], members: NDArray[np.int64]) -> IntentShare:
    # rounded, because equal sums differ in the last digits by the order of their terms
    nearness = np.round(alike[np.ix_(members, members)].sum(axis=1), 7)
    medoid = texts[int(members[int(nearness.argmax())])].strip()
    return IntentShare(text=medoid, probability=len(members) / len(texts), n=len(members))
