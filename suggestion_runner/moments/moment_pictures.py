"""Pictures of a page of moments as numbers: intervals, and lines of utility, reliability, risk and hours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fingertip_dataset.tasks.moments import INTENT, MOMENT_KINDS
from fingertip_metrics.moment_columns import PENALTIES
from fingertip_metrics.risk_coverage import RiskPoint
from fingertip_runs.cells import format_interval, format_number
from fingertip_runs.interval_charts import (
    PERCENT_TICKS,
    Chart,
    chart_axis,
    chart_mark,
    chart_shares,
    interval_ends,
    mark_share,
)
from suggestion_runner.moments.moment_run_scores import MomentGroup, MomentRunScores
from suggestion_runner.moments.moment_tables import list_ceilings

SMALLEST, LARGEST = 3.0, 10.0
"""Radii of points that stand for few and for all moments, px."""

HOURS = 24

Ticks = tuple[tuple[float, str], ...]

SHARE_TICKS: Ticks = tuple((float(at), f"{at / 100:g}") for at in range(0, 101, 25))
"""Ticks of an axis of values from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePoint:
    """A point of a line; positions in percent of the picture, from its lower left corner.

    Attributes:
        x: Position to the right.
        y: Position upwards.
        radius: Radius, px; 0 for no mark.
        cells: The point's numbers as text, a cell for each column of the table below the picture.
    """

    x: float
    y: float
    radius: float
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLine:
    """A line of a picture.

    Attributes:
        run: Index of the run on the page; None for the ceiling.
        points: Points from left to right.
        joined: Whether neighbouring points are joined.
    """

    run: int | None
    points: tuple[PicturePoint, ...]
    joined: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePicture:
    """A picture of lines over two axes.

    Attributes:
        name: Key within the table "moments" of messages.toml: name, name_about, name_x, name_y.
        columns: Keys of the columns of its table, within the same table of messages.toml.
        x_ticks: (position, label) of the axis to the right.
        y_ticks: (position, label) of the axis upwards.
        guide: (x1, y1, x2, y2) of a dashed line to compare with; None without one.
        lines: Lines of the runs and the ceiling.
    """

    name: str
    columns: tuple[str, ...]
    x_ticks: Ticks
    y_ticks: Ticks
    guide: tuple[float, float, float, float] | None
    lines: tuple[PictureLine, ...]


def chart_rates(runs: Sequence[MomentRunScores]) -> list[Chart]:
    """Make the figures of false triggers, misses and utility of all runs, with their intervals.

    Args:
        runs: Scores of the runs.
    """
    found = [
        chart_shares(
            f"moments.chart_{name}",
            (mark_share(number, run.result.intervals.get(score)) for number, run in enumerate(runs)),
        )
        for name, score in (("false", "false_trigger_rate"), ("missed", "missed_rate"))
    ]
    utilities = [run.result.intervals.get("utility") for run in runs]
    if ends := interval_ends(utilities):
        place, ticks = chart_axis([*ends, 0.0], step=0.1)
        marks = [
            chart_mark(number, interval, place, format_interval(interval))
            for number, interval in enumerate(utilities)
        ]
        found.append(
            Chart(
                title="moments.chart_utility",
                about="moments.chart_utility_about",
                ticks=ticks,
                line=place(0.0),
                groups=(("", tuple(marks)),),
            )
        )
    return found


def chart_kinds(runs: Sequence[MomentRunScores]) -> Chart:
    """Make the figure of false triggers by kind.

    Args:
        runs: Scores of the runs.
    """
    of_runs = [{group.group: group.interval for group in run.result.by_kind} for run in runs]
    kinds = [kind for kind in MOMENT_KINDS if kind != INTENT and any(kind in found for found in of_runs)]
    return Chart(
        title="moments.chart_kinds",
        about="moments.chart_kinds_about",
        ticks=PERCENT_TICKS,
        line=None,
        groups=tuple(
            (kind, tuple(mark_share(number, found.get(kind)) for number, found in enumerate(of_runs)))
            for kind in kinds
        ),
        headings="moment_kind",
    )


def draw_hours(runs: Sequence[MomentRunScores]) -> LinePicture:
    """Draw the share of false triggers over the hour of the day; hours without such a moment have no point.

    Args:
        runs: Scores of the runs.
    """

    def list_points(groups: Sequence[MomentGroup]) -> Iterator[PicturePoint]:
        every = sum(group.false_triggers.n for group in groups)
        for group in groups:
            share = group.false_triggers.mean
            if group.group is not None and share is not None:
                n = group.false_triggers.n
                x = 100 * (int(group.group) + 0.5) / HOURS
                cells = (group.group, f"{100 * share:.1f}", f"{n:,}")
                yield PicturePoint(x=x, y=100 * share, radius=_size(n, every), cells=cells)

    return LinePicture(
        name="hours",
        columns=("hour", "false_share", "without_intent"),
        x_ticks=tuple((100 * (hour + 0.5) / HOURS, f"{hour}") for hour in range(0, HOURS, 3)),
        y_ticks=PERCENT_TICKS,
        guide=None,
        lines=tuple(
            PictureLine(run=number, points=tuple(list_points(run.breakdowns["hour"])))
            for number, run in enumerate(runs)
        ),
    )


def draw_utility(runs: Sequence[MomentRunScores]) -> LinePicture | None:
    """Draw the utility over the penalty of a false trigger, with the ceiling; None without a judge.

    Args:
        runs: Scores of the runs.
    """
    curves: list[tuple[int | None, tuple[tuple[float, float], ...]]] = [
        (number, run.result.utility_curve) for number, run in enumerate(runs)
    ]
    curves += [(None, ceiling.utility_curve) for _, ceiling in list_ceilings(runs)]
    values = [value for _, curve in curves for _, value in curve]
    if not values:
        return None
    place, y_ticks = chart_axis([*values, 0.0], step=0.25)
    most = PENALTIES[-1]

    def make_line(curve: Sequence[tuple[float, float]]) -> tuple[PicturePoint, ...]:
        return tuple(
            PicturePoint(
                x=100 * penalty / most,
                y=place(value),
                radius=SMALLEST if penalty == 1 else 0,
                cells=(f"{penalty:g}", f"{value:.3f}"),
            )
            for penalty, value in curve
        )

    return LinePicture(
        name="curve",
        columns=("penalty", "utility"),
        x_ticks=tuple((100 * at / most, f"{at:g}") for at in range(int(most) + 1)),
        y_ticks=y_ticks,
        guide=(0.0, place(0.0), 100.0, place(0.0)),
        lines=tuple(PictureLine(run=number, points=make_line(curve)) for number, curve in curves if curve),
    )


def draw_reliability(runs: Sequence[MomentRunScores]) -> LinePicture | None:
    """Draw the share of moments with an intent over the confidence, by bins; None without confidences.

    Args:
        runs: Scores of the runs.
    """
    lines = []
    for number, run in enumerate(runs):
        points = tuple(
            PicturePoint(
                x=100 * one.confidence,
                y=100 * one.share,
                radius=_size(one.n, run.result.n),
                cells=(
                    f"{one.low:g}–{one.high:g}",
                    f"{one.confidence:.2f}",
                    f"{one.share:.2f}",
                    f"{one.n:,}",
                ),
            )
            for one in run.result.reliability
        )
        lines += [PictureLine(run=number, points=points)] if points else []
    if not lines:
        return None
    return LinePicture(
        name="reliability",
        columns=("bin", "confidence", "wanted_share", "moments"),
        x_ticks=SHARE_TICKS,
        y_ticks=SHARE_TICKS,
        guide=(0.0, 0.0, 100.0, 100.0),
        lines=tuple(lines),
    )


def draw_risk(runs: Sequence[MomentRunScores]) -> LinePicture | None:
    """Draw the share of wrong offers over the share of moments with an offer, with the ceiling.

    Args:
        runs: Scores of the runs.

    Returns:
        The picture; None if no run has confidences.
    """
    curves: list[tuple[int | None, Sequence[RiskPoint]]] = [
        (number, run.result.risk_curve) for number, run in enumerate(runs) if run.result.risk_curve
    ]
    if not curves:
        return None
    curves += [(None, ceiling.risk_curve) for _, ceiling in list_ceilings(runs)]

    def make_line(run: int | None, curve: Sequence[RiskPoint]) -> tuple[PicturePoint, ...]:
        return tuple(
            PicturePoint(
                x=100 * point.coverage,
                y=100 * point.risk,
                # the end is what the agent did; the rest is what it would have done with a higher threshold
                radius=SMALLEST if run is not None and point is curve[-1] else 0,
                cells=(
                    format_number(point.confidence, ".2f"),
                    f"{100 * point.coverage:.1f}",
                    f"{100 * point.risk:.1f}",
                ),
            )
            for point in curve
        )

    return LinePicture(
        name="risk",
        columns=("least_confidence", "coverage", "risk_share"),
        x_ticks=PERCENT_TICKS,
        y_ticks=PERCENT_TICKS,
        guide=None,
        lines=tuple(PictureLine(run=number, points=make_line(number, curve)) for number, curve in curves),
    )


def thin_out(lines: Sequence[PicturePoint], most: int) -> tuple[PicturePoint, ...]:
    """Choose at most `most` points of a line at equal distances, the last one included.

    Args:
        lines: Points of a line.
        most: Largest number of points, 2 or more.

    >>> points = [PicturePoint(x=x, y=0.0, radius=0.0, cells=()) for x in range(10)]
    >>> [point.x for point in thin_out(points, 4)]
    [0, 3, 6, 9]
    """
    if len(lines) <= most:
        return tuple(lines)
    places = [round(at * (len(lines) - 1) / (most - 1)) for at in range(most)]
    return tuple(lines[place] for place in places)


def _size(count: int, every: int) -> float:
    """Radius of a point, px, whose area stands for a number of moments."""
    return SMALLEST + (LARGEST - SMALLEST) * math.sqrt(count / every)
