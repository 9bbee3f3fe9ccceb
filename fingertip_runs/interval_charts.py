"""Figures of the report pages as numbers: a mark with its interval for each run, on an axis in percent."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fingertip_metrics.aggregate import Interval
from fingertip_runs.cells import format_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartMark:
    """A run on an axis; positions in percent of the axis width.

    Attributes:
        run: Index of the run on the page.
        at: The mean; None if undefined.
        low: Lower end of the interval; None without an interval.
        high: Upper end of the interval; None without an interval.
        band: Worst and best case; None if they are equal.
        text: The number as text, which stands beside the mark.
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
        title: Key of the score's name in messages.toml.
        about: Key of how to read the figure.
        ticks: (position, label) of the axis.
        line: Position of a reference line; None for no line.
        groups: (heading, marks) of each group; a single group has no heading.
        headings: Table of messages.toml that names the headings; "" if they are data.
        grouping: Grouping whose groups the headings are, if they are data, such as "app".
    """

    title: str
    about: str
    ticks: tuple[tuple[float, str], ...]
    line: float | None
    groups: tuple[tuple[str, tuple[ChartMark, ...]], ...]
    headings: str = ""
    grouping: str = ""


PERCENT_TICKS = tuple((float(at), f"{at} %") for at in range(0, 101, 25))
"""Ticks of an axis of shares."""


def chart_mark(
    run: int,
    interval: Interval | None,
    place: Callable[[float], float],
    text: str,
    band: tuple[float, float] | None = None,
) -> ChartMark:
    """A run's mark.

    Args:
        run: Index of the run on the page.
        interval: Its mean with the interval; None if undefined.
        place: Value -> position.
        text: The number as text.
        band: Positions of worst and best case.
    """
    ends = (interval.mean, interval.low, interval.high) if interval else (None, None, None)
    at, low, high = (None if end is None else place(end) for end in ends)
    return ChartMark(run=run, at=at, low=low, high=high, band=band, text=text)


def mark_share(
    run: int, share: Interval | None, band: tuple[float, float] | None = None, *, text: str = ""
) -> ChartMark:
    """Make a run's mark of a share, on an axis with `PERCENT_TICKS`.

    Args:
        run: Index of the run on the page.
        share: Share, 0 to 1, with its interval; None if undefined.
        band: Worst and best case, percent.
        text: The number as text; "" for the share in percent with its interval.
    """
    words = text or f"{format_interval(share, decimals=1, factor=100)}{' %' if share else ''}"
    return chart_mark(run, share, lambda value: 100 * value, words, band)


def chart_shares(title: str, marks: Iterable[ChartMark], *, line: float | None = None) -> Chart:
    """Make a figure of shares of one group.

    Args:
        title: Key of the score's name in messages.toml; `TITLE_about` is that of how to read the figure.
        marks: Marks of the runs, of `mark_share`.
        line: Position of a reference line, percent; None for no line.
    """
    groups = (("", tuple(marks)),)
    return Chart(title=title, about=f"{title}_about", ticks=PERCENT_TICKS, line=line, groups=groups)


def interval_ends(intervals: Sequence[Interval | None]) -> list[float]:
    """Means and ends of all intervals that have them."""
    ends = [end for one in intervals if one for end in (one.mean, one.low, one.high)]
    return [end for end in ends if end is not None]


def chart_axis(
    values: Sequence[float], *, step: float
) -> tuple[Callable[[float], float], tuple[tuple[float, str], ...]]:
    """A function from value to position, and ticks.

    The axis is a little wider than the values; scores that are 0 or more have none below 0.
    """
    first, last = math.floor(min(values) / step - 0.2), math.ceil(max(values) / step + 0.2)
    first = max(first, 0) if min(values) >= 0 else first
    stride = math.ceil((last - first) / 5)

    def place(value: float) -> float:
        return 100 * (value / step - first) / (last - first)

    ticks = range(first, last + 1, stride)
    return place, tuple((place(tick * step), f"{tick * step:g}") for tick in ticks)
