"""The figure of an experiment: what was measured here, and beside it, drawn otherwise, what was published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_analysis.experiments.catalogue import Experiment
from fingertip_analysis.experiments.table import Measure, Row, Value
from fingertip_analysis.statistics.plots import GREY, INK, Caption, drawing, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#2f6690", "#d98324", "#4f8a5b", "#9a4f96", "#b3443c", "#3aa0a8", "#7a6a2f", "#5a646c")
MARKS = "osD^vPX"
"""Colours and marks of agents, in turn, not as many of the ones as of the others: 56 agents all differ."""

LONGEST_NAME = 30
"""Characters of an agent's name in a legend."""


def plot_experiment(
    experiment: Experiment, rows: Sequence[Row], measure: Measure, path: Path, *, note: str
) -> None:
    """One score over the cells, a mark an agent; over the agents where there is a single cell.

    Published numbers stand in a part of their own to the right, hollow and named, for they are of other
    tasks, or of another judge or embedder, unless the table says that ours are comparable.

    Args:
        experiment: Which.
        rows: Of its table.
        measure: Which score.
        path: The PNG.
        note: What the numbers are of.

    Raises:
        MissingExtraError: matplotlib or the font is not installed.
    """
    measured = [row for row in rows if row.kind == "measured" and measure.name in row.values]
    published = [row for row in rows if row.kind == "published" and measure.name in row.values]
    single = len(experiment.cells) == 1
    agents = list(dict.fromkeys(row.agent for row in measured))
    places = agents if single else [cell.name for cell in experiment.cells]
    width = min(max(8.5, 1.5 * (len(places) + 2 * bool(published)) + 1.5), 20)
    columns = 0 if single else _legend_columns(agents, width)
    height = 4.7 + (0 if single else 0.3 * -(-len(agents) // max(columns, 1)))
    caption = Caption(
        title=f"{experiment.heading}: {measure.heading}", note=note, empty=f"no {measure.heading}"
    )
    with drawing(caption, path, width=width, height=height, empty=not measured) as axes:
        if not measured:
            return
        for number, agent in enumerate(agents):
            shift = 0.0 if single else 0.7 * ((number + 0.5) / len(agents) - 0.5)
            mine = [row for row in measured if row.agent == agent]
            xs = [places.index(row.agent if single else row.cell) + shift for row in mine]
            values = [row.values[measure.name] for row in mine]
            line = "-" if experiment.ordered else ""
            _draw_agent(axes, xs, values, measure, number, label=shorten(agent, LONGEST_NAME), line=line)
        ticks = [shorten(place, 24) for place in places]
        at: list[float] = list(range(len(places)))
        if published:
            _draw_published(axes, published, measure, len(places))
            ticks.append(f"published\n({_whence(experiment)})")
            at.append(len(places) + 0.45)
        axes.set_xticks(at, ticks)
        axes.set_xlim(-0.6, len(places) - 0.4 + (1.7 if published else 0))
        _finish(axes, experiment, measure, legend=columns)


def _legend_columns(agents: Sequence[str], width: float) -> int:
    """As many as fit side by side into a picture of that width, in inches."""
    widest = max((len(shorten(agent, LONGEST_NAME).encode("gbk", "replace")) for agent in agents), default=1)
    return max(1, min(len(agents), int(width * 10 / (widest + 8))))


def _whence(experiment: Experiment) -> str:
    """Of which table published numbers are, and of which cell's settings where it is another table."""
    return ", ".join(
        dict.fromkeys(
            beside.table if beside.table == experiment.of else f"{beside.table}, as {beside.cell}"
            for beside in experiment.published
        )
    )


def _draw_agent(
    axes: Axes,
    xs: Sequence[float],
    values: Sequence[Value],
    measure: Measure,
    number: int,
    *,
    label: str,
    line: str,
) -> None:
    colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
    means = [value.mean * measure.factor for value in values]
    axes.plot(xs, means, linestyle=line, linewidth=1, color=colour, marker=mark, markersize=6, label=label)
    for x, value in zip(xs, values, strict=True):
        if value.low is not None and value.high is not None:
            ends = [value.low * measure.factor, value.high * measure.factor]
            axes.plot([x, x], ends, color=colour, linewidth=1.2, marker="_", markersize=7)
    for x, value, mean in zip(xs, values, means, strict=True):
        top = mean if value.high is None else value.high * measure.factor
        axes.annotate(
            f"{mean:.{measure.decimals}f}",
            (x, top),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            fontsize=7,
            color=colour,
        )


def _draw_published(axes: Axes, rows: Sequence[Row], measure: Measure, place: int) -> None:
    """Hollow marks with their names, on a grey ground, each name moved up where it would hide the last."""
    axes.axvspan(place - 0.4, place + 1.3, color=GREY, alpha=0.18, linewidth=0)
    unique = {(row.agent, row.values[measure.name].mean * measure.factor) for row in rows}
    gap = 0.045 * measure.factor
    at = float("-inf")
    for name, value in sorted(unique, key=lambda found: found[1]):
        at = max(value, at + gap)
        axes.plot([place - 0.2], [value], marker="d", markersize=8, color=INK, markerfacecolor="none")
        axes.text(
            place - 0.1,
            at,
            f"{shorten(name, 22)} {value:g}",
            va="center",
            fontsize=8,
            color=INK,
        )


def _finish(axes: Axes, experiment: Experiment, measure: Measure, *, legend: int) -> None:
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), high + 0.06 * (high - min(0.0, low)))
    axes.set_ylabel(f"{measure.heading}, 95 % over users")
    axes.set_xlabel(experiment.axis)
    axes.grid(axis="y", alpha=0.25)
    if legend:
        axes.legend(frameon=False, ncols=legend, loc="upper center", bbox_to_anchor=(0.5, -0.16))
