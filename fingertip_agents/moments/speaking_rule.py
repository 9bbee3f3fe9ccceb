"""When to speak, as a rule fitted on the training part: a logistic regression and a threshold.

The regression gives the probability that something is wanted. The rule speaks where this is at least the
threshold with the largest difference, on the training part, between moments spoken at where something was
wanted and those where nothing was. It decides when to speak, and not whether the offer is the right one: few
offers are, so that a rule that counted right offers against false triggers would hardly ever speak. The
regression is penalized by half the squared norm of its weights without the intercept, so that it has one
solution on any data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

DIGITS = 4
"""Decimals of the weights and the threshold: what a run's record says is all that decides."""

ITERATIONS = 50
PENALTY, INTERCEPT_PENALTY = 1.0, 1e-3
"""The intercept has a small one, because that of labels that are all equal has no solution without."""

NEVER = 2.0
"""Threshold of a rule that never speaks: no probability is larger than 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakingRule:
    """A fitted rule.

    Attributes:
        weights: Intercept, and a weight for each feature.
        threshold: Least probability at which it speaks; `NEVER` if it never does.
    """

    weights: tuple[float, ...]
    threshold: float

    def estimate(self, features: Sequence[float]) -> float:
        """Estimate the probability that something is wanted, 0-1."""
        total = self.weights[0] + math.fsum(w * x for w, x in zip(self.weights[1:], features, strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    def speaks(self, probability: float) -> bool:
        """Whether it speaks at this probability."""
        return probability >= self.threshold


def fit_rule(moments: Sequence[tuple[Sequence[float], bool]]) -> SpeakingRule:
    """Fit a rule.

    Args:
        moments: (Features, whether something was wanted) of each training moment, all with as many features.

    Raises:
        ValueError: There is no moment.
    """
    if not moments:
        raise ValueError("expected moments to fit a rule on, got none")
    rule = SpeakingRule(weights=_fit(moments), threshold=NEVER)
    threshold = choose_threshold([(rule.estimate(features), wanted) for features, wanted in moments])
    return SpeakingRule(weights=rule.weights, threshold=threshold)


def choose_threshold(moments: Sequence[tuple[float, bool]]) -> float:
    """Choose the threshold above which most moments more are wanted than not.

    Args:
        moments: (Probability, whether something was wanted) of each moment.

    Returns:
        The highest of several thresholds that are as good, rounded down; `NEVER` if none is better than
        silence.

    >>> choose_threshold([(0.9, True), (0.5, False), (0.4, True), (0.3, True), (0.1, False)])
    0.3
    >>> choose_threshold([(0.9, False), (0.5, True)]) == NEVER
    True
    """
    best, threshold, total = 0, NEVER, 0
    ordered = sorted(moments, reverse=True)
    for number, (probability, wanted) in enumerate(ordered):
        total += 1 if wanted else -1
        # moments of one probability are spoken at or not, all of them
        is_last = number + 1 == len(ordered) or ordered[number + 1][0] < probability
        if is_last and total > best:
            best, threshold = total, math.floor(probability * 10**DIGITS) / 10**DIGITS
    return threshold


def _fit(moments: Sequence[tuple[Sequence[float], bool]]) -> tuple[float, ...]:
    """Fit the regression by Newton's method: intercept and weights."""
    import numpy as np

    x = np.array([(1.0, *features) for features, _ in moments])
    y = np.array([float(wanted) for _, wanted in moments])
    penalty = np.full(x.shape[1], PENALTY)
    penalty[0] = INTERCEPT_PENALTY
    weights = np.zeros(x.shape[1])
    for _ in range(ITERATIONS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - chance) - penalty * weights
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights += step
        if float(np.abs(step).max()) < 1e-10:
            break
    return tuple(round(float(weight), DIGITS) for weight in weights)
