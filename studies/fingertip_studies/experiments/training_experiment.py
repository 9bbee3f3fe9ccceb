"""Table of an experiment that trains models: scores of both tracks in a row, beside the published rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from execution_runner.scoring import execution_published
from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.run_scores import score_run as score_execution_run
from execution_runner.scoring.run_scores import write_scores as write_execution_scores
from fingertip_analysis.report.execution_tables import notes as execution_notes
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.problems import printable
from fingertip_metrics.published import PublishedRow, published_rows
from fingertip_metrics.published_beside import is_comparable_row
from fingertip_models.checkpoint import read_training
from fingertip_runs.cells import format_number
from fingertip_runs.published_cells import format_published, published_heading
from fingertip_studies.experiments import subset_execution, suggestion_experiment
from fingertip_studies.experiments.catalogue import NO_TRAINING, Experiment, ExperimentCell
from fingertip_studies.experiments.execution_experiment import success_notes
from fingertip_studies.experiments.experiment_table import (
    FIELDS,
    MEASURES,
    ExperimentRow,
    MeasuredValue,
    csv_text,
    make_published_row,
    row_data,
    table_page,
    value_cell,
    write_table,
)
from fingertip_studies.experiments.published_rows import APART_TITLE
from fingertip_studies.experiments.subsets import EXECUTION_TEST, TaskSubsets
from fingertip_studies.experiments.suggestion_experiment import ExperimentResult, Scoring
from fingertip_studies.experiments.training_plan import (
    PAPER_EPISODES,
    PlannedCell,
    TrainingPlan,
    list_changed_settings,
)
from suggestion_runner import suggestion_published
from suggestion_runner.scoring import SuggestionRunScores, score_run, write_scores
from suggestion_runner.suggestion_tables import notes as suggestion_notes

TABLE_MEASURES = tuple(
    measure for measure in MEASURES if measure.name in ("sr1", "sim1", "sr2", "sim2", "step_ratio")
)
EXECUTION_TASKS = "execution_tasks"
"""Value with the number of tasks of track 2 in the means; `ExperimentRow.n` counts those of track 1."""

NAMED_SETTINGS = ("learning_rate", "epochs", "batch_size", "alpha_per_rank", "checkpoints")
"""Settings of training that the note on the paper's silence gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellScores:
    """Scores of a cell's model on both tracks, and the caveats of its training.

    Attributes:
        planned: The cell.
        suggestion: Scores of track 1.
        execution: Scores of track 2.
        caveats: How its training differs from the paper's.
    """

    planned: PlannedCell
    suggestion: SuggestionRunScores
    execution: ExecutionRunScores
    caveats: tuple[str, ...]


def make_training_table(plan: TrainingPlan, dataset: Path, out: Path, scoring: Scoring) -> ExperimentResult:
    """Score the runs of a plan, and write table.csv and table.md into OUT/NAME.

    Args:
        plan: The plan, whose runs are finished.
        dataset: The built dataset.
        out: Folder of all experiments.
        scoring: Settings of scoring.

    Raises:
        RunError: A run is not finished, or a file cannot be written.
    """
    experiment = plan.experiment
    cells = _score_cells(plan, scoring)
    has_subsets = any(cell.subset for cell in experiment.trained)
    subsets = TaskSubsets(BuiltDataset.open(dataset)) if has_subsets else None
    beside, apart = _place_published(experiment, cells)
    rows: list[ExperimentRow] = []
    for scores in cells:
        rows.append(_make_row(scores, subsets, scoring, _name_model(plan, scores.planned)))
        rows += [row for row in beside if row.cell == scores.planned.label]
    rows += [row for row in beside if row not in rows]
    notes = tuple(_list_notes(plan, cells, subsets, beside, apart))
    files = _write(experiment, rows, notes, out / experiment.name)
    return ExperimentResult(
        experiment=experiment, rows=tuple(rows), notes=notes, files=files, apart=tuple(apart)
    )


def table_cells(
    rows: Sequence[ExperimentRow], *, intervals: bool = True
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and cells of the printed table; published rows have "published" before their name."""
    known = {name for row in rows for name in row.values}
    measures = [measure for measure in TABLE_MEASURES if measure.name in known]
    interval = " [95 %]" if intervals else ""
    header = ("cell", "model", *(f"{one.heading}{interval}" for one in measures), "n 1", "n 2")
    cells = []
    for row in rows:
        model = f"published: {row.agent}" if row.kind == "published" else row.agent
        count = row.values.get(EXECUTION_TASKS)
        counts = (format_number(row.n, ","), format_number(count.mean if count else None, ",.0f"))
        values = (value_cell(row, one, intervals=intervals) for one in measures)
        cells.append(tuple(map(printable, (row.cell, model, *values, *counts))))
    return header, cells


def apart_cells(result: ExperimentResult) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    """Title, header and cells of the separate table of published rows."""
    header = ("cell", "published", *(published_heading(one.name) for one in TABLE_MEASURES))
    cells = [
        (label, row.agent, *(format_published(row, one.name) for one in TABLE_MEASURES))
        for label, row in result.apart
    ]
    return APART_TITLE, header, cells


def training_row_data(row: ExperimentRow) -> dict[str, str | float | int | None]:
    """A row in machine-readable form, with the scores of both tracks."""
    return row_data(row, TABLE_MEASURES, means=(EXECUTION_TASKS,), fields=FIELDS)


def _score_cells(plan: TrainingPlan, scoring: Scoring) -> list[CellScores]:
    suggestion: dict[Path, SuggestionRunScores] = {}
    execution: dict[Path, ExecutionRunScores] = {}
    for run in plan.runs:
        if run.track == "suggestion":
            suggestion[run.folder] = score_run(
                run.folder, embedder=scoring.embedder, protocol=scoring.protocol, judge=scoring.judge
            )
            write_scores(suggestion[run.folder])
        else:
            execution[run.folder] = score_execution_run(run.folder, protocol=scoring.protocol)
            write_execution_scores(execution[run.folder])
    published = {row.name: row for row in published_rows(str(plan.experiment.of))}
    return [
        CellScores(
            planned=cell,
            suggestion=suggestion[cell.runs["suggestion"].folder],
            execution=execution[cell.runs["execution"].folder],
            caveats=tuple(_list_training_caveats(plan, cell, published[cell.cell.published_row])),
        )
        for cell in plan.cells
    ]


def _list_training_caveats(plan: TrainingPlan, planned: PlannedCell, row: PublishedRow) -> Iterator[str]:
    """How the base and the training of a cell differ from those of its published row."""
    setting, choice = row.setting, plan.choice
    papers_base = setting["base_model"] or setting["model"]
    if not _is_same_name(choice.base, papers_base):
        yield f"base {Path(choice.base).name}: the paper's is {papers_base}"
    if planned.cell.trained_on == NO_TRAINING:
        return
    papers, total = planned.cell.episodes, plan.train_episodes
    if papers is not None and planned.episodes != papers:
        drawn = "" if choice.episodes else ", the same share of the training episodes"
        yield (
            f"{planned.episodes:,} of {total:,} training episodes{drawn}: the paper's model has {papers:,} "
            f"of {PAPER_EPISODES:,}"
        )
    if papers is None and not planned.cell.exclude_unseen and total != PAPER_EPISODES:
        yield f"all {total:,} training episodes: the paper's are {PAPER_EPISODES:,}"
    changed = {
        name: value
        for name, value in list_changed_settings(choice.settings).items()
        if name != "seed" or value
    }
    values = choice.settings.values.model_dump()
    shown = {name: values[name] for name in NAMED_SETTINGS if name not in changed} | changed
    given = ", ".join(f"{name} {value}" for name, value in shown.items())
    yield f"settings of training of this project ({given}): the paper gives the rank alone"


def _is_same_name(base: str, papers: str) -> bool:
    ours, theirs = (
        "".join(filter(str.isalnum, name.rpartition("/")[2].lower())) for name in (base.rstrip("/"), papers)
    )
    return ours.startswith(theirs)


def _name_model(plan: TrainingPlan, planned: PlannedCell) -> str:
    base = Path(plan.choice.base).name
    return base if planned.cell.trained_on == NO_TRAINING else f"{base} FT"


def _make_row(scores: CellScores, subsets: TaskSubsets | None, scoring: Scoring, model: str) -> ExperimentRow:
    """A row with the scores of both tracks, over the tasks that count in the cell."""
    planned = scores.planned
    cell = ExperimentCell(name=planned.label, subset=planned.cell.subset)
    first = subsets.tasks(cell) if subsets else None
    second = subsets.tasks(cell, EXECUTION_TEST) if subsets else None
    row = suggestion_experiment.make_measured_row(cell, model, scores.suggestion, first, scoring)
    other = subset_execution.make_measured_row(cell, scores.execution, second)
    remarks = dict.fromkeys(
        (*scores.caveats, *filter(None, (_of_track(1, row.remark), _of_track(2, other.remark))))
    )
    counted = {EXECUTION_TASKS: MeasuredValue(mean=other.n)} if other.n else {}
    return replace(
        row,
        kind="measured" if "measured" in (row.kind, other.kind) else "not run",
        values={**row.values, **other.values, **counted},
        run=f"{scores.suggestion.folder.name} {scores.execution.folder.name}",
        remark="; ".join(remarks),
    )


def _of_track(number: int, remark: str) -> str:
    return f"track {number}: {remark}" if remark else ""


def _place_published(
    experiment: Experiment, cells: Sequence[CellScores]
) -> tuple[list[ExperimentRow], list[tuple[str, PublishedRow]]]:
    """The published rows with the scores that are comparable with a cell's, and the rows without any."""
    by_row = {scores.planned.cell.published_row: scores for scores in cells}
    beside, apart = [], []
    for row in published_rows(str(experiment.of)):
        scores = by_row.get(row.name)
        label = scores.planned.label if scores else "another model"
        kept = _find_comparable(row, scores or cells[0])
        shown = make_published_row(label, row, of=experiment.of)
        values = {name: value for name, value in shown.values.items() if name in kept}
        if values:
            beside.append(replace(shown, values=values))
        else:
            apart.append((label, row))
    return beside, apart


def _find_comparable(row: PublishedRow, scores: CellScores) -> frozenset[str]:
    """Names of a published row's scores that are of the same test and computed alike."""
    found: frozenset[str] = frozenset()
    first, second, subset = scores.suggestion, scores.execution, scores.planned.cell.subset
    setting = suggestion_published.setting_of(first.record, papers_test=first.on_papers_test)
    if is_comparable_row(row, replace(setting, subset=subset)):
        found |= suggestion_published.as_the_paper([first])
    other = execution_published.setting_of(second.record, scored=second.success.tasks)
    if is_comparable_row(row, replace(other, subset=subset)):
        found |= execution_published.as_the_paper([second])
    return found


def _list_notes(
    plan: TrainingPlan,
    cells: Sequence[CellScores],
    subsets: TaskSubsets | None,
    beside: Sequence[ExperimentRow],
    apart: Sequence[tuple[str, PublishedRow]],
) -> Iterator[str]:
    experiment = plan.experiment
    trained = "LoRA adapters by `fingertip finetune`" if subsets is None else (
        "LoRA adapters by `fingertip finetune`, trained on the filtered training set"
    )  # fmt: skip
    yield f"Varied: {experiment.varies}." if subsets is None else "Varied: which tasks count."
    yield f"Models: {trained}, tested on split {' and '.join(_tests(cells))}; n 1 and n 2 count their tasks."
    for source in dict.fromkeys(row.remark for row in beside):
        yield f"Published: {source}."
    if apart:
        yield (
            f"{len(apart)} of {len(apart) + len(beside)} published rows of {experiment.of} are not in this "
            "table: their test, device or scoring is another than of these runs. fingertip paper "
            f'"{experiment.of}" prints them, --published prints them below.'
        )
    yield from experiment.notes
    yield from subsets.notes() if subsets else ()
    yield from _list_caveat_notes(cells)
    yield from _list_sample_notes(plan)
    first = {scores.suggestion.folder: scores.suggestion for scores in cells}
    second = {scores.execution.folder: scores.execution for scores in cells}
    yield from success_notes(list(second.values()))
    yield from (f"Track 1: {note}" for note in suggestion_notes(list(first.values())))
    yield from (f"Track 2: {note}" for note in execution_notes(list(second.values())))


def _tests(cells: Sequence[CellScores]) -> tuple[str, str]:
    return cells[0].suggestion.record.split, cells[0].execution.record.split


def _list_caveat_notes(cells: Sequence[CellScores]) -> Iterator[str]:
    named: dict[str, list[str]] = {}
    for scores in cells:
        for caveat in scores.caveats:
            named.setdefault(caveat, []).append(scores.planned.label)
    for caveat, labels in named.items():
        of_cells = "" if len(labels) == len(cells) else f" ({', '.join(labels)})"
        yield f"Not comparable with the paper: {caveat}{of_cells}."


def _list_sample_notes(plan: TrainingPlan) -> Iterator[str]:
    """Describe each training: its samples, what was left out, and the checkpoint that was kept."""
    for training in plan.trainings:
        found: Mapping[str, Any] = read_training(training.folder)
        samples, chosen = found["samples"], found["chosen"]
        dropped = ", ".join(f"{part['count']:,} x {part['kind']}" for part in samples["dropped"])
        yield (
            f"{training.name}: {samples['rows']:,} samples of {samples['episodes']:,} episodes of "
            f"{samples['users']:,} users, {found['steps']:,} steps; kept step {chosen['step']}, "
            f"{chosen['by']}{f'; left out: {dropped}' if dropped else ''}."
        )


def _write(
    experiment: Experiment, rows: Sequence[ExperimentRow], notes: Sequence[str], folder: Path
) -> tuple[Path, ...]:
    texts = {
        "table.csv": csv_text([training_row_data(row) for row in rows]),
        "table.md": table_page(experiment.heading, *table_cells(rows), notes),
    }
    with write_table(folder, texts) as files:
        return tuple(files)
