"""Tables of cells in Markdown, with the gain of each cell over the one before."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.learning.cells import SCORES, CellScores
from fingertip_metrics.aggregate import Interval

PERCENT = {"same goal", "same goal and case"}


def table(cells: Sequence[CellScores], tasks: Sequence[str]) -> str:
    """Scores of the cells in order, each with its interval over users."""
    lines = _head("model")
    for cell in cells:
        scores = (_text(name, cell.interval(name, tasks)) for name in SCORES)
        lines.append(f"| {cell.cell.name} | {' | '.join(scores)} |")
    return "\n".join(lines)


def gains(pairs: Sequence[tuple[CellScores, CellScores]], tasks: Sequence[str]) -> str:
    """Gain of the first of each pair over the second, paired by task."""
    lines = _head("gain")
    for cell, other in pairs:
        scores = (_text(name, cell.gain(other, name, tasks), signed=True) for name in SCORES)
        lines.append(f"| {cell.cell.name} over {other.cell.name} | {' | '.join(scores)} |")
    return "\n".join(lines)


def _head(first: str) -> list[str]:
    names = [first, *(f"{name} %" if name in PERCENT else name for name in SCORES)]
    return [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]


def _text(name: str, interval: Interval, *, signed: bool = False) -> str:
    factor, digits = (100, 1) if name in PERCENT else (1, 3)
    sign = "+" if signed else ""

    def number(value: float | None) -> str:
        return "-" if value is None else f"{factor * value:{sign}.{digits}f}"

    return f"{number(interval.mean)} [{number(interval.low)}, {number(interval.high)}]"
