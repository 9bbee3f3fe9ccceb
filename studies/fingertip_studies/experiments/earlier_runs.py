"""Finished track 1 runs that an experiment includes in addition to its own: other models, people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.run_folder import RUN
from fingertip_studies.experiments.catalogue import Experiment, ExperimentCell
from fingertip_studies.experiments.folder_names import model_label
from suggestion_runner.prediction_log import read_predictions, read_run
from suggestion_runner.suggestion_records import SuggestionRun


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierRun:
    """A finished run and the cells of the same setting.

    Attributes:
        folder: Folder of the run.
        agent: Label of the agent in the table.
        cells: Cells of the run's setting, at least one.
    """

    folder: Path
    agent: str
    cells: tuple[ExperimentCell, ...]


def earlier_runs(
    experiment: Experiment,
    built: BuiltDataset,
    *,
    named: Sequence[Path],
    beside: Path,
    now: Mapping[Path, str],
) -> list[EarlierRun]:
    """The named runs, and those of earlier calls in the experiment's folder.

    A run in the folder is included if it is finished, has the same tasks as this call's runs, and its agent
    is not part of this call. So the table accumulates all models that were run into the folder.

    Args:
        experiment: Experiment with the cells.
        built: The dataset.
        named: Folders; each must fit a cell.
        beside: The experiment's folder.
        now: Folders of this call's runs with the names of their agents; at least one.

    Raises:
        RunError: A named folder holds no run of track 1, or one that is not finished.
        UsageError: A named run is of another dataset or split, or fits no cell.
    """
    like = read_run(next(iter(now)))
    names = set(now.values())
    found = []
    for folder in dict.fromkeys(named):
        run = _read_named(folder, experiment, built, like)
        run = replace(run, agent=f"{run.agent} ({folder.name})") if run.agent in names else run
        names.add(run.agent)
        found.append(run)
    known = {folder.resolve() for folder in (*now, *named)}
    for folder in sorted(beside.glob("cell-*")):
        if folder.resolve() not in known and (left := _read_left(folder, experiment, built, like)):
            found += [left] if left.agent not in names else []
    return found


def _read_named(folder: Path, experiment: Experiment, built: BuiltDataset, like: SuggestionRun) -> EarlierRun:
    record = read_run(folder)
    done = len(read_predictions(folder))
    if done < record.tasks:
        raise RunError(f"the run is not finished: {done} of {record.tasks} tasks", file=folder)
    if not _is_of(record, like):
        raise UsageError(f"the run is not of split {like.split} of this dataset", file=folder)
    cells = _find_cells(record, experiment, built)
    if not cells:
        raise UsageError(
            f"the run has the setting of none of {experiment.name}'s cells: "
            f"{'; '.join(cell.name for cell in experiment.cells)}",
            file=folder,
        )
    return EarlierRun(folder=folder, agent=agent_name(record), cells=cells)


def _read_left(
    folder: Path, experiment: Experiment, built: BuiltDataset, like: SuggestionRun
) -> EarlierRun | None:
    """The run of an earlier call; None if it does not fit."""
    if not (folder / RUN).is_file():
        return None
    record = read_run(folder)
    same_tasks = _is_of(record, like) and record.selection == like.selection
    if not same_tasks or len(read_predictions(folder)) < record.tasks:
        return None
    cells = _find_cells(record, experiment, built)
    return EarlierRun(folder=folder, agent=agent_name(record), cells=cells) if cells else None


def _is_of(record: SuggestionRun, like: SuggestionRun) -> bool:
    return (record.dataset.data_sha256, record.split) == (like.dataset.data_sha256, like.split)


def agent_name(record: SuggestionRun) -> str:
    """The model and its adapter if a model answered, otherwise the agent's name."""
    return model_label(record.agent.settings) or record.agent.name


def _find_cells(
    record: SuggestionRun, experiment: Experiment, built: BuiltDataset
) -> tuple[ExperimentCell, ...]:
    if record.inferred is not None:
        return ()
    own = (record.screenshots, record.history, record.without, record.distribution, record.protocol)
    default = built.manifest.history
    return tuple(
        cell
        for cell in experiment.cells
        if (cell.screenshots, cell.history, cell.without, cell.distribution, cell.protocol or default) == own
    )
