"""Runs that are another run's, among the bundles that are given together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fingertip_agents.registry import agent_traits
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

LONG = 8
"""Characters of an answer from which two equal ones are no chance."""

ENOUGH = 4
"""Tasks that must be comparable before two runs are compared."""

SHARE = 0.8
"""Of the comparable tasks: from here on one run is taken for a copy of the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a run is compared by.

    Attributes:
        name: Of the bundle.
        read: Its records.
        texts: Task id -> what the agent wrote.
        seconds: Task id -> how long it took.
        right: Task id -> what is scored against, joined; equal right answers are no copy.
    """

    name: str
    read: ReadBundle
    texts: Mapping[str, str]
    seconds: Mapping[str, float]
    right: Mapping[str, str]


def answers_of(name: str, read: ReadBundle, right: Mapping[str, str]) -> Answers:
    """What a bundle is compared by.

    Args:
        name: Of the bundle.
        read: Its records.
        right: Task id -> what is scored against: the intent, or the golden actions a line each.
    """
    texts = {one.record.task_id: one.record.output or one.record.predicted_intent for one in read.suggestions}
    texts |= {
        one.record.end.task_id: "\n".join(
            step.written if step.problem is not None else step.action for step in one.record.steps
        )
        for one in read.executions
    }
    seconds = {one.record.task_id: one.record.time_s for one in read.suggestions if not one.record.cached}
    seconds |= {
        one.record.end.task_id: sum(step.agent_s for step in one.record.steps) for one in read.executions
    }
    return Answers(name=name, read=read, texts=texts, seconds=seconds, right=right)


def check_copies(runs: Sequence[tuple[Answers, Refusals]]) -> None:
    """Refuses the later of two runs that are one and the same.

    Two runs are, where of the tasks with a long answer that is not simply right, at least `SHARE` have the
    same answer; or where as many took the same time to the last digit. Deterministic agents are compared by
    time alone among themselves: they answer the same each time. A bundle that is refused is nobody's
    original: a forged one must not push an honest one off.

    Args:
        runs: Each with the findings of its bundle, in the order given.
    """
    for (first, known), (second, found) in combinations(runs, 2):
        if known.refusals or first.read.bundle.track != second.read.bundle.track:
            continue
        reason = _copied(first, second)
        if reason:
            found.refuse(
                RefusalKind.COPIED_RUN,
                f"expected a run of its own, got {reason} {first.name}",
                second.read.log,
            )


def remark_uniform(answers: Answers, found: Refusals) -> None:
    """Tells where a run answers every task alike; that is poor, and no reason to refuse it."""
    if len(answers.texts) > 1 and len(set(answers.texts.values())) == 1:
        found.remark(f"the same answer to all {len(answers.texts)} tasks")


def _copied(first: Answers, second: Answers) -> str:
    same, of = _same_times(first, second)
    if of >= ENOUGH and same >= SHARE * of:
        return f"the seconds of {same} of {of} tasks from"
    if _deterministic(first) and _deterministic(second):
        return ""
    same, of = _same_texts(first, second)
    return f"{same} of {of} long answers from" if of >= ENOUGH and same >= SHARE * of else ""


def _deterministic(answers: Answers) -> bool:
    """Whether the run's agent answers the same each time, so that two honest runs of it are equal."""
    bundle = answers.read.bundle
    return agent_traits(bundle.run.agent.name, bundle.track).deterministic


def _same_times(first: Answers, second: Answers) -> tuple[int, int]:
    common = [task for task, value in first.seconds.items() if value > 0 and second.seconds.get(task, 0) > 0]
    return sum(first.seconds[task] == second.seconds[task] for task in common), len(common)


def _same_texts(first: Answers, second: Answers) -> tuple[int, int]:
    common = [
        task
        for task, text in first.texts.items()
        if max(len(text), len(second.texts.get(task, ""))) >= LONG
        and not (text == second.texts.get(task) == first.right.get(task))
    ]
    return sum(first.texts[task] == second.texts.get(task) for task in common), len(common)
