"""Pictures of months on the page of moments: utility by day, by length of history, around a new habit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import starmap
from types import MappingProxyType

from fingertip_runs.cells import format_interval
from fingertip_runs.interval_charts import (
    Chart,
    chart_axis,
    chart_mark,
    chart_shares,
    interval_ends,
    mark_share,
)
from suggestion_runner.moments.moment_pictures import SMALLEST, LinePicture, PictureLine, PicturePoint
from suggestion_runner.month.month_curves import CurvePoint, Grouping
from suggestion_runner.month.month_scores import MonthScores

GROUP_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "0": "history_0",
        "1 to 4": "history_1",
        "5 to 19": "history_5",
        "20 and more": "history_20",
        "week before": "drift_before",
        "days 1 to 3": "drift_first",
        "days 4 to 10": "drift_after",
    }
)
"""Name of a group -> its key in the table "month_group" of messages.toml."""

DAYS_SHOWN = 7
"""Days from one tick of the axis of days to the next."""


def draw_days(months: Sequence[tuple[int, MonthScores]]) -> LinePicture | None:
    """Draw the utility over the days of the month; None without a month.

    Args:
        months: (index of the run on the page, its scores).
    """
    if not months:
        return None
    days = [point for _, month in months for point in month.curves["day"]]
    place, y_ticks = chart_axis([*(_mean(point, "utility") for point in days), 0.0], step=0.25)
    last = max(int(point.group) for point in days)

    def list_points(month: MonthScores) -> tuple[PicturePoint, ...]:
        return tuple(
            PicturePoint(
                x=100 * (int(point.group) - 0.5) / last,
                y=place(_mean(point, "utility")),
                radius=SMALLEST,
                cells=(point.group, f"{_mean(point, 'utility'):.3f}", f"{point.moments:,}"),
            )
            for point in month.curves["day"]
        )

    return LinePicture(
        name="days",
        columns=("day", "utility", "moments"),
        x_ticks=tuple((100 * (day - 0.5) / last, f"{day}") for day in range(1, last + 1, DAYS_SHOWN)),
        y_ticks=y_ticks,
        guide=(0.0, place(0.0), 100.0, place(0.0)),
        lines=tuple(PictureLine(run=number, points=list_points(month)) for number, month in months),
    )


def chart_months(months: Sequence[tuple[int, MonthScores]]) -> list[Chart]:
    """Make the figures of months: utility by history and around a new habit, repeats, accepted offers.

    Args:
        months: (index of the run on the page, its scores).
    """
    found = []
    for score in ("repeat_rate", "accepted_rate"):
        shares = [(number, month.whole.scores[score]) for number, month in months]
        if any(share for _, share in shares):
            found.append(chart_shares(f"month.chart_{score}", starmap(mark_share, shares)))
    groupings: tuple[Grouping, ...] = ("history", "drift")
    return [*found, *(chart for one in groupings if (chart := _chart_groups(months, one)) is not None)]


def _chart_groups(months: Sequence[tuple[int, MonthScores]], grouping: Grouping) -> Chart | None:
    """Utility of the groups of a grouping; None if no group has an interval."""
    of_runs = [(number, {point.group: point for point in month.curves[grouping]}) for number, month in months]
    names = [name for name in GROUP_KEYS if any(name in points for _, points in of_runs)]
    ends = interval_ends([point.scores["utility"] for _, points in of_runs for point in points.values()])
    if not ends:
        return None
    place, ticks = chart_axis([*ends, 0.0], step=0.1)
    return Chart(
        title=f"month.chart_{grouping}",
        about=f"month.chart_{grouping}_about",
        ticks=ticks,
        line=place(0.0),
        groups=tuple(
            (
                GROUP_KEYS[name],
                tuple(
                    chart_mark(number, interval, place, format_interval(interval))
                    for number, points in of_runs
                    if (interval := points[name].scores["utility"] if name in points else None)
                ),
            )
            for name in names
        ),
        headings="month_group",
    )


def _mean(point: CurvePoint, score: str) -> float:
    interval = point.scores[score]
    return interval.mean if interval else 0.0
