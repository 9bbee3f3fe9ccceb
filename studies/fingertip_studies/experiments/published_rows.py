"""The paper's rows in the table of an experiment of track 1, and those in a separate table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import is_comparable_row
from fingertip_runs.published_cells import format_published, published_heading
from fingertip_studies.experiments.catalogue import Experiment, ExperimentCell
from fingertip_studies.experiments.experiment_table import ExperimentRow, make_published_row
from suggestion_runner.scoring import SuggestionRunScores
from suggestion_runner.suggestion_published import COLUMNS, as_the_paper, setting_of

APART_TITLE = "Published by the paper in another setting: not comparable with the rows above"
"""Title of the table of published rows that are not comparable with the measured ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRows:
    """The published rows of an experiment.

    Attributes:
        beside: Comparable rows, for the experiment's table.
        apart: (name of the cell, row) of each row that is not comparable.
        notes: Reasons in words why they are not comparable.
    """

    beside: tuple[ExperimentRow, ...]
    apart: tuple[tuple[str, PublishedRow], ...]
    notes: tuple[str, ...]


def place_rows(experiment: Experiment, measured: Mapping[str, Sequence[SuggestionRunScores]]) -> PlacedRows:
    """Places published rows with runs of their setting and data, with the scores that are computed alike.

    Args:
        experiment: The experiment.
        measured: Name of a cell -> scores of its runs; a cell that was not run has none.
    """
    cells = {cell.name: cell for cell in experiment.cells}
    beside, apart = [], []
    reasons: Counter[str] = Counter()
    for name, row in experiment.published_rows():
        alike, why = _is_alike(row, cells[name], measured.get(name, ()))
        if why:
            apart.append((name, row))
            reasons[why] += 1
            continue
        shown = make_published_row(name, row, of=experiment.of)
        kept = as_the_paper(alike)
        beside.append(replace(shown, values={key: shown.values[key] for key in shown.values if key in kept}))
    tables = ", ".join(experiment.published)
    commands = " and ".join(f'fingertip paper "{table}"' for table in experiment.published)
    notes = tuple(
        f"{count} of {len(apart) + len(beside)} published rows of {tables} are not in this table: {why}. "
        f"{commands} prints them, --published prints them below."
        for why, count in reasons.items()
    )
    return PlacedRows(beside=tuple(beside), apart=tuple(apart), notes=notes)


def apart_cells(
    experiment: Experiment, apart: Sequence[tuple[str, PublishedRow]]
) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    """Title, header and cells of the separate table of published rows."""
    header = ("cell", "published", *map(published_heading, COLUMNS))
    cells = [
        (
            name,
            make_published_row(name, row, of=experiment.of).agent,
            *(format_published(row, key) for key in COLUMNS),
        )
        for name, row in apart
    ]
    return APART_TITLE, header, cells


def _is_alike(
    row: PublishedRow, cell: ExperimentCell, runs: Sequence[SuggestionRunScores]
) -> tuple[list[SuggestionRunScores], str]:
    """The runs that a row is comparable with, and the reason if there are none."""
    alike = [
        run
        for run in runs
        if is_comparable_row(row, replace(setting_of(run.record, papers_test=True), subset=cell.subset))
    ]
    if not any(run.on_papers_test for run in runs):
        return [], "they are of the authors' own test episodes, all of them, these runs are not"
    found = [run for run in alike if run.on_papers_test]
    if not found:
        return [], "they were measured in another setting than these runs"
    if not as_the_paper(found):
        return [], "they were scored by the paper's embedder and judge, these runs were not"
    return found, ""
