"""Tables of repeated runs: means over tries, pass@k and pass^k, and what the intervals know of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from fingertip_metrics.aggregate import Interval
from fingertip_runs.cells import format_interval, text_cell
from fingertip_runs.repeat_scores import ALIKE, RepeatScores

COLUMNS = {
    "sr1": ("SR_1 % [95 %]", 1, 100),
    "sim1": ("Sim_1 [95 %]", 3, 1),
    "cosine": ("cosine", 3, 1),
    "levenshtein": ("text", 3, 1),
    "right": ("right % [95 %]", 1, 100),
    "false_trigger_rate": ("false triggers % [95 %]", 1, 100),
    "missed_rate": ("missed % [95 %]", 1, 100),
    "hit_rate": ("hits % [95 %]", 1, 100),
    "utility": ("utility [95 %]", 3, 1),
    "brier": ("Brier", 3, 1),
    "sr2": ("SR_2 % [95 %]", 1, 100),
    "sim2": ("Sim_2 [95 %]", 3, 1),
    "identification": ("identified % [95 %]", 1, 100),
    "s_i": ("S_I", 3, 1),
    "s_ii": ("S_II", 3, 1),
    "step_ratio": ("steps x", 2, 1),
}
"""Name of a score -> its column, decimals and factor."""

BARE = ("brier", "cosine", "levenshtein", "s_i", "s_ii", "step_ratio")
"""Scores whose interval only --json has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatRow:
    """A repeated run on a report page.

    Attributes:
        name: Name of its folder.
        tries: Number of tries.
        tasks: Number of tasks.
        means: (title of a score, mean, decimals, factor), of those that it has.
        rates: (k, pass@k, pass^k); empty without a success.
    """

    name: str
    tries: int
    tasks: int
    means: tuple[tuple[str, Interval, int, float], ...]
    rates: tuple[tuple[int, Interval, Interval], ...]


def make_repeat_rows(scores: Sequence[RepeatScores]) -> tuple[RepeatRow, ...]:
    """The repeated runs of a report page."""
    return tuple(
        RepeatRow(
            name=run.folder.name,
            tries=run.tries,
            tasks=run.tasks,
            means=tuple(
                (title.removesuffix(" [95 %]"), found, decimals, factor)
                for name, (title, decimals, factor) in COLUMNS.items()
                if (found := run.means.get(name)) is not None
            ),
            rates=tuple(
                (k, *pair)
                for k, pair in enumerate(
                    zip(run.rates.at_least_one, run.rates.every, strict=True) if run.rates else (), start=1
                )
            ),
        )
        for run in scores
    )


def build_repeat_tables(scores: Sequence[RepeatScores]) -> list[Table]:
    """A table with the means of repeated runs, and one for each run with its pass@k and pass^k.

    Args:
        scores: Scores of repeated runs of one track; without any there is no table.
    """
    if not scores:
        return []
    table = Table(title="Repeated runs: mean over tries, then over tasks", title_justify="left")
    table.add_column("run", overflow="fold")
    table.add_column("tries", justify="right")
    shown = [name for name in COLUMNS if any(run.means.get(name) for run in scores)]
    for name in shown:
        table.add_column(COLUMNS[name][0], justify="right", no_wrap=True)
    table.add_column("n", justify="right")
    for run in scores:
        cells = [run.folder.name, f"{run.tries}", *(_format_mean(run, name) for name in shown)]
        table.add_row(*map(text_cell, [*cells, f"{run.tasks:,}"]))
    return [table, *(_build_rate_table(run) for run in scores if run.rates)]


def _format_mean(run: RepeatScores, name: str) -> str:
    _, decimals, factor = COLUMNS[name]
    found = run.means.get(name)
    if found is not None and name in BARE:
        return f"{found.mean * factor:.{decimals}f}"
    return format_interval(found, decimals=decimals, factor=factor)


def _build_rate_table(run: RepeatScores) -> Table:
    """pass@k and pass^k of a repeated run for every k."""
    table = Table(title=f"{run.folder.name}: success in k of {run.tries} tries", title_justify="left")
    for name in ("k", "pass@k % [95 %]", "pass^k % [95 %]"):
        table.add_column(name, justify="right", no_wrap=True)
    rates = run.rates
    if rates is None:
        return table
    for k, pair in enumerate(zip(rates.at_least_one, rates.every, strict=True), start=1):
        table.add_row(f"{k}", *(format_interval(one, decimals=1, factor=100) for one in pair))
    return table


def describe_repeats(scores: Sequence[RepeatScores]) -> list[str]:
    """The notes below the tables of repeated runs; empty without any."""
    if not scores:
        return []
    lines = [
        "In a repeated run each task has the mean of its tries, and n counts tasks. Its intervals are by "
        "bootstrap over people and, within their tasks, over tries."
    ]
    if any(run.rates for run in scores):
        lines.append(
            "pass@k: chance that at least one of k tries succeeds (Chen et al. 2021); pass^k: that all k do "
            "(tau-bench)."
        )
    alike = [run.folder.name for run in scores if run.alike]
    return lines + ([f"Warning: {', '.join(alike)}: {ALIKE}."] if alike else [])
