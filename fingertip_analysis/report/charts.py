"""The figures of track 2's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.difficulty import DIFFICULTIES
from fingertip_runs.cells import format_interval
from fingertip_runs.interval_charts import (
    Chart,
    ChartMark,
    chart_axis,
    chart_mark,
    chart_shares,
    interval_ends,
    mark_share,
)


def charts(runs: Sequence[tuple[int, ExecutionRunScores]]) -> list[Chart]:
    """SR_2, Sim_2, identification, and the step ratio by difficulty, of runs on one kind of device.

    Args:
        runs: (index on the page, scores) of each run.
    """
    sim2 = [run.means["sim2"] for _, run in runs]
    found = [_draw_success(runs)]
    if any(sim2):
        found.append(_draw_similarity(runs, sim2))
    if any(run.means["identification"] for _, run in runs):
        found.append(_draw_identification(runs))
    ratios = _draw_step_ratio(runs)
    return [*found, ratios] if ratios else found


def _draw_success(runs: Sequence[tuple[int, ExecutionRunScores]]) -> Chart:
    marks = []
    for number, run in runs:
        rate = run.success
        band = (100 * rate.worst, 100 * rate.best) if rate.worst < rate.best else None
        marks.append(mark_share(number, rate.sr2, band, text=rate.why_none or ""))
    return chart_shares("charts.sr2", marks)


def _draw_similarity(
    runs: Sequence[tuple[int, ExecutionRunScores]], intervals: Sequence[Interval | None]
) -> Chart:
    place, ticks = chart_axis([1, *interval_ends(intervals)], step=0.1)
    marks = tuple(
        chart_mark(number, interval, place, format_interval(interval))
        for (number, _), interval in zip(runs, intervals, strict=True)
    )
    return Chart(
        title="charts.sim2",
        about="charts.sim2_about",
        ticks=ticks,
        line=place(1),
        groups=(("", marks),),
    )


def _draw_identification(runs: Sequence[tuple[int, ExecutionRunScores]]) -> Chart:
    marks = (mark_share(number, run.means["identification"]) for number, run in runs)
    return chart_shares("charts.identified", marks, line=100 * runs[0][1].identification.chance)


def _draw_step_ratio(runs: Sequence[tuple[int, ExecutionRunScores]]) -> Chart | None:
    found: dict[str, list[tuple[int, Interval | None]]] = {name: [] for name in DIFFICULTIES}
    for number, run in runs:
        for row in run.breakdowns["difficulty"]:
            found[str(row.group)].append((number, row.means["step_ratio"]))
    intervals = [interval for rows in found.values() for _, interval in rows]
    if not any(intervals):
        return None
    place, ticks = chart_axis([1, *interval_ends(intervals)], step=0.25)
    groups = tuple(
        (name, tuple(_draw_ratio_mark(number, one, place) for number, one in rows if one))
        for name, rows in found.items()
        if any(one for _, one in rows)
    )
    return Chart(
        title="charts.steps",
        headings="difficulty",
        about="charts.steps_about",
        ticks=ticks,
        line=place(1),
        groups=groups,
    )


def _draw_ratio_mark(run: int, ratio: Interval, place: Callable[[float], float]) -> ChartMark:
    return chart_mark(run, ratio, place, format_interval(ratio, decimals=2))
