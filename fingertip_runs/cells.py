"""What the tables of both tracks have in common: cells, and the lines that stand under a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from rich.text import Text

from fingertip_dataset.release.problems import printable
from fingertip_metrics.aggregate import Interval

DIGEST = 8
"""Characters of a sha256 that a table shows."""

NONE = "–"
"""Stands where there is no value."""


class Scored(Protocol):
    """Scores of a run, of either track."""

    @property
    def folder(self) -> Path:
        """Of the run."""

    @property
    def caveats(self) -> tuple[str, ...]:
        """Why its numbers cannot be compared with the paper's."""


def text_cell(cell: str) -> Text:
    """A cell as it is: neither markup, nor what a terminal would obey."""
    return Text(printable(cell))


def number_cell(value: float | None, form: str = ".3f") -> str:
    """A number in that format; a dash where there is none.

    >>> number_cell(0.25, ".0%"), number_cell(None)
    ('25%', '–')
    """
    return NONE if value is None else format(value, form)


def interval_cell(interval: Interval | None, *, decimals: int = 3, factor: float = 1) -> str:
    """A mean with its interval over users; a dash where there is none.

    Args:
        interval: From `bootstrap_mean`.
        decimals: That are shown.
        factor: 100 for percentages.
    """
    if interval is None:
        return NONE
    mean = f"{interval.mean * factor:.{decimals}f}"
    if interval.low is None or interval.high is None:
        return f"{mean} [{interval.short_reason}]"
    return f"{mean} [{interval.low * factor:.{decimals}f}, {interval.high * factor:.{decimals}f}]"


def run_name(run: Scored) -> str:
    """What a run is called: its folder's name."""
    return run.folder.name or str(run.folder)


def caveat_lines(scores: Sequence[Scored]) -> list[str]:
    """A line a caveat, naming the runs that it is of where it is not of all."""
    return said_of(
        scores, ((run, f"Not comparable with the paper: {it}") for run in scores for it in run.caveats)
    )


def said_of(scores: Sequence[Scored], sayings: Iterable[tuple[Scored, str]]) -> list[str]:
    """A line for what is said of runs, each once, naming them where not all are meant."""
    runs: dict[str, list[str]] = {}
    for run, saying in sayings:
        runs.setdefault(saying, []).append(run_name(run))
    lines = []
    for saying, names in runs.items():
        whose = "" if len(names) == len(scores) else f" ({', '.join(names)})"
        lines.append(f"{saying}{whose}.")
    return lines
