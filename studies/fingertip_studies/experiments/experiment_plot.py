"""The figure of an experiment: measured values, and published values with distinct marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from fingertip_analysis.statistics.plots import GREY, INK, Caption, drawing, shorten
from fingertip_studies.experiments.catalogue import Experiment
from fingertip_studies.experiments.experiment_table import ExperimentRow, TableMeasure, published_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#2f6690", "#d98324", "#4f8a5b", "#9a4f96", "#b3443c", "#3aa0a8", "#7a6a2f", "#5a646c")
MARKS = "osD^vPX"
"""Colours and marks, cycled over the agents; 8 colours and 7 marks give 56 distinct combinations."""

LONGEST_NAME = 36
"""Maximum characters of an agent's name in a legend."""


LABEL_INCHES, LABEL_HEIGHT = 0.33, 0.04
"""Size of a number above its mark: width in inches, height as a share of the axes' height."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    """The rows of one agent, and their drawing style."""

    label: str
    colour: str
    mark: str
    rows: tuple[ExperimentRow, ...]
    published: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Label:
    """A number above a mark, and the position of the mark's upper end, in data coordinates."""

    x: float
    y: float
    text: str
    colour: str


def plot_experiment(
    experiment: Experiment, rows: Sequence[ExperimentRow], measure: TableMeasure, path: Path, *, note: str
) -> None:
    """Plots one score over the cells with a mark per agent, or over the agents if there is a single cell.

    Published numbers have hollow marks and names: they are of the same setting, but of other tasks, another
    judge or another embedder, unless the table states that ours are comparable. With a single cell they are
    in a separate panel on the right.

    Args:
        experiment: The experiment.
        rows: Rows of its table.
        measure: The score to plot.
        path: The PNG.
        note: Line below the title: the data behind the numbers.

    Raises:
        MissingExtraError: matplotlib or the font is not installed.
    """
    measured = [row for row in rows if row.kind == "measured" and measure.name in row.values]
    published = [row for row in rows if row.kind == "published" and measure.name in row.values]
    single = len(experiment.cells) == 1
    series = _make_series(measured, () if single else published)
    places = [one.label for one in series] if single else [cell.name for cell in experiment.cells]
    width = min(max(8.5, 1.5 * (len(places) + 2 * bool(published and single)) + 1.5), 20)
    columns = 0 if single else _count_legend_columns([one.label for one in series], width)
    height = 4.7 + (0 if single else 0.3 * -(-len(series) // max(columns, 1)))
    caption = Caption(
        title=f"{experiment.heading}: {measure.heading}", note=note, empty=f"no {measure.heading}"
    )
    with drawing(caption, path, width=width, height=height, empty=not measured) as axes:
        if not measured:
            return
        labels: list[_Label] = []
        for number, one in enumerate(series):
            shift = 0.0 if single else 0.76 * ((number + 0.5) / len(series) - 0.5)
            xs = [(number if single else places.index(row.cell)) + shift for row in one.rows]
            labels += _draw_series(axes, xs, one, measure, line="-" if experiment.ordered else "")
        ticks = [fill(shorten(place, LONGEST_NAME), 15) for place in places]
        at: list[float] = list(range(len(places)))
        if published and single:
            _draw_published(axes, published, measure, len(places))
            ticks.append(f"published\n({', '.join(experiment.published)})")
            at.append(len(places) + 0.45)
        axes.set_xticks(at, ticks)
        axes.set_xlim(-0.6, len(places) - 0.4 + (1.7 if published and single else 0))
        if not single:
            for place in at[:-1]:
                axes.axvline(place + 0.5, color=GREY, linewidth=0.6, alpha=0.6)
        _finish(axes, experiment, measure, legend=columns)
        _draw_labels(axes, labels, width)


def _make_series(measured: Sequence[ExperimentRow], published: Sequence[ExperimentRow]) -> list[_Series]:
    """Make a series per agent, published ones last."""
    agents = dict.fromkeys(row.agent for row in measured)
    found = [
        _Series(
            label=shorten(agent, LONGEST_NAME),
            colour=COLOURS[number % len(COLOURS)],
            mark=MARKS[number % len(MARKS)],
            rows=tuple(row for row in measured if row.agent == agent),
        )
        for number, agent in enumerate(agents)
    ]
    for agent in dict.fromkeys(row.agent for row in published):
        theirs = tuple(row for row in published if row.agent == agent)
        label = shorten(f"published: {agent}", LONGEST_NAME)
        found.append(_Series(label=label, colour=INK, mark="d", rows=theirs, published=True))
    return found


def _count_legend_columns(labels: Sequence[str], width: float) -> int:
    """Number of legend columns that fit into a picture of `width` inches."""
    widest = max((len(label.encode("gbk", "replace")) for label in labels), default=1)
    return max(1, min(len(labels), int(width * 10 / (widest + 8))))


def _draw_series(
    axes: Axes, xs: Sequence[float], series: _Series, measure: TableMeasure, *, line: str
) -> list[_Label]:
    """Draws marks and intervals; returns the numbers to write above them."""
    values = [row.values[measure.name] for row in series.rows]
    means = [value.mean * measure.factor for value in values]
    axes.plot(
        xs,
        means,
        linestyle="" if series.published else line,
        linewidth=1,
        color=series.colour,
        marker=series.mark,
        markersize=8 if series.published else 6,
        markerfacecolor="none" if series.published else series.colour,
        label=series.label,
    )
    for x, value in zip(xs, values, strict=True):
        if value.low is not None and value.high is not None:
            ends = [value.low * measure.factor, value.high * measure.factor]
            axes.plot([x, x], ends, color=series.colour, linewidth=1.2, marker="_", markersize=7)
    return [
        _Label(
            x=x,
            y=mean if value.high is None else value.high * measure.factor,
            text=published_text(value, measure) if series.published else f"{mean:.{measure.decimals}f}",
            colour=series.colour,
        )
        for x, value, mean in zip(xs, values, means, strict=True)
    ]


def _draw_labels(axes: Axes, labels: Sequence[_Label], width: float) -> None:
    """Writes the numbers above their marks; of overlapping numbers, the higher ones are moved up.

    Args:
        axes: Axes with their final limits.
        labels: Numbers of all series.
        width: Width of the picture, inches.
    """
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    wide, gap = LABEL_INCHES * (right - left) / (0.88 * width), LABEL_HEIGHT * (high - low)
    ordered = sorted(labels, key=lambda label: label.y)
    ys = spread([(label.x, label.y + 0.7 * gap) for label in ordered], wide, gap)
    for label, y in zip(ordered, ys, strict=True):
        if y - label.y > gap:
            axes.plot([label.x] * 2, [label.y, y], color=label.colour, linewidth=0.4, linestyle=":")
        axes.text(label.x, y, label.text, ha="center", va="bottom", fontsize=7, color=label.colour)
    axes.set_ylim(low, max([high, *(y + 1.2 * gap for y in ys)]))


def spread(points: Sequence[tuple[float, float]], wide: float, gap: float) -> list[float]:
    """Heights of labels, each at its own height or as little above it as avoids overlap with earlier ones.

    Args:
        points: (x, y) of each label, in ascending order of y.
        wide: Minimum horizontal distance of labels at the same height.
        gap: Minimum vertical distance of labels at the same x.

    >>> spread([(0, 1), (0.1, 1), (5, 1)], 1, 0.5)
    [1, 1.5, 1]
    """
    placed: list[tuple[float, float]] = []
    for x, y in points:
        near = sorted(other for at, other in placed if abs(at - x) < wide)
        for other in near:
            if abs(other - y) < gap * 0.999:
                y = other + gap
        placed.append((x, y))
    return [y for _, y in placed]


def _draw_published(axes: Axes, rows: Sequence[ExperimentRow], measure: TableMeasure, place: int) -> None:
    """Hollow marks on grey, each with a line to its name; names that would overlap are moved apart."""
    axes.axvspan(place - 0.4, place + 1.3, color=GREY, alpha=0.18, linewidth=0)
    ordered = sorted(rows, key=lambda row: row.values[measure.name].mean)
    ys = [row.values[measure.name].mean * measure.factor for row in ordered]
    axes.plot([place - 0.25] * len(ys), ys, "d", markersize=7, color=INK, markerfacecolor="none")
    low, high = axes.get_ylim()
    for row, y, at in zip(ordered, ys, _move_apart(ys, 0.055 * (high - low)), strict=True):
        axes.plot([place - 0.2, place - 0.08], [y, at], color=INK, linewidth=0.5)
        text = f"{shorten(row.agent, 22)} {published_text(row.values[measure.name], measure)}"
        axes.text(place - 0.05, at, text, va="center", fontsize=8, color=INK)


def _move_apart(ys: Sequence[float], gap: float) -> list[float]:
    """Positions at least `gap` apart: the mean of pushing all values up and pushing all values down."""
    up, down = list(ys), list(ys)
    for number in range(1, len(ys)):
        up[number] = max(up[number], up[number - 1] + gap)
        down[-number - 1] = min(down[-number - 1], down[-number] - gap)
    return [(one + other) / 2 for one, other in zip(up, down, strict=True)]


def _finish(axes: Axes, experiment: Experiment, measure: TableMeasure, *, legend: int) -> None:
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), high + 0.06 * (high - min(0.0, low)))
    axes.set_ylabel(f"{measure.heading}, 95 % over users")
    words = experiment.published_in_words
    axes.set_xlabel(f"{experiment.axis}\nthe paper, without numbers: {words}" if words else experiment.axis)
    axes.grid(axis="y", alpha=0.25)
    if legend:
        axes.legend(frameon=False, ncols=legend, loc="upper center", bbox_to_anchor=(0.5, -0.21))
