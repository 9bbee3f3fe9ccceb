"""Scores of single tasks: outcome, success and who decided it, and Sim_2.

Every task has a score: one that the safety gate, the phone or the agent's model ended is not done, and its
Sim_2 is that of what the agent wrote until then, 0 without an output. The paper does not say how it counts
such tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import ERRORS, AttemptOutcome, DialogueRecord, EndRecord, StepRecord
from execution_runner.scoring.resolved_labels import resolve
from execution_runner.scoring.success_labels import LabelRecord
from execution_runner.scoring.wrong_app import was_stopped_in_wrong_app
from fingertip_dataset.actions import strip_answer
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.conventions import Outputs, get_protocol
from fingertip_metrics.difficulty import difficulty
from fingertip_metrics.execution import Sim2, Sim2Item, sim2
from fingertip_metrics.identification import Identification, score_identification
from fingertip_runs.score_summary import total, total_seconds
from fingertip_runs.usage import Usage

COUNTED: tuple[AttemptOutcome, ...] = ("terminated", "truncated", "out_of_patience")
"""Outcomes by which the agent itself ended the task. On a phone a person may label only these."""

Decider = Literal["rule", "step limit", "wrong app", "person", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScore:
    """The score of one task by its final attempt.

    Attributes:
        task_id: The episode id.
        attempt: Number of the final attempt, from 1.
        outcome: Outcome of the attempt.
        reason: Reason of the outcome, in words.
        steps: Number of the agent's steps, including `finished()`.
        golden_steps: Number of the person's steps, `finished()` included; on recordings, those with a screen.
        gaps: On recordings, number of the person's steps without a screen, for which no agent was queried.
        success: Whether the task is done within the step limit; None if nobody decided, or if the
            agent did not end it. Such a task counts as not done, and as done in the best case.
        decided: Kind of authority that decided the success; None if undecided. "wrong app" for an attempt
            that the gate ended while the agent was in another app than the task's: it has failed.
        by: "rule", "step limit", "wrong app", or names of the raters whose labels count.
        disputed: Whether the raters disagree.
        sim2: Sim_2 of the outputs that the protocol counts, and its parts.
        usage: Seconds, model queries and tokens.
        unparsable: Number of steps whose output could not be parsed.
        unperformed: Number of outputs that were not carried out, such as text without a focused field; 0 in a
            dry run and on recordings, where nothing is.
        answered: Whether a sequence of Sim_2 has a `finished(content='...')`, which the paper's actions lack.
        user_id: Id of the task's user.
        app: Package name of the episode's app.
        intent_category: Category of the intent; None if not known.
        progress: Share of the goal's conditions that are met at the end, 0-1; 0 after an error. None on other
            than simulated phones, and in older runs.
        false_completion: Whether the agent said that it had finished and the task is not done; None if nobody
            decided that, or if nothing was carried out.
        side_effects: What changed on the phone and has no part in the goal, in words; None if not known.
        without_looking: Whether the agent answered the goal's question although no screen of the attempt had
            shown the answer; such an answer may be right all the same. None for a goal that asks none, for an
            attempt without an answer, and in older runs.
        identified: Whether the actions are nearest to those of the task's own person in a group of people
            with similar intents: 1, 1/m of m that tie, or 0; None for a task without a group. See
            `fingertip_metrics.identification`.
        dialogue: Questions and consent, where somebody answers; None elsewhere.
        known_from: The hardest source of the task's arguments, of "ask", "profile", "history" and
            "instruction"; "" in the paper's tasks.
        home: Why the attempt began on the home screen in a run whose attempts begin in their app; "" else.
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
    sim2: Sim2Item
    usage: Usage
    unparsable: int
    user_id: str
    app: str
    intent_category: str | None
    gaps: int = 0
    unperformed: int = 0
    answered: bool = False
    progress: float | None = None
    false_completion: bool | None = None
    side_effects: tuple[str, ...] | None = None
    without_looking: bool | None = None
    identified: float | None = None
    dialogue: DialogueRecord | None = None
    known_from: str = ""
    home: str = ""

    @property
    def counted(self) -> bool:
        """Whether the agent itself ended the task."""
        return self.outcome in COUNTED

    @property
    def undecided(self) -> bool:
        """Whether the task may be done for all that is known: it counts as not done, at best as done."""
        return self.success is None

    @property
    def step_ratio(self) -> float:
        """The agent's number of steps over the person's."""
        return self.steps / self.golden_steps

    @property
    def difficulty(self) -> str:
        """The difficulty bin of figure 6b by the person's number of steps, gaps included."""
        return difficulty(self.golden_steps + self.gaps)


def score_tasks(
    attempts: Sequence[Attempt],
    targets: Mapping[str, TaskTarget],
    labels: Iterable[LabelRecord],
    *,
    carried_out: bool,
    protocol: str,
    similarity: str | None,
    spelling: str | None,
) -> tuple[tuple[TaskScore, ...], Sim2, Identification]:
    """The score of every task, and Sim_2 and identification over all of them.

    Args:
        attempts: The final attempt of each task, at least one.
        targets: Task id -> its target.
        labels: Labels of the run; those of an attempt that is not final are ignored.
        carried_out: Whether the run's actions were carried out: there `list_outputs` may leave some out.
        protocol: "release" or "paper".
        similarity: Method of `sequence_similarity` in place of the protocol's own.
        spelling: "written" or "canonical" in place of the protocol's own.

    Raises:
        MetricInputError: A task has no golden actions.
        UsageError: There is no such protocol, similarity or spelling.
    """
    of_attempt: dict[tuple[str, int], list[LabelRecord]] = {}
    for label in labels:
        of_attempt.setdefault((label.task_id, label.attempt), []).append(label)
    outputs = [list_outputs(attempt, get_protocol(protocol).outputs, carried_out) for attempt in attempts]
    people = [targets[attempt.end.task_id] for attempt in attempts]
    golden = [
        one.list_scored_actions(attempt.end.gaps) for one, attempt in zip(people, attempts, strict=True)
    ]
    result = sim2(
        outputs,
        golden,
        [one.other_type_actions for one in people],
        protocol=protocol,
        similarity=similarity,
        spelling=spelling,
    )
    whose = score_identification(
        outputs,
        golden,
        users=[one.user_id for one in people],
        intents=[one.intent for one in people],
        apps=[one.app for one in people],
        protocol=protocol,
        similarity=similarity,
        spelling=spelling,
    )
    tasks = [
        replace(
            _add_end(
                _task(attempt, targets[attempt.end.task_id], of_attempt, item, carried_out),
                attempt.end,
                carried_out,
            ),
            identified=way.identified,
        )
        for attempt, item, way in zip(attempts, result.per_item, whose.per_item, strict=True)
    ]
    if any(attempt.end.state is not None for attempt in attempts):
        # what the agent's model or the phone left undone counts as not done, here as in SR_2
        tasks = [task if task.outcome not in ERRORS else replace(task, progress=0.0) for task in tasks]
    return tuple(tasks), result, whose


def list_acts(steps: Sequence[StepRecord]) -> list[StepRecord]:
    """The steps of an attempt without its questions, which no limit and no score of actions counts."""
    return [step for step in steps if step.reply is None]


def list_outputs(attempt: Attempt, outputs: Outputs, carried_out: bool) -> list[str]:
    """The outputs of an attempt that Sim_2 counts, as written.

    Args:
        attempt: The attempt.
        outputs: "all", or "performed": then an action that the gate denied, text that no field took, and an
            action in which the phone failed are left out.
        carried_out: Whether the run's actions were carried out; where none was, all outputs count.
    """
    every = outputs == "all" or not carried_out
    return [step.written for step in list_acts(attempt.steps) if every or step.performed]


def _task(
    attempt: Attempt,
    target: TaskTarget,
    labels: Mapping[tuple[str, int], Sequence[LabelRecord]],
    similarity: Sim2Item,
    carried_out: bool,
) -> TaskScore:
    end, every = attempt.end, attempt.steps
    steps = list_acts(every)
    sequences = ([step.written for step in steps], target.golden_actions, target.other_type_actions)
    golden_steps = len(target.list_scored_actions(end.gaps))
    success, decided, by, disputed = _decide_success(
        attempt, target, labels.get((end.task_id, end.attempt), ())
    )
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
        sim2=similarity,
        usage=Usage(
            agent_s=total_seconds(step.agent_s for step in every),
            device_s=total_seconds(step.device_s for step in every),
            queries=total(step.queries for step in every),
            prompt_tokens=total(step.prompt_tokens for step in every),
            completion_tokens=total(step.completion_tokens for step in every),
        ),
        unparsable=sum(step.problem is not None for step in steps),
        user_id=target.user_id,
        app=target.app,
        intent_category=target.intent_category,
        gaps=len(target.golden_actions) - golden_steps,
        unperformed=sum(not step.performed for step in steps) if carried_out else 0,
        answered=any(strip_answer(raw) != raw for sequence in sequences for raw in sequence),
        known_from=next(iter(target.known_from), ""),
        home="" if end.start is None else end.start.reason,
    )


def _add_end(task: TaskScore, end: EndRecord, carried_out: bool) -> TaskScore:
    """Add to a score what the end says apart from success; the rule's word stands above the step limit."""
    state = None if end.outcome in ERRORS else end.state
    finished = end.outcome == "terminated"
    done = task.success if end.success is None else end.success
    return replace(
        task,
        progress=None if state is None else state.met / state.conditions,
        false_completion=None if not carried_out or (finished and done is None) else finished and not done,
        side_effects=None if state is None else state.side_effects,
        dialogue=None if end.outcome in ERRORS else end.dialogue,
        without_looking=not state.answer_seen
        if state and finished and state.answer_seen is not None
        else None,
    )


def _decide_success(
    attempt: Attempt, target: TaskTarget, labels: Sequence[LabelRecord]
) -> tuple[bool | None, Decider | None, tuple[str, ...], bool]:
    """(success, kind of authority that decided it, names of the deciders, whether raters disagree)."""
    end = attempt.end
    if was_stopped_in_wrong_app(end, attempt.steps, target.app):
        return False, "wrong app", ("wrong app",), False
    if end.outcome not in COUNTED:
        return None, None, (), False
    if target.over_limit(len(list_acts(attempt.steps))):
        return False, "step limit", ("step limit",), False
    if end.success is not None:
        return end.success, "rule", ("rule",), False
    resolved = resolve(labels)
    if resolved.success is None:
        return None, None, resolved.by, resolved.disputed
    persons = any(label.kind == "person" for label in labels)
    return resolved.success, "person" if persons else "judge", resolved.by, False
