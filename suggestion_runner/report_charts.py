"""The figures of track 1's page: Sim_1, SR_1 and acceptance of all runs, and Sim_1 by group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap

from fingertip_metrics.aggregate import natural_order
from fingertip_runs.cells import format_interval
from fingertip_runs.interval_charts import (
    Chart,
    chart_axis,
    chart_mark,
    chart_shares,
    interval_ends,
    mark_share,
)
from suggestion_runner.scoring import SuggestionRunScores

MOST_GROUPS = 14
"""Number of groups in a figure; the table beside it has all of them."""


def charts(runs: Sequence[SuggestionRunScores]) -> list[Chart]:
    """SR_1 where a judge was asked, Sim_1, and the share of accepted suggestions where people judged them."""
    found = []
    if any(run.judged for run in runs):
        found.append(_draw_success(runs))
    found.append(_draw_similarity(runs))
    if any(run.acceptance for run in runs):
        shares = [run.acceptance.accepted if run.acceptance else None for run in runs]
        found.append(chart_shares("charts.accepted", starmap(mark_share, enumerate(shares))))
    return found


def group_chart(runs: Sequence[SuggestionRunScores], by: str) -> Chart | None:
    """Sim_1 of the groups with most tasks, in the order of the table; None if no group has an interval."""
    sizes: dict[str | None, int] = {}
    for run in runs:
        for row in run.breakdowns[by]:
            sizes[row.group] = max(sizes.get(row.group, 0), row.n)
    largest = sorted(sizes, key=lambda group: (-sizes[group], natural_order(group)))[:MOST_GROUPS]
    of_runs = [{row.group: row.interval for row in run.breakdowns[by]} for run in runs]
    ends = interval_ends([found.get(group) for found in of_runs for group in largest])
    if not ends:
        return None
    place, ticks = chart_axis(ends, step=0.1)
    return Chart(
        title="charts.sim1",
        about="charts.sim1_group_about",
        grouping=by,
        ticks=ticks,
        line=None,
        groups=tuple(
            (
                group or "–",
                tuple(
                    chart_mark(number, interval, place, format_interval(interval))
                    for number, found in enumerate(of_runs)
                    if (interval := found.get(group))
                ),
            )
            for group in sorted(largest, key=natural_order)
        ),
    )


def _draw_similarity(runs: Sequence[SuggestionRunScores]) -> Chart:
    intervals = [run.intervals["sim1"] for run in runs]
    place, ticks = chart_axis(interval_ends(intervals), step=0.1)
    return Chart(
        title="charts.sim1",
        about="charts.sim1_about",
        ticks=ticks,
        line=None,
        groups=(
            (
                "",
                tuple(
                    chart_mark(number, interval, place, format_interval(interval))
                    for number, interval in enumerate(intervals)
                ),
            ),
        ),
    )


def _draw_success(runs: Sequence[SuggestionRunScores]) -> Chart:
    marks = []
    for number, run in enumerate(runs):
        known = run.judged and not run.judged.result.lacks_verdicts
        share = run.judged.interval if run.judged and known else None
        best = run.sr1.best if run.sr1 and run.sr1.unscored else None
        band = (100 * share.mean, 100 * best) if share and best is not None else None
        marks.append(mark_share(number, share, band))
    return chart_shares("charts.sr1", marks)
