"""A person's intents as a distribution (the paper's A.6.5), and how near two distributions are.

What a person wants between eight and nine is not one sentence but several, some likelier than others.

As A.6.5 writes it:

- The intents of a user are parted by the 24 clock hours of the day, 12:00 to 13:00 and so on (`of_hour`).
- Those of one hour are embedded and clustered by distance; a cluster counts as one intent, and its share of
  the hour's intents is its probability (`cluster_intents`).
- Sim_1 is the cosine of the embedding vector of the predicted distribution and that of the true one
  (`distribution_cosine`).

Where A.6.5 is silent, these conventions are ours:

- Linkage and threshold: average linkage joins two groups while their mean cosine is at least `SAME_INTENT`.
- A cluster is named by its medoid, the member nearest to all others.
- The embedding vector of a distribution is the sum of its intents' embeddings, each times its probability;
  of a person's that is of the clusters' medoids. Nothing is rounded, and the cosine is the raw one.

`sim1_between` is another measure, and not the paper's: the greatest expected Sim_1 over all ways to pair the
two (optimal transport). It is 1 for two equal distributions, and Sim_1 itself where both are one intent.
`around_hour` is its window: half an hour before and after the moment, not a clock hour.
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
"""Mean cosine from which two groups of intents are one cluster; A.6.5 names no number."""

HOURS = 24
"""Periods of a day: A.6.5."""

MAX_INTENTS = 2000
"""Most intents of one distribution: all pairs are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentShare:
    """One intent of a distribution.

    Attributes:
        text: The intent; for a cluster its medoid.
        probability: Above 0, at most 1.
        n: Intents in the cluster; 1 if the agent gives the probability itself.
    """

    text: str
    probability: float
    n: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentDistribution:
    """Intents with their probabilities, the likeliest first; they sum to 1.

    Raises:
        MetricInputError: There is none, one is blank, or the probabilities do not sum to 1.
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
        """From intents with any positive weights: equal texts are one, and the weights are made to sum to 1.

        Raises:
            MetricInputError: There is none, or a weight is not a positive number.

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
        """The likeliest intents, at most `count`, for the top-3 SR_1 of A.6.5."""
        return tuple(share.text for share in self.shares[:count])


def of_hour(intents: Sequence[tuple[datetime, str]], hour: int) -> tuple[str, ...]:
    """The texts of the intents of one clock hour, in their order: A.6.5.

    Args:
        intents: When, in the person's own time zone, and what.
        hour: 0 to 23; 12 takes 12:00:00 to 12:59:59.

    Raises:
        MetricInputError: The day has no such hour.

    >>> early, late = datetime(2025, 3, 9, 11, 59), datetime(2025, 3, 9, 12, 0)
    >>> of_hour([(early, "关灯"), (late, "点外卖")], 12)
    ('点外卖',)
    """
    if not 0 <= hour < HOURS:
        raise MetricInputError(f"expected an hour of 0-23, got {hour}")
    return tuple(text for time, text in intents if time.hour == hour)


def around_hour(
    intents: Sequence[tuple[datetime, str]], hour: float, *, hours: float = 1.0
) -> tuple[str, ...]:
    """The texts of the intents whose time of the day lies around an hour, over midnight, in their order.

    Args:
        intents: When, and what.
        hour: Middle of the window, 0-24.
        hours: Its width; 24 takes all.

    Raises:
        MetricInputError: An hour or width that is none.

    >>> early, late = datetime(2025, 3, 9, 0, 10), datetime(2025, 3, 9, 12, 0)
    >>> around_hour([(early, "关灯"), (late, "点外卖")], 23.9)
    ('关灯',)
    """
    if not 0 <= hour <= 24 or not 0 < hours <= 24:
        raise MetricInputError(f"expected an hour of 0-24 and a width up to 24, got {hour} and {hours}")
    return tuple(text for time, text in intents if _apart(time, hour) <= hours / 2)


def cluster_intents(
    texts: Sequence[str], embedder: Embedder, *, same: float = SAME_INTENT
) -> IntentDistribution:
    """Intents as a distribution over clusters of their embeddings.

    Args:
        texts: At least one.
        embedder: From `get_embedder`.
        same: Mean cosine from which two groups are one, -1 to 1.

    Raises:
        MetricInputError: No text, more than `MAX_INTENTS`, or a blank one.
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
    labels = _linked(alike, same)
    shares = [_cluster(texts, alike, np.flatnonzero(labels == label)) for label in dict.fromkeys(labels)]
    return IntentDistribution(shares=tuple(sorted(shares, key=lambda share: -share.n)))


def _distribution_vector(distribution: IntentDistribution, embedder: Embedder) -> NDArray[np.float64]:
    """The embedding vector of a distribution: its intents' embeddings, each times its probability, summed.

    Args:
        distribution: Distribution over n intents.
        embedder: From `get_embedder`; its vectors have length 1.

    Returns:
        As long as the embedder's vectors; its own length is at most 1.
    """
    vectors = embedder.encode([share.text for share in distribution.shares]).astype(np.float64)
    weights = np.array([share.probability for share in distribution.shares])
    vector: NDArray[np.float64] = weights @ vectors
    return vector


def distribution_cosine(
    predicted: IntentDistribution | None, actual: IntentDistribution, *, embedder: Embedder
) -> float:
    """Sim_1 of A.6.5: the cosine of the embedding vectors of two distributions, -1 to 1.

    Args:
        predicted: The agent's; None where it answered nothing, which is the embedding of the empty text.
        actual: The person's.
        embedder: From `get_embedder`.

    Returns:
        0 where one of the vectors has no length.

    >>> from fingertip_metrics.embedders import get_embedder
    >>> one = IntentDistribution.of([("听歌", 3), ("叫车回家", 1)])
    >>> round(distribution_cosine(one, one, embedder=get_embedder("lexical")), 6)
    1.0
    """
    if predicted is None:
        first: NDArray[np.float64] = embedder.encode([""])[0].astype(np.float64)
    else:
        first = _distribution_vector(predicted, embedder)
    second = _distribution_vector(actual, embedder)
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.clip(first @ second / lengths, -1, 1)) if lengths > 0 else 0.0


def sim1_between(
    predicted: IntentDistribution,
    actual: IntentDistribution,
    *,
    embedder: Embedder,
    protocol: str = "release",
) -> float:
    """The transport variant, ours: the greatest expected Sim_1 over all ways to pair two distributions.

    Args:
        predicted: The agent's.
        actual: The person's.
        embedder: From `get_embedder`.
        protocol: "release" or "paper": which text similarity; nothing is rounded here.

    Raises:
        MissingExtraError: scipy (it comes with scikit-learn) is not installed.
        UsageError: There is no such protocol.

    >>> from fingertip_metrics.embedders import get_embedder
    >>> one = IntentDistribution.of([("打开网易云听歌", 3), ("叫车回家", 1)])
    >>> round(sim1_between(one, one, embedder=get_embedder("lexical")), 6)
    1.0
    """
    try:
        from scipy.optimize import linprog
    except ImportError:
        raise MissingExtraError("scipy", "lexical") from None
    method = get_protocol(protocol).similarity
    predicted_texts, true = [s.text for s in predicted.shares], [s.text for s in actual.shares]
    cosine = embedder.encode(predicted_texts).astype(np.float64) @ embedder.encode(true).astype(np.float64).T
    ratio = np.array([[text_similarity(one, other, method) for one in true] for other in predicted_texts])
    alike = (ratio + cosine) / 2
    weights = np.array([s.probability for s in predicted.shares] + [s.probability for s in actual.shares])
    rows = np.kron(np.eye(len(predicted_texts)), np.ones(len(true)))
    columns = np.tile(np.eye(len(true)), len(predicted_texts))
    # the last equation follows from the others; rounding would make it contradict them
    found = linprog(-alike.ravel(), A_eq=np.vstack([rows, columns])[:-1], b_eq=weights[:-1], bounds=(0, None))
    return float(-found.fun)


def _apart(time: datetime, hour: float) -> float:
    """Hours between a time of the day and an hour, the short way round."""
    gap = abs(time.hour + time.minute / 60 + time.second / 3600 - hour) % 24
    return min(gap, 24 - gap)


def _linked(alike: NDArray[np.float64], same: float) -> NDArray[np.int64]:
    """A label for each intent: average linkage while the mean cosine is at least `same`."""
    try:
        from sklearn.cluster import AgglomerativeClustering
    except ImportError:
        raise MissingExtraError("scikit-learn", "lexical") from None
    if len(alike) == 1:
        return np.zeros(1, dtype=np.int64)
    # what is exactly `same` belongs together, and rounding must not part it
    model = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=1 - same + 1e-9
    )
    labels: NDArray[np.int64] = model.fit_predict(1 - alike)
    return labels


def _cluster(texts: Sequence[str], alike: NDArray[np.float64], members: NDArray[np.int64]) -> IntentShare:
    # to seven decimals, so that equal sums do not differ by the order of their parts
    nearness = np.round(alike[np.ix_(members, members)].sum(axis=1), 7)
    medoid = texts[int(members[int(nearness.argmax())])].strip()
    return IntentShare(text=medoid, probability=len(members) / len(texts), n=len(members))
