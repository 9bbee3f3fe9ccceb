"""Figures of the dataset experiments: figure 4 as one picture, figure 5 with a line per query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_analysis.statistics.action_similarity import PAPER_POOLS
from fingertip_analysis.statistics.figures import (
    ALL_CATEGORIES,
    length_bars,
    table_bars,
    top_bars,
    with_english,
)
from fingertip_analysis.statistics.plots import (
    BLUE,
    GREY,
    INK,
    Bar,
    Caption,
    canvas,
    draw_bars,
    draw_columns,
    drawing,
)
from fingertip_dataset.english_names import english_app, english_category
from fingertip_dataset.release.settings import ReleaseSettings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fingertip_analysis.statistics.statistics import EpisodeFacts, StatisticsTable

TOP = 12
"""Number of apps and scenarios in figure 4; the rest is summed up as "other"."""

BINS = 20
"""Maximum number of columns in the histogram of episodes per user."""


def plot_overview(
    facts: Sequence[EpisodeFacts],
    tables: Sequence[StatisticsTable],
    caption: Caption,
    path: Path,
    settings: ReleaseSettings,
) -> None:
    """Draws figure 4: categories on the left, six smaller panels on the right.

    Args:
        facts: Every episode.
        tables: Tables of users, apps, categories, scenarios, hours, lengths and types, in this order.
        caption: Text above the panels.
        path: The PNG.
        settings: Settings of the release: its time zone, and English names of its own.
    """
    users, apps, categories, scenarios, hours, _, types = tables
    named = {str(row[0]): f"{row[0]} ({row[1]})" for row in scenarios.rows if row[1] != "other"}
    places = [
        Bar(label=named.get(bar.label, bar.label), value=bar.value, muted=bar.muted)
        for bar in top_bars(scenarios, TOP, noun="scenarios", count=2)
    ]
    with canvas(caption, path, width=17, height=10.5) as figure:
        grid = figure.add_gridspec(3, 3, width_ratios=(1.1, 1, 1))
        of_category = with_english(
            top_bars(categories, ALL_CATEGORIES, noun="categories", none="in no index table"),
            lambda category: english_category(category, settings),
        )
        of_app = with_english(top_bars(apps, TOP, noun="apps"), lambda app: english_app(app, settings))
        _draw_bars(figure.add_subplot(grid[:, 0]), "Episodes per intent category", of_category)
        _draw_bars(figure.add_subplot(grid[0, 1]), "Episodes per app", of_app)
        _draw_bars(figure.add_subplot(grid[0, 2]), "Episodes per scenario", places)
        _draw_columns(
            figure.add_subplot(grid[1, 1]), "Episodes per hour", table_bars(hours), f"hour, {settings.clock}"
        )
        _draw_columns(
            figure.add_subplot(grid[1, 2]),
            "Actions per episode",
            length_bars(facts) if facts else [],
            "actions",
        )
        _draw_columns(
            figure.add_subplot(grid[2, 1]),
            "Users by their episodes",
            _count_histogram([_whole(row[2]) for row in users.rows]),
            "episodes of a user",
            axis="users",
        )
        _draw_bars(figure.add_subplot(grid[2, 2]), "Types of action", table_bars(types), axis="actions")


def plot_pools(
    values: Mapping[tuple[str, str], float],
    means: Mapping[str, Sequence[object]],
    caption: Caption,
    path: Path,
) -> None:
    """Draws figure 5: a thin line per query over the three pools, and each pool's mean with its interval.

    Args:
        values: (category, pool) -> similarity, 0-100.
        means: Pool -> mean, low, high.
        caption: Text around the picture.
        path: The PNG.
    """
    with drawing(caption, path, width=8.5, height=5.2, empty=not values) as axes:
        if not values:
            return
        for category in dict.fromkeys(category for category, _ in values):
            places = [n for n, pool in enumerate(PAPER_POOLS) if (category, pool) in values]
            heights = [values[category, PAPER_POOLS[n]] for n in places]
            axes.plot(places, heights, color=GREY, linewidth=0.8, marker="o", markersize=3.5, zorder=1)
        for place, pool in enumerate(PAPER_POOLS):
            if pool in means:
                _draw_mean(axes, place, means[pool])
            else:
                axes.text(place, 50, "nothing found", ha="center", color="#5a646c")
        axes.set_xticks(range(len(PAPER_POOLS)), PAPER_POOLS)
        axes.set_xlim(-0.4, len(PAPER_POOLS) - 0.5)
        axes.set_ylim(0, 104)
        axes.set_ylabel(caption.axis)
        axes.grid(axis="y", alpha=0.25)


def _draw_mean(axes: Axes, place: int, values: Sequence[object]) -> None:
    mean, low, high = (value if isinstance(value, float) else None for value in values)
    if mean is None:
        return
    if low is not None and high is not None:
        axes.plot([place] * 2, [low, high], color=INK, linewidth=2, marker="_", markersize=14, zorder=3)
    axes.plot([place], [mean], color=BLUE, marker="D", markersize=9, zorder=4)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    axes.annotate(
        f"{mean:.1f}",
        (place, mean),
        (14, 0),
        textcoords="offset points",
        va="center",
        fontsize=11,
        bbox=box,
        zorder=5,
    )


def _draw_bars(axes: Axes, title: str, bars: Sequence[Bar], axis: str = "episodes") -> None:
    if _add_title(axes, title, bars):
        draw_bars(axes, bars, axis, longest=26)


def _draw_columns(axes: Axes, title: str, bars: Sequence[Bar], label: str, axis: str = "episodes") -> None:
    if _add_title(axes, title, bars):
        draw_columns(axes, bars, axis, label=label, ticks=48)


def _add_title(axes: Axes, title: str, bars: Sequence[Bar]) -> bool:
    axes.set_title(title, loc="left", fontsize=10.5)
    if not bars:
        axes.axis("off")
        axes.text(0.5, 0.5, "nothing to draw", ha="center", va="center")
    return bool(bars)


def _count_histogram(counts: Sequence[int]) -> list[Bar]:
    """Histogram with bins of equal integer width, including empty ones."""
    if not counts:
        return []
    width = max(1, -(-(max(counts) - min(counts) + 1) // BINS))
    low = min(counts) // width * width
    users = Counter((count - low) // width for count in counts)
    spread = range((max(counts) - low) // width + 1)
    names = {
        n: str(low + n) if width == 1 else f"{low + n * width}–{low + (n + 1) * width - 1}" for n in spread
    }
    return [Bar(label=names[n], value=users[n]) for n in spread]


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
