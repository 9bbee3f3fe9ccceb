"""One task of a run, scored: how it ended, whether it is done and who says so, in whose way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import AttemptOutcome
from execution_runner.scoring.resolved_labels import resolve
from execution_runner.scoring.success_labels import LabelRecord
from fingertip_metrics.conventions import STEP_LIMIT
from fingertip_metrics.difficulty import difficulty
from fingertip_metrics.execution import Sim2, Sim2Item, sim2
from fingertip_runs.score_summary import total
from fingertip_runs.targets import TaskTarget

COUNTED: tuple[AttemptOutcome, ...] = ("terminated", "truncated")
"""The ends that are the agent's own doing; only these are scored."""

Decider = Literal["rule", "step limit", "person", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScore:
    """One task, by its final attempt.

    Attributes:
        task_id: The episode id.
        attempt: Which one is final, counted from 1.
        outcome: How it ended.
        reason: In words.
        steps: The agent's, `finished()` included.
        golden_steps: The person's, likewise; on recordings those that have a screen.
        gaps: On recordings: the person's steps without a screen, which nobody was asked for.
        success: Whether it is done, within 2.5 x the person's steps; None where nobody has said so, and where
            the end was not the agent's.
        decided: What kind of authority says so; None where `success` is.
        by: "rule", "step limit", or the raters that were counted.
        disputed: Whether the raters come to no answer.
        sim2: Sim_2 and its parts; None where the end was not the agent's.
        agent_s: Seconds the agent took.
        device_s: Seconds the phone took.
        queries: Calls of a model.
        prompt_tokens: Tokens read; None where a model does not say.
        completion_tokens: Tokens written; likewise.
        unparsable: Steps whose output could not be parsed.
        user_id: Of the person.
        app: Package name of the episode.
        intent_category: None where it is not known.
    """

    task_id: str
    attempt: int
    outcome: AttemptOutcome
    reason: str
    steps: int
    golden_steps: int
    success: bool | None
    decided: Decider | None
    by: tuple[str, ...]
    disputed: bool
    sim2: Sim2Item | None
    agent_s: float
    device_s: float
    queries: int
    prompt_tokens: int | None
    completion_tokens: int | None
    unparsable: int
    user_id: str
    app: str
    intent_category: str | None
    gaps: int = 0

    @property
    def counted(self) -> bool:
        """Whether the end was the agent's own doing."""
        return self.outcome in COUNTED

    @property
    def step_ratio(self) -> float:
        """The agent's steps / the person's."""
        return self.steps / self.golden_steps

    @property
    def difficulty(self) -> str:
        """The bin of figure 6b, by the person's whole way."""
        return difficulty(self.golden_steps + self.gaps)


def score_tasks(
    attempts: Sequence[Attempt],
    targets: Mapping[str, TaskTarget],
    labels: Iterable[LabelRecord],
    *,
    protocol: str,
    similarity: str | None,
    spelling: str | None,
) -> tuple[tuple[TaskScore, ...], Sim2 | None]:
    """Every task, and Sim_2 over those that ended by the agent's own doing; None where none did.

    Args:
        attempts: The final one of each task.
        targets: Task id -> its target.
        labels: Of the run; those of another attempt than the final one are left aside.
        protocol: "release" or "paper".
        similarity: Method of `sequence_similarity` in place of the protocol's own.
        spelling: "written" or "canonical" in place of the protocol's own.

    Raises:
        MetricInputError: A task without golden actions.
        UsageError: There is no such protocol, similarity or spelling.
    """
    of_attempt: dict[tuple[str, int], list[LabelRecord]] = {}
    for label in labels:
        of_attempt.setdefault((label.task_id, label.attempt), []).append(label)
    tasks = [_task(attempt, targets[attempt.end.task_id], of_attempt) for attempt in attempts]
    counted = [attempt for attempt, task in zip(attempts, tasks, strict=True) if task.counted]
    if not counted:
        return tuple(tasks), None
    result = sim2(
        [[step.written for step in attempt.steps] for attempt in counted],
        [targets[attempt.end.task_id].scored_actions(attempt.end.gaps) for attempt in counted],
        [targets[attempt.end.task_id].other_type_actions for attempt in counted],
        protocol=protocol,
        similarity=similarity,
        spelling=spelling,
    )
    items = iter(result.per_item)
    return tuple(replace(task, sim2=next(items)) if task.counted else task for task in tasks), result


def _task(
    attempt: Attempt, target: TaskTarget, labels: Mapping[tuple[str, int], Sequence[LabelRecord]]
) -> TaskScore:
    end, steps = attempt.end, attempt.steps
    golden_steps = len(target.scored_actions(end.gaps))
    success, decided, by, disputed = _success(attempt, target, labels.get((end.task_id, end.attempt), ()))
    return TaskScore(
        task_id=end.task_id,
        attempt=end.attempt,
        outcome=end.outcome,
        reason=end.reason,
        steps=len(steps),
        golden_steps=golden_steps,
        success=success,
        decided=decided,
        by=by,
        disputed=disputed,
        sim2=None,
        agent_s=sum(step.agent_s for step in steps),
        device_s=sum(step.device_s for step in steps),
        queries=sum(step.queries for step in steps),
        prompt_tokens=total(step.prompt_tokens for step in steps),
        completion_tokens=total(step.completion_tokens for step in steps),
        unparsable=sum(step.problem is not None for step in steps),
        user_id=target.user_id,
        app=target.app,
        intent_category=target.intent_category,
        gaps=len(target.golden_actions) - golden_steps,
    )


def _success(
    attempt: Attempt, target: TaskTarget, labels: Sequence[LabelRecord]
) -> tuple[bool | None, Decider | None, tuple[str, ...], bool]:
    """Success, what kind of authority says so, who that is, and whether raters dispute it."""
    end = attempt.end
    if end.outcome not in COUNTED:
        return None, None, (), False
    if len(attempt.steps) > STEP_LIMIT * len(target.golden_actions):
        return False, "step limit", ("step limit",), False
    if end.success is not None:
        return end.success, "rule", ("rule",), False
    resolved = resolve(labels)
    if resolved.success is None:
        return None, None, resolved.by, resolved.disputed
    persons = any(label.kind == "person" for label in labels)
    return resolved.success, "person" if persons else "judge", resolved.by, False
