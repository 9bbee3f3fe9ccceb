"""Tables of cells in Markdown, with the gain of each cell over the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fingertip_metrics.aggregate import Interval
from fingertip_studies.learning.learning_cells import LearnedScores

if TYPE_CHECKING:
    from fingertip_studies.learning.tiny_base import BaseOrder

NONE = "n/a"
"""A cell without a value, such as an interval over one person."""
PERCENT = {"same goal", "same goal and case", "SR_2", "right steps", "all steps right"}


def result(
    name: str,
    base: BaseOrder,
    scores: Mapping[str, LearnedScores],
    pairs: Sequence[tuple[str, str]],
    tasks: Sequence[str],
    seconds: Mapping[str, float],
) -> dict[str, Any]:
    """Return the text that is written about a table.

    Args:
        name: Name of the table.
        base: How its base was made.
        scores: Scores by the cell's name, in the order of the rows.
        pairs: Names of the cells whose gains are shown: the first over the second.
        tasks: The tasks that count.
        seconds: Duration of each part.
    """
    cells = list(scores.values())
    shown = gains([(scores[first], scores[second]) for first, second in pairs], tasks)
    return {
        "table": name,
        "tasks": len(tasks),
        "seconds": {part: round(took) for part, took in seconds.items()},
        "base": asdict(base),
        "text": f"{table(cells, tasks)}\n\n{shown}\n",
    }


def table(cells: Sequence[LearnedScores], tasks: Sequence[str]) -> str:
    """Scores of the cells in order, each with its interval over users."""
    names = list(cells[0].values)
    lines = _format_head("model", names)
    for cell in cells:
        scores = (_format_value(name, cell.interval(name, tasks)) for name in names)
        lines.append(f"| {cell.cell.name} | {' | '.join(scores)} |")
    return "\n".join(lines)


def gains(pairs: Sequence[tuple[LearnedScores, LearnedScores]], tasks: Sequence[str]) -> str:
    """Gain of the first of each pair over the second, paired by task."""
    names = list(pairs[0][0].values)
    lines = _format_head("gain", names)
    for cell, other in pairs:
        scores = (_format_value(name, cell.gain(other, name, tasks), signed=True) for name in names)
        lines.append(f"| {cell.cell.name} over {other.cell.name} | {' | '.join(scores)} |")
    return "\n".join(lines)


def _format_head(first: str, names: Sequence[str]) -> list[str]:
    shown = [first, *(f"{name} %" if name in PERCENT else name for name in names)]
    return [f"| {' | '.join(shown)} |", "|---" * len(shown) + "|"]


def _format_value(name: str, interval: Interval, *, signed: bool = False) -> str:
    factor, digits = (100, 1) if name in PERCENT else (1, 3)
    sign = "+" if signed else ""

    def number(value: float | None) -> str:
        return NONE if value is None else f"{factor * value:{sign}.{digits}f}"

    return f"{number(interval.mean)} [{number(interval.low)}, {number(interval.high)}]"
