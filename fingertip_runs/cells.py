"""Cells of the tables of both tracks, and the lines below a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from rich.text import Text

from fingertip_dataset.release.problems import printable
from fingertip_metrics.aggregate import Interval
from fingertip_runs.repeats import is_repeated

DIGEST = 8
"""Number of characters of a sha256 shown in a table."""

NONE = "–"
"""Cell without a value."""


class Scored(Protocol):
    """Scores of a run of either track."""

    @property
    def folder(self) -> Path:
        """Folder of the run."""

    @property
    def caveats(self) -> tuple[str, ...]:
        """Why its numbers cannot be compared with the paper's."""


def text_cell(cell: str) -> Text:
    """Literal text as a cell: no markup, and control characters escaped."""
    return Text(printable(cell))


def format_number(value: float | None, form: str = ".3f") -> str:
    """A number in a format; a dash for None.

    >>> format_number(0.25, ".0%"), format_number(None)
    ('25%', '–')
    """
    return NONE if value is None else format(value, form)


def format_seconds(value: float | None) -> str:
    """Mean seconds, to the hundredth; a dash for None.

    >>> format_seconds(1.234), format_seconds(0.0000011), format_seconds(0.0), format_seconds(None)
    ('1.23', '<0.01', '0', '–')
    """
    if value is not None and value < 0.005:
        return "<0.01" if value else "0"
    return format_number(value, ".2f")


def format_interval(interval: Interval | None, *, decimals: int = 3, factor: float = 1) -> str:
    """A mean with its interval over users; a dash for None.

    Args:
        interval: From `bootstrap_mean`.
        decimals: Number of decimals shown.
        factor: 100 for percentages.
    """
    if interval is None:
        return NONE
    mean = f"{interval.mean * factor:.{decimals}f}"
    if interval.low is None or interval.high is None:
        return f"{mean} [{interval.short_reason}]"
    return f"{mean} [{interval.low * factor:.{decimals}f}, {interval.high * factor:.{decimals}f}]"


def format_spread(interval: Interval | None, *, decimals: int = 3, factor: float = 1) -> str:
    """A mean as of `format_interval`, but alone where all users have the same, as --json says."""
    if interval is not None and interval.low is None and interval.clusters > 1:
        return f"{interval.mean * factor:.{decimals}f}"
    return format_interval(interval, decimals=decimals, factor=factor)


def run_name(run: Scored) -> str:
    """Name of a run: its folder's name, of a try with that of its repeated run."""
    folder = run.folder
    if is_repeated(folder.parent):
        return f"{folder.parent.name}/{folder.name}"
    return folder.name or str(folder)


def caveat_lines(scores: Sequence[Scored]) -> list[str]:
    """List the caveats, each naming its runs unless it holds for all."""
    return note_lines(
        scores, ((run, f"Not comparable with the paper: {it}") for run in scores for it in run.caveats)
    )


def note_lines(scores: Sequence[Scored], notes: Iterable[tuple[Scored, str]]) -> list[str]:
    """List the distinct notes, each naming its runs unless it holds for all.

    Args:
        scores: Scores of all runs.
        notes: (run, note) pairs.
    """
    runs: dict[str, list[str]] = {}
    for run, note in notes:
        runs.setdefault(note, []).append(run_name(run))
    lines = []
    for note, names in runs.items():
        of_runs = "" if len(names) == len(scores) else f" ({', '.join(names)})"
        lines.append(f"{note}{of_runs}.")
    return lines
