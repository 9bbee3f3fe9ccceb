"""Scorers of track 2 for Inspect: SR_2 by rule, Sim_2, the other means of a run, and the effort."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import EndRecord, StepRecord
from execution_runner.scoring.breakdowns import MEANS, SHARES
from execution_runner.scoring.success import done_value
from execution_runner.scoring.task_scores import TaskScore, score_tasks
from fingertip_20k.inspect.user_metrics import user_metrics
from fingertip_dataset.tasks.task import TaskTarget

ATTEMPT, TARGET = "attempt", "target"
"""Keys of a sample's metadata: the end and the steps of its final attempt; what the task is scored by."""

PARTS = tuple(name for name in MEANS if name not in ("sim2", "identification"))
"""Means of a run other than SR_2 and Sim_2. Identification is of the tasks of several people together, and a
scorer sees one task: `fingertip score` has it for the run that a log is converted to."""


def attempt_dict(attempt: Attempt) -> dict[str, Any]:
    """An attempt as JSON, for the metadata of a sample."""
    return {
        "end": attempt.end.model_dump(mode="json"),
        "steps": [step.model_dump(mode="json") for step in attempt.steps],
    }


def attempt_in(metadata: Mapping[str, Any]) -> Attempt | None:
    """The attempt in the metadata of a sample; None if none was made."""
    found = metadata.get(ATTEMPT)
    if found is None:
        return None
    return Attempt(
        end=EndRecord.model_validate(found["end"], strict=False),
        steps=tuple(StepRecord.model_validate(step, strict=False) for step in found["steps"]),
    )


def _read_task_score(state: TaskState, *, carried_out: bool, protocol: str) -> TaskScore | None:
    attempt = attempt_in(state.metadata)
    if attempt is None:
        return None
    target = TaskTarget.model_validate(state.metadata[TARGET], strict=False)
    tasks, _, _ = score_tasks(
        [attempt],
        {target.task_id: target},
        (),
        carried_out=carried_out,
        protocol=protocol,
        similarity=None,
        spelling=None,
    )
    return tasks[0]


@scorer(metrics=user_metrics(share=True))
def execution_sr2() -> Scorer:
    """SR_2: whether the goal's rule holds at the end, within 2.5 x the person's steps."""

    async def score(state: TaskState, target: Target) -> Score:
        task = _read_task_score(state, carried_out=True, protocol="release")
        if task is None:
            return Score(value=0.0, explanation="no attempt was made")
        how = f"{task.outcome}: {task.reason}" if task.reason else task.outcome
        decided = f", decided by {task.decided}" if task.decided else ""
        return Score(value=done_value(task), answer=task.outcome, explanation=f"{how}{decided}")

    return score


@scorer(metrics=user_metrics())
def execution_sim2(protocol: str = "release", carried_out: bool = True) -> Scorer:
    """Sim_2: are the actions more like this person's than like those of a person of another type?

    Args:
        protocol: "release" or "paper".
        carried_out: Whether actions were carried out, on a phone; False on recorded episodes.
    """

    async def score(state: TaskState, target: Target) -> Score:
        task = _read_task_score(state, carried_out=carried_out, protocol=protocol)
        if task is None:
            return Score(value=0.0, explanation="no action was made, so none is like the person's")
        return Score(value=_number(task.sim2.sim2), metadata={"s_i": task.sim2.s_i, "s_ii": task.sim2.s_ii})

    return score


@scorer(metrics={name: user_metrics(share=name in SHARES) for name in PARTS})
def execution_parts(protocol: str = "release", carried_out: bool = True) -> Scorer:
    """The parts of Sim_2, the ratio of steps, progress, false completions and side effects.

    Args:
        protocol: As for `execution_sim2`.
        carried_out: As for `execution_sim2`.
    """

    async def score(state: TaskState, target: Target) -> Score:
        task = _read_task_score(state, carried_out=carried_out, protocol=protocol)
        return Score(
            value={name: _number(MEANS[name](task) if task else None) for name in PARTS},
            metadata={"side_effects": list((task and task.side_effects) or ())},
        )

    return score


@scorer(metrics={"*": user_metrics()})
def execution_effort() -> Scorer:
    """Seconds, queries, tokens and steps of the final attempt."""

    async def score(state: TaskState, target: Target) -> Score:
        task = _read_task_score(state, carried_out=True, protocol="release")
        used = task.usage if task else None
        values = {
            "seconds": used.agent_s if used else None,
            "queries": used.queries if used else None,
            "prompt_tokens": used.prompt_tokens if used else None,
            "completion_tokens": used.completion_tokens if used else None,
            "steps": task.steps if task else None,
        }
        return Score(value={name: _number(value) for name, value in values.items()})

    return score


def _number(value: float | None) -> float:
    """A value as Inspect takes it, which counts NaN as not scored."""
    return math.nan if value is None else value
