"""Experiments of track 1: start or continue a run per cell and agent, score it, and write a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.split_names import TEST_SUGGESTION, split_name
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.published import PublishedRow
from fingertip_runs.score_summary import user_interval
from fingertip_runs.targets import read_targets
from fingertip_studies.experiments.catalogue import Experiment, ExperimentCell
from fingertip_studies.experiments.earlier_runs import agent_name, earlier_runs
from fingertip_studies.experiments.experiment_plot import plot_experiment
from fingertip_studies.experiments.experiment_table import (
    ExperimentRow,
    MeasuredValue,
    csv_text,
    markdown,
    measures_of,
    row_data,
    write_table,
)
from fingertip_studies.experiments.folder_names import slug
from fingertip_studies.experiments.published_rows import PlacedRows, place_rows
from fingertip_studies.experiments.subset_execution import ExecutionSubsets
from fingertip_studies.experiments.subsets import TaskSubsets
from suggestion_runner.caveats import input_caveats
from suggestion_runner.distribution_scores import DistributionScores, score_distributions
from suggestion_runner.judged_run import sr1_interval
from suggestion_runner.per_query import per_query, usage_of
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.scoring import SuggestionRunScores, score_run, write_scores
from suggestion_runner.suggestion_records import Prediction
from suggestion_runner.suggestion_tables import notes as score_notes


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentAgent:
    """An agent that takes part in an experiment.

    Attributes:
        name: Unique name in the table.
        has_model: Whether it queries a model.
        make: Creates the agent for a cell.
    """

    name: str
    has_model: bool
    make: Callable[[ExperimentCell], SuggestionAgent]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentRun:
    """A run of an experiment: agent, cell and folder."""

    contestant: ExperimentAgent
    cell: ExperimentCell
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Settings of scoring.

    Attributes:
        embedder: Embedder of Sim_1.
        judge: Judge of SR_1; None to leave it out.
        protocol: Protocol of Sim_1: "release" or "paper".
    """

    embedder: Embedder
    judge: Judge | None = None
    protocol: str = "release"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """Result of an experiment.

    Attributes:
        experiment: The experiment.
        rows: Rows of its table, published ones last.
        notes: Caveats of the table.
        files: Written files.
        apart: (name of the cell, row) of each published row that is not comparable.
    """

    experiment: Experiment
    rows: tuple[ExperimentRow, ...]
    notes: tuple[str, ...]
    files: tuple[Path, ...]
    apart: tuple[tuple[str, PublishedRow], ...] = ()


@accept_path_texts
def run_experiment(
    experiment: Experiment,
    dataset: Path,
    contestants: Sequence[ExperimentAgent],
    out: Path,
    *,
    ask: Callable[[ExperimentRun], None],
    scoring: Scoring,
    split: str = TEST_SUGGESTION,
    runs: Sequence[Path] = (),
) -> ExperimentResult:
    """Run or continue every cell, score it, and write table.csv, table.md and one figure per score.

    Args:
        experiment: From `get_experiment`.
        dataset: A folder that `fingertip build` wrote.
        contestants: Agents that take part.
        out: Folder of all experiments; this one's runs and tables go into `out/NAME`.
        ask: Function that starts or resumes a run, like `run_suggestions`; it leaves a finished run as it is.
        scoring: Settings of scoring.
        split: Name of the split.
        runs: Further finished runs to include, such as those of people, and of track 2 if the experiment is
            about subsets. Runs of earlier calls in `out/NAME` are included, too; see `earlier_runs`.

    Raises:
        UsageError: No contestant, two contestants of one name, unknown split, or a run that fits no cell.
        FingerTipError: A run failed, or cannot be scored; its answers are kept, and the same call resumes.
    """
    folder = out / experiment.name
    planned_runs = _plan_runs(experiment, contestants, folder)
    subsets = _read_subsets(experiment, dataset, split)
    built = BuiltDataset.open(dataset)
    executed = ExecutionSubsets.of(runs, built, scoring.protocol) if subsets else ExecutionSubsets()
    of_track_2 = {run.folder for run in executed.scores}
    distinct = {run.folder: run for run in planned_runs.values()}
    for run in distinct.values():
        ask(run)
    now = {run.folder: run.contestant.name for run in distinct.values()}
    named = [run for run in runs if run not in of_track_2]
    earlier = earlier_runs(experiment, built, named=named, beside=folder, now=now)
    folders = dict.fromkeys((*distinct, *(run.folder for run in earlier)))
    scores = {run_folder: _score(run_folder, scoring, experiment) for run_folder in folders}
    rows: list[ExperimentRow] = []
    of_cells = {
        cell.name: [scores[run.folder] for (name, _), run in planned_runs.items() if name == cell.name]
        + [scores[run.folder] for run in earlier if cell in run.cells]
        for cell in experiment.cells
    }
    published = place_rows(experiment, of_cells)
    for cell in experiment.cells:
        counted = subsets.tasks(cell) if subsets else None
        for contestant in contestants:
            found = planned_runs.get((cell.name, contestant.name))
            rows.append(
                make_measured_row(cell, contestant.name, scores[found.folder], counted, scoring)
                if found
                else _make_missing_row(cell, contestant.name, cell.needs_model or "")
            )
        rows += [
            make_measured_row(cell, run.agent, scores[run.folder], counted, scoring)
            for run in earlier
            if cell in run.cells
        ]
        rows += executed.rows(cell, subsets) if subsets else []
        rows += [row for row in published.beside if row.cell == cell.name]
    sizes = (*subsets.notes(), *executed.notes()) if subsets else ()
    return _write(experiment, tuple(rows), list(scores.values()), folder, sizes, published)


def _plan_runs(
    experiment: Experiment, contestants: Sequence[ExperimentAgent], folder: Path
) -> dict[tuple[str, str], ExperimentRun]:
    """(cell, contestant) -> its run; cells with equal tasks share a run, and some cells cannot be run."""
    names = [contestant.name for contestant in contestants]
    if not names or len(set(names)) < len(names):
        raise UsageError(f"expected agents of different names, got {', '.join(names) or 'none'}")
    found = {}
    for contestant in contestants:
        distributes = any(
            contestant.make(cell).settings.get("distribution") is True
            for cell in experiment.cells
            if cell.distribution
        )
        for cell in experiment.cells:
            if cell.needs_model and not contestant.has_model:
                continue
            first = next(
                other for other in experiment.cells if other.same_queries_as(cell, distributes=distributes)
            )
            name = f"cell-{slug(first.name)}-{slug(contestant.name)}"
            found[cell.name, contestant.name] = ExperimentRun(
                contestant=contestant, cell=first, folder=folder / name
            )
    return found


def _score(folder: Path, scoring: Scoring, experiment: Experiment) -> SuggestionRunScores:
    """Score a run and write the scores, without caveats on settings that the paper's experiment varies."""
    scores = score_run(folder, embedder=scoring.embedder, protocol=scoring.protocol, judge=scoring.judge)
    write_scores(scores)
    varied = set(input_caveats(scores.record)) if experiment.of else set()
    return replace(scores, caveats=tuple(caveat for caveat in scores.caveats if caveat not in varied))


def _read_subsets(experiment: Experiment, dataset: Path, split: str) -> TaskSubsets | None:
    """Tasks that count in each cell; None if all count in all cells."""
    if not any(cell.subset for cell in experiment.cells):
        return None
    if split_name(split) != TEST_SUGGESTION:
        raise UsageError(f"out-of-domain subsets need split {TEST_SUGGESTION}, not {split}")
    return TaskSubsets(BuiltDataset.open(dataset))


def _make_missing_row(cell: ExperimentCell, agent: str, why: str) -> ExperimentRow:
    return ExperimentRow(kind="not run", cell=cell.name, agent=agent, values={}, remark=why)


def make_measured_row(
    cell: ExperimentCell,
    agent: str,
    scores: SuggestionRunScores,
    counted: frozenset[str] | None,
    scoring: Scoring,
) -> ExperimentRow:
    """The row of a run.

    Args:
        cell: Cell of the row.
        agent: Label of the agent.
        scores: Scores of the run.
        counted: Ids of the tasks that count; None for all.
        scoring: Settings of scoring.
    """
    all_tasks = read_predictions(scores.folder)
    chosen = [number for number, task in enumerate(all_tasks) if counted is None or task.task_id in counted]
    if not chosen:
        return _make_missing_row(cell, agent, "no task of the split is in this subset")
    predictions = [all_tasks[number] for number in chosen]
    targets = read_targets(scores.folder, [prediction.task_id for prediction in predictions])
    users = [targets[prediction.task_id].user_id for prediction in predictions]
    several = _score_distributions(cell, scores, predictions, targets, scoring) if cell.scored_as else None
    states = [scores.sr1.per_item[number].state for number in chosen] if scores.sr1 else []
    if cell.scored_as == "A.6.5" and several and several.top3:
        states = [item.state for item in several.top3.per_item]
    usage = usage_of(predictions)
    took = per_query(scores.record, predictions)
    return ExperimentRow(
        kind="measured",
        cell=cell.name,
        agent=agent,
        values=_collect_values(cell, scores, chosen, users, several),
        n=len(chosen),
        tasks=scores.record.tasks if counted is None else len(chosen),
        unanswered=sum(scores.result.per_item[number].empty for number in chosen),
        unscored=states.count("unscored") if scores.sr1 else None,
        seconds=took.seconds,
        queries=usage.queries,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        judge=scores.sr1.judge if scores.sr1 else "",
        run=scores.folder.name,
        remark="; ".join(scores.caveats),
    )


def _collect_values(
    cell: ExperimentCell,
    scores: SuggestionRunScores,
    chosen: Sequence[int],
    users: Sequence[str],
    several: DistributionScores | None,
) -> dict[str, MeasuredValue]:
    found: dict[str, Interval | None] = {
        "sim1": user_interval([scores.result.per_item[number].sim1 for number in chosen], users)
    }
    if scores.differing:
        found["other_sim1"] = user_interval([scores.other_values[number] for number in chosen], users)
    if scores.sr1:
        found["sr1"] = sr1_interval([scores.sr1.per_item[number].state for number in chosen], users)
    if several:
        if cell.scored_as == "A.6.5":
            found = {"sr1": several.top3_interval, "sim1": several.sim1}
        else:
            found |= {
                "top3_sr1": several.top3_interval,
                "distribution_sim1": several.sim1,
                "transport_sim1": several.transport,
            }
    top3 = several.top3 if several else None
    for name, result in (("sr1", top3 if cell.scored_as == "A.6.5" else scores.sr1), ("top3_sr1", top3)):
        if result and result.lacks_verdicts:
            found.pop(name, None)
    return {name: MeasuredValue.of(interval) for name, interval in found.items() if interval}


def _score_distributions(
    cell: ExperimentCell,
    scores: SuggestionRunScores,
    predictions: Sequence[Prediction],
    targets: Mapping[str, TaskTarget],
    scoring: Scoring,
) -> DistributionScores:
    if cell.scored_as == "one intent":
        predictions = [task.model_copy(update={"alternatives": ()}) for task in predictions]
    elif scores.distributions and scores.distributions.n == len(predictions):
        return scores.distributions
    return score_distributions(
        scores.record,
        predictions,
        targets,
        embedder=scoring.embedder,
        protocol=scoring.protocol,
        judge=scoring.judge,
    )


def _list_notes(
    experiment: Experiment,
    rows: Sequence[ExperimentRow],
    scores: Sequence[SuggestionRunScores],
    sizes: Sequence[str],
) -> tuple[str, ...]:
    sources = dict.fromkeys(row.remark for row in rows if row.kind == "published")
    missing: dict[str, list[str]] = {}
    for row in rows:
        if row.kind == "not run":
            missing.setdefault(f"Not run, {row.cell}: {row.remark}", []).append(row.agent)
    return (
        f"Varied: {experiment.varies}.",
        *(f"Published: {source}." for source in sources),
        *([] if experiment.published else [f"{experiment.what_is_published()}."]),
        *experiment.notes,
        *sizes,
        *_note_own_history(scores),
        *(f"{why} ({', '.join(agents)})." for why, agents in missing.items()),
        *score_notes(scores),
    )


def _note_own_history(scores: Sequence[SuggestionRunScores]) -> list[str]:
    """Note on agents whose own model selected the earlier intents, instead of a second one as in A.6.3."""
    own = [
        agent_name(run.record)
        for run in scores
        if run.record.history == "relevant" and not run.record.agent.settings.get("history_model")
    ]
    names = ", ".join(dict.fromkeys(own))
    why = "the paper has a second model do it (--history-model)"
    return [f"Earlier intents selected and summarized by the model itself: {names}; {why}."] if own else []


def _write(
    experiment: Experiment,
    rows: tuple[ExperimentRow, ...],
    scores: Sequence[SuggestionRunScores],
    folder: Path,
    sizes: Sequence[str],
    published: PlacedRows,
) -> ExperimentResult:
    notes = _list_notes(experiment, rows, scores, (*published.notes, *sizes))
    texts = {
        "table.csv": csv_text([row_data(row) for row in rows]),
        "table.md": markdown(experiment.heading, rows, notes),
    }
    with write_table(folder, texts) as files:
        for measure in (one for one in measures_of(rows) if not one.minor):
            files.append(folder / f"{measure.name}.png")
            plot_experiment(experiment, rows, measure, files[-1], note=_describe_figure(scores[0]))
    return ExperimentResult(
        experiment=experiment, rows=rows, notes=notes, files=tuple(files), apart=published.apart
    )


def _describe_figure(scores: SuggestionRunScores) -> str:
    record, users = scores.record, len(scores.breakdowns["user"])
    data = (
        f"{record.tasks:,} tasks of {users:,} users, split {record.split}, {record.dataset.provenance} data"
    )
    judge = f", judge {scores.sr1.judge}" if scores.sr1 else ""
    return f"{data}; embedder {scores.result.embedder.partition('(')[0]}{judge}"
