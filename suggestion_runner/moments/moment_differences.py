"""Paired differences between scored runs of moments, on the moments that all have, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

import numpy as np

from fingertip_dataset.errors import UsageError
from fingertip_metrics.aggregate import Interval, bootstrap_statistic
from fingertip_metrics.confidence_scores import Floats
from fingertip_runs.repeat_scores import average_values
from fingertip_runs.score_summary import BOOTSTRAP_SEED, CONFIDENCE, RESAMPLES
from fingertip_runs.try_names import describe_tries
from suggestion_runner.moments.moment_run_scores import MomentRunScores, list_moment_values

LABELS: Mapping[str, str] = MappingProxyType(
    {
        "false_trigger_rate": "false triggers %",
        "missed_rate": "missed %",
        "precision": "precision %",
        "sr1": "SR_1 %",
        "hit_rate": "hits %",
        "sim1": "Sim_1",
        "utility": "utility",
        "brier": "Brier",
    }
)
"""Name of a score -> its name in a line."""


def compare_moments(
    tries: Sequence[MomentRunScores], others: Sequence[MomentRunScores]
) -> dict[str, Interval]:
    """Compute the difference of each score, `tries` minus `others`, over the moments that all of them have.

    Both scores of a resample are of the same people. A rate whose denominator differs between the runs, such
    as the precision, is computed for each run from its own moments. The tries of a moment are averaged first.

    Args:
        tries: Scores of the tries of a run, at least one.
        others: Scores of the tries of the run that it is compared with.

    Returns:
        Name of `LABELS` -> difference with its interval; scores that either run lacks are left out.

    Raises:
        UsageError: The runs are on different moments.
    """
    run, other = tries[0], others[0]
    if run.record.dataset.moments_sha256 != other.record.dataset.moments_sha256:
        raise UsageError(
            f"a paired difference needs runs on the same moments: {other.folder} is on others",
            file=run.folder,
        )
    ours, theirs = (average_values([list_moment_values(one) for one in of_run]) for of_run in (tries, others))
    known = [set(one.task_ids) for one in (*tries, *others)]
    both = [task_id for task_id in run.task_ids if all(task_id in ids for ids in known)]
    if not both:
        raise UsageError(f"the run has no moment in common with {other.folder}", file=run.folder)
    users = [task_id.partition("__")[0] for task_id in both]
    found: dict[str, Interval] = {}
    for name in LABELS:
        columns = [_make_column(values.get(name, {}), both) for values in (ours, theirs)]
        statistic = partial(_subtract_means, *columns)
        interval = bootstrap_statistic(
            statistic, users, seed=BOOTSTRAP_SEED, resamples=RESAMPLES, confidence=CONFIDENCE
        )
        if interval is not None:
            found[name] = interval
    return found


def write_difference_lines(
    runs: Sequence[Sequence[MomentRunScores]], others: Sequence[MomentRunScores]
) -> Iterator[str]:
    """Write a line per run with its differences to the other; raises the errors of `compare_moments`.

    Args:
        runs: Scores of the tries of each run.
        others: Scores of the tries of the run that they are compared with.
    """
    for tries in runs:
        found = compare_moments(tries, others)
        parts = ", ".join(f"{LABELS[name]} {_format(name, interval)}" for name, interval in found.items())
        n = next(iter(found.values()))
        ours, theirs = (describe_tries(one[0].folder, len(one)) for one in (tries, others))
        names = f"{ours} minus {theirs}"
        yield f"{names}, {n.n:,} moments of {n.clusters:,} people: {parts}."


def _make_column(values: Mapping[str, float], ids: Sequence[str]) -> Floats:
    """(n,) values of moments, nan where a moment does not count."""
    return np.array([values.get(task_id, np.nan) for task_id in ids], dtype=np.float64)


def _subtract_means(ours: Floats, theirs: Floats, weights: Floats) -> Floats:
    """Weighted mean of each column's defined values, the second subtracted; nan if either has none."""
    first, second = (_weigh_mean(column, weights) for column in (ours, theirs))
    return first - second


def _weigh_mean(column: Floats, weights: Floats) -> Floats:
    known = ~np.isnan(column)
    sums, counts = weights[:, known] @ column[known], weights[:, known].sum(axis=-1)
    means: Floats = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return means


def _format(name: str, interval: Interval) -> str:
    factor, digits = (100, 1) if LABELS[name].endswith("%") else (1, 3)
    mean = f"{factor * interval.mean:+.{digits}f}"
    if interval.low is None or interval.high is None:
        return f"{mean} ({interval.short_reason})"
    return f"{mean} [{factor * interval.low:+.{digits}f}, {factor * interval.high:+.{digits}f}]"
