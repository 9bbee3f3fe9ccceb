"""The robustness table of Sim_2 that `fingertip score --also-types` prints, and the notes below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.table import Table

from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_analysis.report.execution_tables import by_kind
from fingertip_analysis.user_types.type_scores import TypeScores
from fingertip_metrics.aggregate import Interval
from fingertip_runs.cells import format_interval, format_number, run_name, text_cell
from fingertip_runs.device_kinds import DEVICE_KINDS

OWN = "dataset's"
"""Name of the row of the dataset's own types, which is that of the main table."""

TITLE = "Sim_2 with people put into types in other ways (not in the paper)"
SAME = "same tasks [95 %]"
"""Column of Sim_2 by the dataset's own types, of the tasks that a row has."""
MOST_NAMES = 10
"""Most tasks and users that a note names."""

ScoredTypes = Sequence[tuple[ExecutionRunScores, Sequence[TypeScores]]]
"""Each run with its scores under the definitions."""


def type_tables(runs: ScoredTypes) -> list[Table]:
    """A table per kind of device: for each run a row of the dataset's own types, then one per definition."""
    types_of = {id(scores): types for scores, types in runs}
    tables = []
    for kind, of_kind in by_kind([scores for scores, _ in runs]):
        table = Table(title=f"{TITLE}: {DEVICE_KINDS[kind].score_title}", title_justify="left")
        table.add_column("run", overflow="fold", min_width=9)
        table.add_column("types", overflow="fold", min_width=9)
        missing = _has_missing(types_of[id(scores)] for scores in of_kind)
        for head in ("Sim_2 [95 %]", "S_II", *((SAME,) if missing else ()), "n"):
            table.add_column(head, justify="right")
        for scores in of_kind:
            for row in _list_rows(scores, types_of[id(scores)], missing=missing):
                table.add_row(*map(text_cell, row))
            table.add_section()
        tables.append(table)
    return tables


def type_notes(runs: ScoredTypes) -> list[str]:
    """Describe the definitions, and name what they leave out."""
    if not runs:
        return []
    lines = [
        "Other types: only S_II differs, the similarity with a person of another type. Each row takes the "
        "episode with the most similar intent of a person of another type by its own definition. The paper's "
        "types are age groups, so these rows are not its number."
    ]
    if _has_missing(types for _, types in runs):
        lines.append(
            f"A task without such an episode is left out of its row; {SAME} is Sim_2 by the dataset's types "
            "of the tasks that stay."
        )
    methods = [(scores, f"{one.typing.name}: {_describe(one)}") for scores, types in runs for one in types]
    shared = {words for _, words in methods}
    for words in dict.fromkeys(words for _, words in methods):
        named = [run_name(scores) for scores, own in methods if own == words]
        # runs on one dataset have the same types
        whose = "" if len(named) == len(runs) or len(shared) == 1 else f"{', '.join(named)}: "
        lines.append(f"{whose}{words}.")
    for scores, types in runs:
        lines += [f"{run_name(scores)}, {line}" for one in types for line in _describe_missing(one)]
    return lines


def _has_missing(types: Iterable[Sequence[TypeScores]]) -> bool:
    """Whether a definition leaves out a task of a run."""
    return any(one.n < len(one.tasks) for of_run in types for one in of_run)


def _list_rows(
    scores: ExecutionRunScores, types: Sequence[TypeScores], *, missing: bool
) -> Iterator[list[str]]:
    """Yield the cells of a run's rows, with `SAME` if a row of the table leaves tasks out."""
    means, count = scores.means, f"{len(scores.tasks):,}"
    same = [""] if missing else []
    yield [run_name(scores), OWN, format_interval(means["sim2"]), _format_mean(means["s_ii"]), *same, count]
    for one in types:
        same = [format_interval(one.own_sim2)] if missing else []
        yield ["", one.typing.name, format_interval(one.sim2), _format_mean(one.s_ii), *same, f"{one.n:,}"]


def _format_mean(interval: Interval | None) -> str:
    return format_number(None if interval is None else interval.mean)


def _describe(one: TypeScores) -> str:
    typing = one.typing
    if typing.name == "any":
        return typing.method
    sizes = ", ".join(f"{size:,} of type {kind}" for kind, size in typing.sizes.items())
    without = f"; without a type: {_list_names(typing.without)}" if typing.without else ""
    return f"{typing.method} (users: {sizes or 'none'}{without})"


def _describe_missing(one: TypeScores) -> Iterator[str]:
    for reason, tasks in one.reasons.items():
        yield (
            f"{one.typing.name}: {len(tasks):,} of {len(one.tasks):,} tasks left out {reason}: "
            f"{_list_names(tasks)}."
        )


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")
