"""Metrics of Inspect over users: the mean and the interval that `fingertip score` prints."""

from __future__ import annotations

import math

from inspect_ai.scorer import Metric, SampleScore, Value, metric, stderr

from fingertip_metrics.aggregate import Interval
from fingertip_runs.score_summary import user_interval

USER = "user_id"
"""Key of a sample's metadata with the id of its user: the cluster of intervals and standard errors."""


@metric
def mean(share: bool = False) -> Metric:
    """The mean, summed as in scores.json.

    Args:
        share: Whether the values are shares of 0 to 1.
    """

    def of_scores(scores: list[SampleScore]) -> Value:
        return _interval(scores, share).mean if scores else math.nan

    return of_scores


@metric
def interval(share: bool = False) -> Metric:
    """The ends of the 95 % interval over users, "low" and "high"; neither where there is no interval.

    Args:
        share: Whether the values are shares of 0 to 1, which have an interval even where all are alike.
    """

    def of_scores(scores: list[SampleScore]) -> Value:
        found = _interval(scores, share) if scores else None
        if found is None or found.low is None or found.high is None:
            return {}
        return {"low": found.low, "high": found.high}

    return of_scores


def user_metrics(*, share: bool = False) -> list[Metric]:
    """Mean, interval over users, and Inspect's standard error clustered by user."""
    return [mean(share), interval(share), stderr(cluster=USER)]


def _interval(scores: list[SampleScore], share: bool) -> Interval:
    users = [str((score.sample_metadata or {})[USER]) for score in scores]
    values = [score.score.as_float() for score in scores]
    return user_interval([None if math.isnan(value) else value for value in values], users, share=share)
