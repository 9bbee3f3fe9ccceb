"""The figures of the report page, as numbers: one mark per run, on an axis from 0 to 100 percent."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.difficulty import DIFFICULTIES
from fingertip_runs.cells import interval_cell


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartMark:
    """One run on an axis; positions in percent of the axis width.

    Attributes:
        run: Index of the run on the page.
        at: The mean; None if undefined.
        low: Lower end of the interval; None without an interval.
        high: Upper end of the interval; None without an interval.
        band: Worst and best case; None if they are equal.
        text: The number as text.
    """

    run: int
    at: float | None
    low: float | None
    high: float | None
    band: tuple[float, float] | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A figure.

    Attributes:
        title: Name of the score.
        about: How to read the figure.
        ticks: (position, label) of the axis.
        line: Position of a reference line; None for no line.
        groups: (heading, marks) of each group; a single group has no heading.
    """

    title: str
    about: str
    ticks: tuple[tuple[float, str], ...]
    line: float | None
    groups: tuple[tuple[str, tuple[ChartMark, ...]], ...]


def charts(runs: Sequence[tuple[int, ExecutionRunScores]]) -> list[Chart]:
    """SR_2, Sim_2, and the step ratio by difficulty, of runs on one kind of device.

    Args:
        runs: (index on the page, scores) of each run.
    """
    sim2 = [run.means["sim2"] for _, run in runs]
    found = [_success(runs)]
    if any(sim2):
        found.append(_similarity(runs, sim2))
    ratios = _step_ratio(runs)
    return [*found, ratios] if ratios else found


def _success(runs: Sequence[tuple[int, ExecutionRunScores]]) -> Chart:
    marks = []
    for number, run in runs:
        rate = run.success
        band = (100 * rate.worst, 100 * rate.best) if rate.worst < rate.best else None
        text = rate.why_none or f"{interval_cell(rate.sr2, decimals=1, factor=100)} %"
        marks.append(_mark(number, rate.sr2, lambda value: 100 * value, text, band))
    return Chart(
        title="SR₂ · is the task done?",
        about="Share of all tasks that are done, with its interval over users; a task without a decision is "
        "not done. Shaded: up to the best case, in which each such task is done.",
        ticks=tuple((at, f"{at} %") for at in range(0, 101, 25)),
        line=None,
        groups=(("", tuple(marks)),),
    )


def _similarity(
    runs: Sequence[tuple[int, ExecutionRunScores]], intervals: Sequence[Interval | None]
) -> Chart:
    place, ticks = _axis([1, *_ends(intervals)], step=0.1)
    marks = tuple(
        _mark(number, interval, place, interval_cell(interval))
        for (number, _), interval in zip(runs, intervals, strict=True)
    )
    return Chart(
        title="Sim₂ · like whom?",
        about="Similarity to this person's actions over similarity to another type's; above 1 (dashed) an "
        "agent is more like this person. With its interval over users.",
        ticks=ticks,
        line=place(1),
        groups=(("", marks),),
    )


def _step_ratio(runs: Sequence[tuple[int, ExecutionRunScores]]) -> Chart | None:
    found: dict[str, list[tuple[int, Interval | None]]] = {name: [] for name in DIFFICULTIES}
    for number, run in runs:
        for row in run.breakdowns["difficulty"]:
            found[str(row.group)].append((number, row.means["step_ratio"]))
    intervals = [interval for rows in found.values() for _, interval in rows]
    if not any(intervals):
        return None
    place, ticks = _axis([1, *_ends(intervals)], step=0.25)
    groups = tuple(
        (f"{name} golden steps", tuple(_ratio_mark(number, one, place) for number, one in rows if one))
        for name, rows in found.items()
        if any(one for _, one in rows)
    )
    return Chart(
        title="Step ratio · how many steps?",
        about="The agent's steps over the person's, of the tasks that are done, by the number of the "
        "person's steps. Dashed: as many as the person; above 2.5 an agent is stopped.",
        ticks=ticks,
        line=place(1),
        groups=groups,
    )


def _ratio_mark(run: int, ratio: Interval, place: Callable[[float], float]) -> ChartMark:
    return _mark(run, ratio, place, interval_cell(ratio, decimals=2))


def _mark(
    run: int,
    interval: Interval | None,
    place: Callable[[float], float],
    text: str,
    band: tuple[float, float] | None = None,
) -> ChartMark:
    ends = (interval.mean, interval.low, interval.high) if interval else (None, None, None)
    at, low, high = (None if end is None else place(end) for end in ends)
    return ChartMark(run=run, at=at, low=low, high=high, band=band, text=text)


def _ends(intervals: Sequence[Interval | None]) -> list[float]:
    ends = [end for one in intervals if one for end in (one.mean, one.low, one.high)]
    return [end for end in ends if end is not None]


def _axis(
    values: Sequence[float], *, step: float
) -> tuple[Callable[[float], float], tuple[tuple[float, str], ...]]:
    """A function from value to position, and ticks; the axis is a little wider than the values."""
    first, last = math.floor(min(values) / step - 0.2), math.ceil(max(values) / step + 0.2)
    stride = math.ceil((last - first) / 5)

    def place(value: float) -> float:
        return 100 * (value / step - first) / (last - first)

    ticks = range(first, last + 1, stride)
    return place, tuple((place(tick * step), f"{tick * step:g}") for tick in ticks)
