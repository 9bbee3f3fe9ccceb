"""Scores of predict, then execute: every task of the split counts in every mean."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from execution_runner.environments.simulated import ALSO
from execution_runner.execution_log import read_attempts
from execution_runner.scoring.run_scores import score_run
from execution_runner.scoring.task_scores import TaskScore
from fingertip_metrics.aggregate import Interval
from fingertip_runs.score_summary import bootstrap_settings, share_interval, user_interval
from fingertip_studies.assist.suggestions import JudgedSuggestion

RESULT = "assist.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistedTask:
    """The result of a task: suggestion, acceptance, attempt.

    Attributes:
        task_id: The episode id.
        user_id: Id of the person.
        intent: What the person wanted.
        suggestion: What was suggested; "" for no answer.
        accepted: Whether the suggestion was accepted.
        undecided: Whether nobody has decided on it.
        right: Whether it is what the person wanted.
        reason: The judge's reason.
        outcome: How the attempt ended; "" if there was none.
        carried_out: Whether the suggestion's own goal is reached at the end, by its rule; None if the
            suggestion words no goal of the phone, so that nobody can tell.
        done: Whether what the person wanted is reached, within 2.5 times the person's steps.
        sim2: In whose way: Sim_2 of the actions made, 0 without any; None where it is undefined.
    """

    task_id: str
    user_id: str
    intent: str
    suggestion: str
    accepted: bool
    undecided: bool
    right: bool
    reason: str
    outcome: str = ""
    carried_out: bool | None = False
    done: bool = False
    sim2: float | None = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistScores:
    """Scores of an assistant, over all tasks; shares are 0-1, intervals over users.

    Attributes:
        tasks: The tasks.
        accepted: Share whose suggestion was accepted.
        right: Share whose suggestion is what the person wanted, accepted or not.
        carried_out: Share whose accepted suggestion was carried out.
        done: Share of tasks where the person has what they wanted.
        sim2: Mean Sim_2 over all tasks; 0 where nothing was carried out.
        sim2_attempted: Mean Sim_2 over the tasks with an attempt; None without one.
        caveats: What is to be known beside the numbers, in words.
    """

    tasks: tuple[AssistedTask, ...]
    accepted: Interval
    right: Interval
    carried_out: Interval
    done: Interval
    sim2: Interval
    sim2_attempted: Interval | None
    caveats: tuple[str, ...]


def score_assistance(
    judged: Sequence[JudgedSuggestion], run: Path | None, *, judge: str, protocol: str = "release"
) -> AssistScores:
    """Score the tasks of a suggestion run by the run that carried out the accepted ones.

    Args:
        judged: Every task of the suggestion run.
        run: The run of track 2; None if nothing was carried out.
        judge: Name of the judge, for the caveats.
        protocol: "release" or "paper".

    Raises:
        RunError: The run is missing, broken or not finished.
    """
    attempted = {} if run is None else _average_attempted(run, protocol)
    tasks = tuple(_score_task(one, attempted.get(one.task_id)) for one in judged)
    users = [task.user_id for task in tasks]
    made = [task for task in tasks if task.outcome]
    return AssistScores(
        tasks=tasks,
        accepted=share_interval([float(task.accepted) for task in tasks], users),
        right=share_interval([float(task.right) for task in tasks], users),
        carried_out=share_interval([float(bool(task.carried_out)) for task in tasks], users),
        done=share_interval([float(task.done) for task in tasks], users),
        sim2=user_interval([0.0 if task.sim2 is None else task.sim2 for task in tasks], users),
        sim2_attempted=user_interval([task.sim2 for task in made], [task.user_id for task in made])
        if any(task.sim2 is not None for task in made)
        else None,
        caveats=_list_caveats(tasks, judge),
    )


def assist_dict(scores: AssistScores) -> dict[str, Any]:
    """The scores as JSON, with a record per task."""
    names = ("accepted", "right", "carried_out", "done", "sim2", "sim2_attempted")
    means: dict[str, Any] = {}
    for name in names:
        interval = getattr(scores, name)
        means[name] = None if interval is None else asdict(interval)
    return {
        "n": len(scores.tasks),
        **means,
        "caveats": list(scores.caveats),
        "bootstrap": bootstrap_settings(),
        "tasks": [asdict(task) for task in scores.tasks],
    }


def write_assistance(scores: AssistScores, out: Path, settings: Mapping[str, object]) -> Path:
    """Write OUT/assist.json: the scores, what they depend on, and a record per task.

    Raises:
        OSError: The file could not be written (for example, disk full).
    """
    file = out / RESULT
    text = json.dumps(
        {"version": 1, "settings": settings, **assist_dict(scores)}, ensure_ascii=False, indent=1
    )
    file.write_text(text + "\n", encoding="utf-8")
    return file


def _average_attempted(run: Path, protocol: str) -> dict[str, tuple[TaskScore, bool | None]]:
    """Task id -> (its score, whether the suggestion's goal is reached)."""
    scores = score_run(run, protocol=protocol)
    reached = {attempt.end.task_id: _has_reached(attempt.end.facts) for attempt in read_attempts(run)}
    return {task.task_id: (task, reached[task.task_id]) for task in scores.tasks}


def _has_reached(facts: Sequence[Mapping[str, Any]]) -> bool | None:
    noted = [fact["arguments"]["reached"] for fact in facts if fact.get("name") == ALSO]
    return bool(noted[-1]) if noted else None


def _score_task(judged: JudgedSuggestion, attempted: tuple[TaskScore, bool | None] | None) -> AssistedTask:
    score, reached = attempted or (None, False)
    return AssistedTask(
        task_id=judged.task_id,
        user_id=judged.target.user_id,
        intent=judged.target.intent,
        suggestion=judged.text,
        accepted=judged.accepted,
        undecided=judged.undecided,
        right=judged.right,
        reason=judged.reason,
        outcome=score.outcome if score else "",
        carried_out=reached,
        done=bool(score and score.success),
        sim2=score.sim2.sim2 if score else 0.0,
    )


def _list_caveats(tasks: Sequence[AssistedTask], judge: str) -> tuple[str, ...]:
    undecided = sum(task.undecided for task in tasks)
    unread = sum(task.carried_out is None for task in tasks)
    left = sum(task.accepted and not task.outcome for task in tasks)
    counted = (
        (undecided, "suggestions were decided on by nobody: they count as not accepted."),
        (unread, "suggestions name no goal that the phone has: they count as not carried out."),
        (left, "accepted suggestions were not carried out: their episodes have no recorded actions."),
    )
    return (
        "Not comparable with the paper: it tests each track alone (A.6.2 describes the two in a row).",
        f"Judge {judge} decided which suggestions are right.",
        *(f"{count} {words}" for count, words in counted if count),
    )
