"""Plots of bars, columns, tables and intervals as PNG, with a font for the Chinese text of the data.

Every picture is drawn on its own canvas inside `rc_context`, without pyplot, so the caller's matplotlib
settings do not change.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

# in a job whose home cannot be written it caches in a folder for temporary files, and need not say so
logging.getLogger("matplotlib").setLevel(logging.ERROR)

DPI = 150

HEADER = 0.62
"""Inches above the axes for the title and a note of one line."""

NOTE_LINE = 0.15
"""Inches for each further line of a note."""

BLUE, GREY, INK = "#2f6690", "#b8bec4", "#22272b"
SERIES = (BLUE, "#d98324", "#4f8a5b")
"""Colours of up to three series, distinguishable in grey print and by most colour-blind readers."""

LONGEST_LABEL = 44
"""Maximum characters of a label in a picture; the CSV has the full label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """Text around a picture.

    Attributes:
        title: Title of the picture.
        note: Line below the title: the data and their number.
        axis: Label of the value axis.
        empty: Missing data, named in the picture if there is nothing to draw.
    """

    title: str
    note: str
    axis: str = ""
    empty: str = "no episodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar; a muted one is grey because it is not of the same kind as its neighbours ("other")."""

    label: str
    value: int
    muted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean, 0-1, of one group (its position) and series (its colour), with the ends of its interval."""

    group: str
    series: str
    mean: float
    low: float | None
    high: float | None


def shorten(label: str, longest: int = LONGEST_LABEL) -> str:
    """Cut a text to at most `longest` characters, in the middle: both ends of an app's name identify it.

    >>> shorten("com.android.chrome/com.google.android.apps.chrome.Main", 24)
    'com.android.…chrome.Main'
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in label).split())
    if len(line) <= longest:
        return line
    tail = (longest - 1) // 2
    return f"{line[: longest - 1 - tail]}…{line[len(line) - tail :]}"


def plot_bars(bars: Sequence[Bar], caption: Caption, path: Path) -> None:
    """Draws horizontal bars, the first on top, each with its value; suited to long names."""
    with drawing(caption, path, width=8.5, height=1.4 + 0.27 * max(len(bars), 4), empty=not bars) as axes:
        if not bars:
            return
        draw_bars(axes, bars, caption.axis)


def draw_bars(axes: Axes, bars: Sequence[Bar], axis: str, *, longest: int = LONGEST_LABEL) -> None:
    """Draws horizontal bars on axes of a larger figure; `longest` is the maximum label length, characters."""
    places = range(len(bars))
    drawn = axes.barh(places, [bar.value for bar in bars], height=0.72, color=_colours(bars))
    axes.bar_label(drawn, fmt="{:,.0f}", padding=3, fontsize=8.5)
    axes.set_yticks(places, [shorten(bar.label, longest) for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.margins(x=0.09)
    axes.set_xlabel(axis)
    axes.grid(axis="x", alpha=0.25)
    _show_whole_numbers(axes.xaxis)


def plot_columns(bars: Sequence[Bar], caption: Caption, path: Path, *, label: str) -> None:
    """Draws vertical columns from left to right; suited to ordered values or many short names.

    Args:
        bars: The columns.
        caption: Text; `axis` labels the vertical axis.
        path: The PNG.
        label: Label of the horizontal axis.
    """
    width = min(max(8.5, 0.19 * len(bars) + 1.6), 24)
    with drawing(caption, path, width=width, height=4.4, empty=not bars) as axes:
        if not bars:
            return
        draw_columns(axes, bars, caption.axis, label=label)


def draw_columns(axes: Axes, bars: Sequence[Bar], axis: str, *, label: str, ticks: int = 110) -> None:
    """Draws vertical columns on axes of a larger figure.

    Args:
        axes: Axes to draw on.
        bars: The columns.
        axis: Label of the vertical axis.
        label: Label of the horizontal axis.
        ticks: Maximum number of names, and of characters of horizontal names; longer ones are rotated.
    """
    places = range(len(bars))
    drawn = axes.bar(places, [bar.value for bar in bars], width=0.8, color=_colours(bars))
    if len(bars) <= 32 * ticks // 110:
        numbers = [f"{bar.value:,}" if bar.value else "" for bar in bars]
        axes.bar_label(drawn, numbers, padding=2, fontsize=7.5)
    every = -(-len(bars) // ticks)
    names = [shorten(bar.label, 16) for bar in bars][::every]
    crowded = len(names) * max(map(len, names)) > ticks
    axes.set_xticks(places[::every], names, rotation=90 if crowded else 0, fontsize=8.5)
    axes.set_xlim(-0.8, len(bars) - 0.2)
    axes.margins(y=0.1)
    axes.set_xlabel(label)
    axes.set_ylabel(axis)
    axes.grid(axis="y", alpha=0.25)
    _show_whole_numbers(axes.yaxis)


def plot_table(header: Sequence[str], rows: Sequence[Sequence[str]], caption: Caption, path: Path) -> None:
    """Draws a table: the first column left-aligned, the others right-aligned."""
    from matplotlib.transforms import Bbox

    # a caption needs this much, however few the columns
    width = max(1.05 * len(header) + 0.6, 2.4)
    with drawing(caption, path, width=width, height=HEADER + 0.34 * (len(rows) + 2), empty=not rows) as axes:
        if not rows:
            return
        axes.axis("off")
        table = axes.table(
            cellText=[list(row) for row in rows], colLabels=list(header), loc="center", bbox=Bbox.unit()
        )
        table.auto_set_font_size(False)
        table.set_fontsize(9.5)
        for (row, column), cell in table.get_celld().items():
            cell.set_linewidth(0.4)
            cell.set_edgecolor(GREY)
            cell.get_text().set_horizontalalignment("left" if column == 0 else "right")
            if row == 0:
                cell.set_facecolor("#e6edf2")
            elif row == len(rows):
                cell.set_facecolor("#f4f6f8")


def plot_estimates(
    estimates: Sequence[Estimate], caption: Caption, path: Path, *, groups: Sequence[str]
) -> None:
    """Draws means with their intervals on an axis from 0 to 1: a position per group, a colour per series.

    Args:
        estimates: The means, at most one per group and series.
        caption: Text around the picture.
        path: The PNG.
        groups: Every group from left to right; one without an estimate is labelled "nothing found".
    """
    series = list(dict.fromkeys(estimate.series for estimate in estimates))
    with drawing(caption, path, width=8.5, height=4.6, empty=not estimates) as axes:
        if not estimates:
            return
        step = 0.8 / len(series)
        for number, name in enumerate(series):
            members = [estimate for estimate in estimates if estimate.series == name]
            places = [groups.index(e.group) - 0.4 + step * (number + 0.5) for e in members]
            axes.bar(places, [e.mean for e in members], width=step * 0.9, color=SERIES[number], label=name)
            for place, e in zip(places, members, strict=True):
                if e.low is not None and e.high is not None:
                    axes.plot([place, place], [e.low, e.high], color=INK, marker="_")
                _write_mean(axes, place, e, SERIES[number])
        for place in set(range(len(groups))) - {groups.index(e.group) for e in estimates}:
            axes.text(place, 0.03, "nothing found", ha="center", color="#5a646c")
        axes.set_xticks(range(len(groups)), groups)
        axes.set_xlim(-0.6, len(groups) - 0.4)
        axes.set_ylim(0, 1.05)
        axes.set_ylabel(caption.axis)
        axes.grid(axis="y", alpha=0.25)
        axes.legend(frameon=False, ncols=len(series), loc="lower center", bbox_to_anchor=(0.5, -0.25))


@contextmanager
def drawing(caption: Caption, path: Path, *, width: float, height: float, empty: bool) -> Iterator[Axes]:
    """Axes with the caption above them, saved as a PNG when the block ends.

    Args:
        caption: Text around the picture; the caller labels the axes.
        path: The PNG.
        width: Width of the picture, inches.
        height: Height of the picture, inches.
        empty: Whether there is nothing to draw; the picture then states that, and the axes are not used.

    Raises:
        MissingExtraError: matplotlib or the font is not installed.
    """
    height = 2.2 if empty else height
    with canvas(caption, path, width=width, height=height) as figure:
        axes = figure.add_subplot()
        if empty:
            axes.axis("off")
            axes.text(0.5, 0.5, f"Nothing to draw: {caption.empty}", ha="center", va="center")
        yield axes


@contextmanager
def canvas(caption: Caption, path: Path, *, width: float, height: float) -> Iterator[Figure]:
    """A figure with the caption above it and no axes yet, saved when the block ends; sizes in inches.

    Raises:
        MissingExtraError: matplotlib or the font is not installed.
    """
    font = _load_font()
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with (
        rc_context(
            {
                "font.family": [font, "DejaVu Sans"],
                "font.size": 9.5,
                "text.parse_math": False,
                "axes.unicode_minus": False,
                "axes.axisbelow": True,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "text.color": INK,
                "axes.labelcolor": INK,
            }
        ),
        warnings.catch_warnings(),
    ):
        # a user's own scenario may hold an emoji, which no bundled font has: it is drawn as a box
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        above = HEADER + NOTE_LINE * caption.note.count("\n")
        height += above - HEADER
        layout = ConstrainedLayoutEngine(rect=(0, 0, 1, 1 - above / height))
        figure = Figure(figsize=(width, height), dpi=DPI, layout=layout)
        figure.text(0.12 / width, 1 - 0.14 / height, caption.title, va="top", fontsize=12.5)
        figure.text(0.12 / width, 1 - 0.42 / height, caption.note, va="top", fontsize=8.5, color="#5a646c")
        yield figure
        _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    """Writes the PNG. `Figure.savefig` would draw twice, the first time only for the layout."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    # the two methods have no types
    drawn: Any = FigureCanvasAgg(figure)
    drawn.draw()
    Image.fromarray(np.asarray(drawn.buffer_rgba())).save(path, "PNG", dpi=(DPI, DPI))


def _load_font() -> str:
    """Registers the bundled Chinese font with matplotlib, once per process, and returns its name."""
    try:
        import pylopdf_fonts_zh_cn
        from matplotlib.font_manager import FontProperties, fontManager
    except ImportError as error:
        raise MissingExtraError(error.name or "matplotlib", "plots") from error

    path = Path(pylopdf_fonts_zh_cn.__file__).with_name("NotoSansSC-Regular.otf")
    if not any(Path(entry.fname) == path for entry in fontManager.ttflist):
        fontManager.addfont(path)
    return FontProperties(fname=path).get_name()


def _write_mean(axes: Axes, place: float, estimate: Estimate, bar: str) -> None:
    """Writes the mean at the foot of its bar, over the interval's line, or above a bar that is too low."""
    inside = estimate.mean > 0.08
    height = 0.035 if inside else max(estimate.mean, estimate.high or 0) + 0.03
    ink, background = ("white", bar) if inside else (INK, "none")
    box = {"facecolor": background, "edgecolor": "none", "pad": 1.5}
    number = f"{estimate.mean:.3f}"
    axes.text(place, height, number, color=ink, ha="center", va="center", fontsize=8.5, bbox=box, zorder=5)


def _colours(bars: Sequence[Bar]) -> list[str]:
    return [GREY if bar.muted else BLUE for bar in bars]


def _show_whole_numbers(axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(integer=True, nbins="auto"))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
