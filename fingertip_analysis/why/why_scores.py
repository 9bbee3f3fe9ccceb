"""Why the attempts of a run failed: reasons of each, and their counts with intervals over users."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from execution_runner.environments.simulated import simulation_of
from execution_runner.execution_log import Attempt, read_attempts
from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.task_scores import TaskScore
from fingertip_analysis.why.reasons import (
    REASONS,
    AttemptReasons,
    ReasonName,
    RuleHit,
    explain_hits,
    primary_of,
)
from fingertip_analysis.why.step_rules import (
    Trees,
    end_hits,
    label_miss_hits,
    loop_hits,
    package_hits,
    unreadable_hits,
)
from fingertip_analysis.why.why_labels import WhyLabel, read_why_labels
from fingertip_dataset.errors import DatasetError, DeviceError, RunError, UsageError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree
from fingertip_metrics.action_matching import readable_tree
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.reason_counts import ReasonCount, TaskReasons, count_reasons
from fingertip_runs.targets import read_targets

WHY_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyScores:
    """Why attempts of a run failed.

    Attributes:
        folder: Folder of the run.
        record: Record of the run.
        tasks: Number of tasks that have ended.
        attempts: The attempts that are no success, in the order of the run.
        counts: Reason -> its counts, in the order of `REASONS`; those that occur.
        problem: Why attempts on the simulated phone could not be compared with the ways, in words; "" if
            they could.
        caveats: Caveats of the run's scores.
    """

    folder: Path
    record: ExecutionRun
    tasks: int
    attempts: tuple[AttemptReasons, ...]
    counts: Mapping[ReasonName, ReasonCount]
    problem: str = ""
    caveats: tuple[str, ...] = ()


def explain_run(scores: ExecutionRunScores) -> WhyScores:
    """The reasons of every attempt of a run that is no success, by its final attempts.

    On phones a success is one of SR_2, so an attempt that nobody has labelled is none. On recordings it is an
    attempt without a step that differs from the recorded one.

    Args:
        scores: The scores of the run, whose folder still has its steps, trees and targets.

    Raises:
        RunError: The run is broken, or a tree that a step names cannot be read.
    """
    attempts = {attempt.end.task_id: attempt for attempt in read_attempts(scores.folder)}
    targets = read_targets(scores.folder, attempts)
    problem, simulations = _simulations(scores.record)
    judged = {(label.task_id, label.attempt): label for label in read_why_labels(scores.folder)}
    rules = _Rules(scores, simulations, judged)
    found = [
        reasons
        for task in scores.tasks
        for reasons in [rules.explain(task, attempts[task.task_id], targets[task.task_id])]
        if reasons is not None
    ]
    by_task = {one.task_id: one for one in found}
    return WhyScores(
        folder=scores.folder,
        record=scores.record,
        tasks=len(scores.tasks),
        attempts=tuple(found),
        counts=count_reasons(REASONS, [_list_names(task, by_task) for task in scores.tasks]),
        problem=problem,
        caveats=scores.caveats,
    )


def why_dict(why: WhyScores) -> dict[str, Any]:
    """The reasons as JSON."""
    return {
        "version": WHY_VERSION,
        "tasks": why.tasks,
        "failed": len(why.attempts),
        "problem": why.problem or None,
        "counts": {name: asdict(count) for name, count in why.counts.items()},
        "attempts": [asdict(attempt) for attempt in why.attempts],
    }


class _Rules:
    """Applies the rules of a run's device kind to its attempts."""

    def __init__(
        self,
        scores: ExecutionRunScores,
        simulations: Mapping[str, Mapping[str, Any]],
        judged: Mapping[tuple[str, int], WhyLabel],
    ) -> None:
        self._scores = scores
        self._kind = DEVICE_KINDS[scores.record.device]
        self._simulations = simulations
        self._judged = judged

    def explain(self, task: TaskScore, attempt: Attempt, target: TaskTarget) -> AttemptReasons | None:
        """The reasons of one attempt; None for a success."""
        if task.success:
            return None
        trees = step_trees(self._scores.folder, attempt)
        progress: int | None = 0
        problem = ""
        over = target.over_limit(len(attempt.steps))
        hits = [*end_hits(attempt, over_limit=over and not self._kind.recorded)]
        hits += unreadable_hits(attempt.steps)
        if self._kind.recorded:
            own = self._check_recorded(attempt, target, trees)
            if own is None:
                return None
            hits += own
        else:
            hits += loop_hits(attempt.steps, trees)
            if task.task_id in self._simulations:
                progress, problem, found = self._check_simulated(task.task_id, attempt, target)
                hits += found
            else:
                progress = None
                hits += label_miss_hits(attempt.steps, trees)
                hits += package_hits(attempt.steps, target.app)
        return self._make_reasons(task, attempt, hits, progress, problem)

    def _make_reasons(
        self, task: TaskScore, attempt: Attempt, hits: list[RuleHit], progress: int | None, problem: str
    ) -> AttemptReasons:
        last = tuple(step.step for step in attempt.steps[-1:])
        label = self._judged.get((task.task_id, task.attempt))
        if label is not None:
            steps = (label.step,) if label.step else last
            hits.append(RuleHit(name=label.reason, steps=steps, words=(label.why,)))
        known = progress is not None or self._kind.recorded
        hits.append(RuleHit(name="unexplained" if known else "not_judged", steps=last))
        reasons = explain_hits(hits, progress_step=progress)
        primary = primary_of(reasons)
        by_judge = label is not None and label.reason == primary
        return AttemptReasons(
            task_id=task.task_id,
            user_id=task.user_id,
            attempt=task.attempt,
            primary=primary,
            reasons=reasons,
            by=label.rater if label is not None and by_judge else "rule",
            progress_step=None if self._kind.recorded else progress,
            problem=problem,
        )

    @staticmethod
    def _check_recorded(attempt: Attempt, target: TaskTarget, trees: Trees) -> list[RuleHit] | None:
        """Hits on a recording; None if no step differs."""
        from fingertip_analysis.why.recorded_attempt import differing_steps, find_recorded_hits

        if not differing_steps(attempt, target, trees) and attempt.end.outcome in ("terminated", "off_trace"):
            return None
        return list(find_recorded_hits(attempt, target, trees))

    def _check_simulated(
        self, task_id: str, attempt: Attempt, target: TaskTarget
    ) -> tuple[int | None, str, list[RuleHit]]:
        """Last step with progress, why the ways could not be compared, and the hits by the ways."""
        from fingertip_analysis.why.simulated_attempt import find_simulated_hits, replay_attempt

        try:
            simulation = simulation_of(self._simulations, task_id)
            replayed = replay_attempt(attempt, target, simulation, faults=self._scores.record.faults)
        except (DatasetError, DeviceError) as error:
            return None, str(error), []
        known = None if replayed.problem else replayed.progress_step
        return known, replayed.problem, list(find_simulated_hits(attempt, replayed))


def step_trees(run: Path, attempt: Attempt) -> Trees:
    """The tree of each step's screen; None without a readable one.

    Raises:
        RunError: A file that a step names cannot be read, or lies outside the run's folder.
    """
    return tuple(_read_tree(run, step.tree, step.size, attempt.end.task_id) for step in attempt.steps)


def _read_tree(run: Path, name: str | None, size: tuple[int, int], task_id: str) -> AccessibilityTree | None:
    if name is None:
        return None
    file = run / name
    if not file.resolve().is_relative_to(run.resolve()):
        raise RunError(f"the tree {name} is not within the run", file=run, episode_id=task_id)
    try:
        return readable_tree(read_file(file).decode("utf-8", "replace"), size)
    except OSError as error:
        raise RunError(
            f"the tree of a step cannot be read: {error.strerror or error}", file=file, episode_id=task_id
        ) from error


def _simulations(record: ExecutionRun) -> tuple[str, Mapping[str, Mapping[str, Any]]]:
    """(why there are none, in words, or ""; task id -> setup of its simulated phone)."""
    if not DEVICE_KINDS[record.device].simulated:
        return "", {}
    path = Path(record.dataset.path)
    try:
        built = BuiltDataset.open(path)
        if built.manifest.data_sha256 != record.dataset.data_sha256:
            raise DatasetError(
                "this is another dataset than the run was made on, or it was built again since: bring "
                "that one back to this path",
                file=path,
            )
        return "", built.simulations()
    except (DatasetError, UsageError) as error:
        return f"the ways to the goals need the run's dataset: {error}", {}


def _list_names(task: TaskScore, found: Mapping[str, AttemptReasons]) -> TaskReasons:
    reasons = found.get(task.task_id)
    if reasons is None:
        return TaskReasons(user_id=task.user_id)
    names = [reason.name for reason in reasons.reasons]
    return TaskReasons(user_id=task.user_id, primary=reasons.primary, names=names)
