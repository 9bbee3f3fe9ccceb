"""Experiments of track 2: runs of agents, scored into a table and figures.

A run with the dataset's own references is stored in OUT/table-4 whichever experiment made it, as table 4,
figure 6b and the first row of table 14 have the same setting: tasks on a real phone are not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from execution_runner.execution_log import read_run
from execution_runner.execution_records import ExecutionRun, ReferenceKind
from execution_runner.scoring.breakdowns import GroupScores
from execution_runner.scoring.execution_published import as_the_paper, setting_of
from execution_runner.scoring.run_caveats import REFERENCES as REFERENCE_CAVEATS
from execution_runner.scoring.run_scores import ExecutionRunScores, score_run, write_scores
from execution_runner.scoring.success import SuccessRate, carries_out
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_agents.registry import EXECUTION_ALIASES, current_execution_name
from fingertip_analysis.report.execution_tables import notes as score_notes
from fingertip_analysis.review.ratings import read_ratings
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.published import published_rows
from fingertip_metrics.published_beside import find_rows_beside
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.run_folder import RUN
from fingertip_runs.same_task import same_task_counts
from fingertip_studies.experiments.catalogue import Experiment
from fingertip_studies.experiments.execution_table import (
    MEASURES,
    PER_QUERY,
    execution_row_data,
    make_published_row,
    markdown,
)
from fingertip_studies.experiments.experiment_plot import plot_experiment
from fingertip_studies.experiments.experiment_table import (
    ExperimentRow,
    MeasuredValue,
    csv_text,
    write_table,
)
from fingertip_studies.experiments.folder_names import model_label, slug

SPLIT = TEST_EXECUTION
"""Split of every experiment of track 2."""

OWN_RUNS = "table-4"
"""Folder of the runs with the dataset's own references."""

CELLS: dict[ReferenceKind, str] = {
    "same_user": "most similar task",
    "not_same_task": "most similar task that is not the same",
}
"""Reference of a run -> its cell, in table 14's words."""

RATINGS = "table-13"
"""The experiment on people's ratings: unrated earlier runs are not part of it."""

REFERENCES: dict[str, tuple[ReferenceKind, ...]] = {
    "table-4": ("same_user",),
    "figure-6b": ("same_user",),
    RATINGS: ("same_user",),
    "table-14": ("same_user", "not_same_task"),
}
"""Experiment -> references of its runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionCell:
    """A run of an experiment: agent, references and folder."""

    agent: ExecutionAgent
    reference: ReferenceKind
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionResult:
    """Result of an experiment.

    Attributes:
        experiment: The experiment.
        rows: Rows of its table, published ones last.
        scores: Scores of the runs behind them.
        notes: Caveats of the table.
        files: Written files.
    """

    experiment: Experiment
    rows: tuple[ExperimentRow, ...]
    scores: tuple[ExecutionRunScores, ...]
    notes: tuple[str, ...]
    files: tuple[Path, ...]


def plan_cells(experiment: Experiment, agents: Sequence[ExecutionAgent], out: Path) -> list[ExecutionCell]:
    """The runs that an experiment needs of these agents.

    Raises:
        UsageError: Two agents have the same name and model.
    """
    cells = [
        ExecutionCell(
            agent=agent,
            reference=reference,
            folder=_find_folder(out, experiment, reference, _slug(agent)),
        )
        for agent in agents
        for reference in REFERENCES[experiment.name]
    ]
    if len({cell.folder for cell in cells}) < len(cells):
        raise UsageError(f"expected different agents, got {', '.join(agent.name for agent in agents)}")
    return cells


def find_finished_runs(
    experiment: Experiment, out: Path, cells: Sequence[ExecutionCell], runs: Sequence[Path]
) -> tuple[list[Path], list[str]]:
    """The runs of a table: the cells', the named ones, and finished ones of earlier calls.

    Args:
        experiment: The experiment.
        out: Folder of all experiments.
        cells: Runs of this call; they come first.
        runs: Runs named by the user; they come next.

    Returns:
        The runs; and the reason for each earlier run that is left out, one sentence each.

    Raises:
        RunError: A named run is not of track 2.
        UsageError: There is no run, or the named runs differ in data, devices or setting.
    """
    wanted = REFERENCES[experiment.name]
    found = [*(cell.folder for cell in cells), *runs]
    if len({run.resolve() for run in found}) < len(found):
        raise UsageError("a run is given twice: name each run once")
    records = [read_run(run) for run in found]
    for run, record in zip(found, records, strict=True):
        if record.reference not in wanted:
            expected = " or ".join(wanted)
            raise UsageError(f"expected a run with reference {expected}, got {record.reference}", file=run)
        _check_alike(records[0], record, run)
    left_out = []
    named = bool(found)
    for run in _find_earlier(experiment, out, found):
        if named and experiment.name == RATINGS and not read_ratings(run):
            continue
        record = read_run(run)
        try:
            if records:
                _check_alike(records[0], record, run)
            score_run(run)
        except (RunError, UsageError) as error:
            left_out.append(f"Left out, {run.name} of an earlier call: {error.message}")
            continue
        found.append(run)
        records.append(record)
    return found, left_out


def make_tables(
    experiment: Experiment, runs: Sequence[Path], out: Path, *, protocol: str, remarks: Sequence[str] = ()
) -> ExecutionResult:
    """Score runs and write table.csv, table.md and one figure per score into OUT/NAME.

    Args:
        experiment: table-4, figure-6b or table-14. In table 14 a run whose judge of references gave too few
            verdicts has a note in place of a row.
        runs: Folders of runs, at least one.
        out: Folder of all experiments.
        protocol: Protocol of Sim_2: "release" or "paper".
        remarks: Further notes.

    Raises:
        RunError: A run is not finished, or a file cannot be written.
    """
    scores = tuple(score_run(run, protocol=protocol) for run in runs)
    for run_scores in scores:
        write_scores(run_scores)
    faults: tuple[str, ...] = ()
    if experiment.name == "table-14":
        scores, faults = _drop_unjudged(tuple(map(_drop_own_setting, scores)))
    by_length = experiment.name == "figure-6b"
    rows = [row for run in scores for row in (_make_length_rows(run) if by_length else [_make_row(run)])]
    order = [cell.name for cell in experiment.cells]
    rows.sort(key=lambda row: order.index(row.cell))
    beside = why_nothing_published(scores)
    if beside is None:
        rows += _list_published(experiment, scores)
    notes = (*_list_notes(experiment, scores, beside), *faults, *remarks)
    files = _write(experiment, rows, notes, scores, out / experiment.name)
    return ExecutionResult(
        experiment=experiment, rows=tuple(rows), scores=scores, notes=notes, files=tuple(files)
    )


def _drop_own_setting(run: ExecutionRunScores) -> ExecutionRunScores:
    """The scores without the caveat on references that are not the same task: table 14 has rows for that."""
    own = REFERENCE_CAVEATS["not_same_task"]
    return replace(run, caveats=tuple(caveat for caveat in run.caveats if caveat != own))


def _drop_unjudged(
    scores: Sequence[ExecutionRunScores],
) -> tuple[tuple[ExecutionRunScores, ...], tuple[str, ...]]:
    """The runs whose references say something, and a line for each whose judge gave too few verdicts.

    Raises:
        RunError: No run is left.
    """
    kept, lines = [], []
    for run in scores:
        judged = run.record.reference == "not_same_task"
        counts = same_task_counts(run.folder) if judged else None
        fault = counts.find_fault() if counts else None
        if fault is None:
            kept.append(run)
        else:
            cell = CELLS[run.record.reference]
            lines.append(f'No row of {agent_name(run.record)} for "{cell}": {fault}')
    if not kept:
        raise RunError(f"no run is left for the table: {lines[0]}", file=scores[0].folder)
    return tuple(kept), tuple(lines)


def agent_name(record: ExecutionRun) -> str:
    """Label of a run's agent: its name, its model, and its prompt if that is of a file."""
    parts = [model_label(record.agent.settings), str(record.agent.settings.get("prompt_text") or "")]
    shown = ", ".join(filter(None, parts))
    return f"{record.agent.name} ({shown})" if shown else record.agent.name


def _place(experiment: Experiment, reference: ReferenceKind, agent: str) -> Path:
    """Path of a run, relative to the folder of all experiments."""
    if reference == "same_user":
        return Path(OWN_RUNS, f"cell-{agent}")
    return Path(experiment.name, f"cell-{reference.replace('_', '-')}-{agent}")


def _find_folder(out: Path, experiment: Experiment, reference: ReferenceKind, agent: str) -> Path:
    """Folder of a run: under the agent's current name, or an earlier one if only that exists."""
    earlier = [name for name, current in EXECUTION_ALIASES.items() if current == agent]
    folders = [out / _place(experiment, reference, name) for name in (agent, *earlier)]
    return next((folder for folder in folders if folder.exists()), folders[0])


def _slug(agent: ExecutionAgent) -> str:
    model = model_label(agent.settings)
    return slug(f"{agent.name} {model}" if model else agent.name)


def _find_earlier(experiment: Experiment, out: Path, found: Sequence[Path]) -> Iterator[Path]:
    """Runs of earlier calls, of agents that have a run for each reference of the experiment."""
    known = {run.resolve() for run in found}
    references = REFERENCES[experiment.name]
    agents = [own.name.removeprefix("cell-") for own in sorted((out / OWN_RUNS).glob("cell-*"))]
    for agent in dict.fromkeys(map(current_execution_name, agents)):
        runs = [_find_folder(out, experiment, reference, agent) for reference in references]
        if all((run / RUN).is_file() for run in runs):
            yield from (run for run in runs if run.resolve() not in known)


def _check_alike(first: ExecutionRun, record: ExecutionRun, run: Path) -> None:
    """Raise if a run is not comparable with the first one."""
    pairs = {
        "data": (first.dataset.data_sha256[:8], record.dataset.data_sha256[:8]),
        "split": (first.split, record.split),
        "tasks": (len(first.task_ids), len(record.task_ids)),
        "device": (first.device, record.device),
    }
    for name, (ours, theirs) in pairs.items():
        if ours != theirs:
            raise UsageError(f"the runs differ in {name}: {ours} and {theirs}", file=run)
    if first.task_ids != record.task_ids:
        raise UsageError("the runs are not of the same tasks", file=run)


def _make_row(run: ExecutionRunScores) -> ExperimentRow:
    values = _collect_values(run.success, run.means)
    per_query = {"seconds": run.usage.seconds_per_query, "tokens": run.usage.tokens_per_query}
    values |= {name: MeasuredValue(mean=value) for name, value in per_query.items() if value is not None}
    return replace(_blank(run, run.success), cell=CELLS[run.record.reference], values=values)


def _make_length_rows(run: ExecutionRunScores) -> list[ExperimentRow]:
    """Make a row per bin of the person's steps."""
    bins: Sequence[GroupScores] = run.breakdowns["difficulty"]
    return [
        replace(_blank(run, one.success), cell=str(one.group), values=_collect_values(one.success, one.means))
        for one in bins
    ]


def _blank(run: ExecutionRunScores, success: SuccessRate) -> ExperimentRow:
    return ExperimentRow(
        kind="measured",
        cell="",
        agent=agent_name(run.record),
        values={},
        n=success.tasks,
        tasks=success.tasks,
        run=run.folder.name,
        remark="; ".join((*((success.why_none,) if success.why_none else ()), *run.caveats)),
    )


def _collect_values(success: SuccessRate, means: Mapping[str, Interval | None]) -> dict[str, MeasuredValue]:
    found: dict[str, Interval | None] = {
        "sr2": success.sr2,
        "sim2": means["sim2"],
        "step_ratio": means["step_ratio"],
    }
    return {name: MeasuredValue.of(interval) for name, interval in found.items() if interval}


def why_nothing_published(scores: Sequence[ExecutionRunScores]) -> str | None:
    """Reason why the paper's rows are not shown; None in the same setting, on real phones."""
    record = scores[0].record
    setting = setting_of(record, scored=scores[0].success.tasks)
    kind = DEVICE_KINDS[record.device]
    if not kind.real_phone:
        return f"they were measured on a physical phone over ADB; these runs: {kind.score_title}"
    if not setting.papers_test:
        return "they are of the authors' own test episodes, all of them, these runs are not"
    if not find_rows_beside(setting):
        return "they were measured in another setting than these runs"
    return None


def _list_published(experiment: Experiment, scores: Sequence[ExecutionRunScores]) -> list[ExperimentRow]:
    """The paper's rows, with the scores computed in the same way as the runs'."""
    if experiment.name == "figure-6b":
        return []
    kept = as_the_paper(scores) | PER_QUERY.keys()
    return [
        make_published_row(CELLS[row.setting["reference"]], row, kept)
        for row in published_rows(str(experiment.of))
    ]


def _list_notes(
    experiment: Experiment, scores: Sequence[ExecutionRunScores], beside: str | None
) -> list[str]:
    notes = [f"Varied: {experiment.varies}."]
    if experiment.published_in_words:
        notes.append(f"Published without numbers: {experiment.published_in_words}.")
    elif beside is None:
        notes.append(f"Published: numbers of {experiment.of}, section {experiment.section}.")
    else:
        notes.append(f"The published rows of {experiment.of} are not shown: {beside}.")
    return [*notes, *success_notes(scores), *experiment.notes, *score_notes(scores)]


def success_notes(scores: Sequence[ExecutionRunScores]) -> list[str]:
    """Notes on runs whose success is not known: the command that labels tasks, or why there is no SR_2."""
    notes = []
    open_runs = [run for run in scores if run.success.unlabelled and carries_out(run.record)]
    if open_runs:
        call = write_call("review", *(run.folder for run in open_runs))
        notes.append(f"Tasks without a label count as not done in SR_2: `{call}` labels them.")
    if not carries_out(scores[0].record):
        notes.append("No SR_2: on recorded episodes nothing is carried out, so success is unknown.")
    return notes


def _write(
    experiment: Experiment,
    rows: Sequence[ExperimentRow],
    notes: Sequence[str],
    scores: Sequence[ExecutionRunScores],
    folder: Path,
) -> list[Path]:
    texts = {
        "table.csv": csv_text([execution_row_data(row) for row in rows]),
        "table.md": markdown(experiment.heading, rows, notes, cells=len(experiment.cells) > 1),
    }
    record = scores[0].record
    note = (
        f"{record.tasks:,} tasks of {len(scores[0].breakdowns['user']):,} users, "
        f"{DEVICE_KINDS[record.device].score_title}, {record.dataset.provenance} data"
    )
    with write_table(folder, texts) as files:
        for measure in MEASURES[:1] if experiment.name == "figure-6b" else MEASURES[:2]:
            files.append(folder / f"{measure.name}.png")
            plot_experiment(experiment, rows, measure, files[-1], note=note)
    return files
