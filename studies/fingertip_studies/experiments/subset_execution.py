"""Finished runs of track 2 in table 8: SR_2, Sim_2 and step ratio of the tasks of each subset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from execution_runner.scoring.breakdowns import means_of
from execution_runner.scoring.run_scores import ExecutionRunScores, score_run, write_scores
from execution_runner.scoring.success import success_rate
from fingertip_analysis.report.execution_tables import notes as score_notes
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.run_folder import track_of
from fingertip_studies.experiments.catalogue import ExperimentCell
from fingertip_studies.experiments.execution_experiment import agent_name
from fingertip_studies.experiments.experiment_table import ExperimentRow, MeasuredValue
from fingertip_studies.experiments.subsets import EXECUTION_TEST, TaskSubsets

MEASURES = ("sr2", "sim2", "step_ratio")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionSubsets:
    """Runs of track 2 in table 8.

    Attributes:
        scores: Scores of the runs; empty if no run of track 2 is named.
    """

    scores: tuple[ExecutionRunScores, ...] = ()

    @classmethod
    def of(cls, runs: Sequence[Path], built: BuiltDataset, protocol: str) -> ExecutionSubsets:
        """Scores the runs of track 2 among `runs`.

        Raises:
            RunError: A folder is not a run, or the run is not finished.
            UsageError: A run is of another dataset or split.
        """
        found = []
        for run in runs:
            if track_of(run) != "execution":
                continue
            scores = score_run(run, protocol=protocol)
            record = scores.record
            ours = (built.manifest.data_sha256, EXECUTION_TEST)
            if (record.dataset.data_sha256, record.split) != ours:
                raise UsageError(f"the run is not of split {EXECUTION_TEST} of this dataset", file=run)
            write_scores(scores)
            found.append(scores)
        return cls(scores=tuple(found))

    def rows(self, cell: ExperimentCell, subsets: TaskSubsets) -> list[ExperimentRow]:
        """A row per run, over its tasks in the cell's subset."""
        counted = subsets.tasks(cell, EXECUTION_TEST)
        return [make_measured_row(cell, run, counted) for run in self.scores]

    def notes(self) -> list[str]:
        """Notes on the scoring of the runs, and on the paper's numbers of track 2, which are not shown."""
        if not self.scores:
            return []
        names = ", ".join(run.folder.name for run in self.scores)
        return [
            f"Of track 2, with SR_2, Sim_2 and steps x: {names}. The paper's numbers of these are printed by "
            'fingertip paper "table 8".',
            *(f"Track 2: {note}" for note in score_notes(self.scores)),
        ]


def make_measured_row(
    cell: ExperimentCell, run: ExecutionRunScores, counted: frozenset[str] | None
) -> ExperimentRow:
    """The row of a run of track 2, over the tasks whose ids count, or over all if `counted` is None."""
    agent = f"{agent_name(run.record)} (track 2)"
    tasks = [task for task in run.tasks if counted is None or task.task_id in counted]
    if not tasks:
        why = "no task of the run is in this subset"
        return ExperimentRow(kind="not run", cell=cell.name, agent=agent, values={}, remark=why)
    success, means = success_rate(tasks, run.record), means_of(tasks)
    found = {"sr2": success.sr2, **{name: means[name] for name in MEASURES[1:]}}
    return ExperimentRow(
        kind="measured",
        cell=cell.name,
        agent=agent,
        values={name: MeasuredValue.of(interval) for name, interval in found.items() if interval},
        n=success.tasks,
        tasks=success.tasks,
        run=run.folder.name,
        remark="; ".join((*((success.why_none,) if success.why_none else ()), *run.caveats)),
    )
