"""Repeated runs of both tracks: values of each try's tasks, their scores, and tries that are all alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from execution_runner.execution_log import read_attempts
from execution_runner.execution_log import read_run as read_execution_run
from execution_runner.scoring.breakdowns import MEANS, SHARES
from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.success import done_value
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.errors import RunError
from fingertip_metrics.moment_columns import SHARES as MOMENT_SHARES
from fingertip_runs.repeat_scores import RepeatScores, TaskValues, score_tries
from fingertip_runs.repeats import read_repeats
from fingertip_runs.run_folder import track_of
from suggestion_runner.against import task_values
from suggestion_runner.moments.moment_run_scores import RIGHT, MomentRunScores, list_moment_values
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.prediction_log import read_run as read_suggestion_run
from suggestion_runner.scoring import SuggestionRunScores

AnyRunScores = SuggestionRunScores | MomentRunScores | ExecutionRunScores
"""Scores of a run of either track, on track 1 of episodes or of moments."""


def score_repeats(folder: Path, scores: Sequence[AnyRunScores], *, partial: bool = False) -> RepeatScores:
    """Scores of the repeated run in a folder from those of its tries.

    Args:
        folder: Folder of the repeated run.
        scores: Scores of each try, in their order, all by the same options.
        partial: Whether tasks that a try lacks are left out; else they are an error.

    Raises:
        RunError: repeats.json is broken, a try has the seed of another one, or lacks tasks that another one
            has.
    """
    seeds = read_repeats(folder).seeds
    _check_seeds(folder, scores, seeds)
    alike = are_draws_alike([one.folder for one in scores])
    return join_scores(folder, scores, seeds=seeds, partial=partial, alike=alike)


def _check_seeds(folder: Path, scores: Sequence[AnyRunScores], seeds: Sequence[int]) -> None:
    """Refuse a try with the seed of another one, such as a copy of it."""
    for number, (one, expected) in enumerate(zip(scores, seeds, strict=True), start=1):
        seed = AgentSetup.read_seed(one.record.agent.settings)
        if seed is not None and seed != expected:
            raise RunError(
                f"try {number} has seed {seed} in {one.folder.name}, expected {expected}: it is no try of "
                "this run; remove its folder, and the same call makes it again",
                file=folder,
            )


def join_scores(
    folder: Path,
    scores: Sequence[AnyRunScores],
    *,
    seeds: Sequence[int],
    partial: bool = False,
    alike: bool = False,
) -> RepeatScores:
    """Scores of a repeated run, also of one in a bundle, from those of its tries.

    Args:
        folder: Folder or bundle of the repeated run.
        scores: Scores of each try, in their order, all by the same options.
        seeds: Seed of each try.
        partial: Whether tasks that a try lacks are left out; else they are an error.
        alike: As in `RepeatScores`.

    Raises:
        RunError: A try lacks tasks that another one has.
    """
    success = "sr1" if isinstance(scores[0], SuggestionRunScores) else "sr2"
    return score_tries(
        folder,
        [list_values(one) for one in scores],
        seeds=seeds,
        success=RIGHT if isinstance(scores[0], MomentRunScores) else success,
        shares=("same_goal", *SHARES, *MOMENT_SHARES),
        partial=partial,
        alike=alike,
    )


def list_values(scores: AnyRunScores) -> TaskValues:
    """Values of a run's tasks: name of a score -> task id -> value, None where it is undefined."""
    if isinstance(scores, SuggestionRunScores):
        return task_values(scores)
    if isinstance(scores, MomentRunScores):
        return list_moment_values(scores)
    found: dict[str, dict[str, float | None]] = {}
    if scores.success.sr2 is not None:
        found["sr2"] = {task.task_id: done_value(task) for task in scores.tasks}
    for name, value_of in MEANS.items():
        found[name] = {task.task_id: value_of(task) for task in scores.tasks}
    return found


def are_draws_alike(tries: Sequence[Path]) -> bool:
    """Whether a model drew its answers, and all tries have the same answer to every task all the same.

    Answers are drawn at a temperature above 0, or at the server's own; False for a run without an answer.

    Args:
        tries: Folders of the tries, of one track.

    Raises:
        RunError: A record or a log is broken.
    """
    track = track_of(tries[0])
    record = read_suggestion_run(tries[0]) if track == "suggestion" else read_execution_run(tries[0])
    settings = record.agent.settings
    if settings.get("temperature", 0) == 0:
        return False
    first, *others = (_read_answers(one, track) for one in tries)
    return any(first.values()) and bool(others) and all(one == first for one in others)


def _read_answers(run: Path, track: str) -> dict[str, tuple[str, ...]]:
    """Task id -> raw outputs of the agent, in their order."""
    if track == "suggestion":
        return {line.task_id: (line.output,) if line.output else () for line in read_predictions(run)}
    return {
        attempt.end.task_id: tuple(step.output for step in attempt.steps) for attempt in read_attempts(run)
    }
