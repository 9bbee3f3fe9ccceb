"""Find copied runs among the bundles that are verified together."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fingertip_agents.registry import agent_traits
from fingertip_dataset.track import Track
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

LONG = 8
"""Minimum characters of an answer for equality to be unlikely by chance."""

ENOUGH = 4
"""Minimum number of comparable tasks to compare two runs."""

SHARE = 0.8
"""Minimum share of equal comparable tasks for one run to count as a copy of the other."""

KEPT = 200
"""Maximum characters of a text that is kept itself; of a longer one only the hash is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers and times of a run, by which it is compared with others.

    Attributes:
        name: Name of the bundle.
        track: Its track.
        agent: Name of its agent.
        log: Name of the file with the answers.
        texts: Task id -> the agent's output or actions, as `_compact` gives them.
        seconds: Task id -> the agent's seconds.
        right: Task id -> target as one text, compact too; equal correct answers do not indicate a copy.
    """

    name: str
    track: Track
    agent: str
    log: str
    texts: Mapping[str, str]
    seconds: Mapping[str, float]
    right: Mapping[str, str]


def answers_of(name: str, read: ReadBundle, right: Mapping[str, str]) -> Answers:
    """Collect the answers and times of a bundle.

    Args:
        name: Name of the bundle.
        read: Its records.
        right: Task id -> target: the intent, or the golden actions with one line each.
    """
    texts = {one.record.task_id: one.record.output or one.record.predicted_intent for one in read.suggestions}
    texts |= {
        one.record.end.task_id: "\n".join(
            step.written if step.problem is not None else step.action for step in one.record.steps
        )
        for one in read.executions
    }
    # a cached answer keeps the time of the run that made it
    seconds = {one.record.task_id: one.record.time_s for one in read.suggestions if not one.record.cached}
    seconds |= {
        one.record.end.task_id: sum(step.agent_s for step in one.record.steps) for one in read.executions
    }
    return Answers(
        name=name,
        track=read.bundle.track,
        agent=read.bundle.run.agent.name,
        log=read.log,
        texts={task: _compact(text) for task, text in texts.items()},
        seconds=seconds,
        right={task: _compact(text) for task, text in right.items()},
    )


def _compact(text: str) -> str:
    """The text, or the hash of a long one: texts are compared only for equality, and stay in memory."""
    if len(text) <= KEPT:
        return text
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def check_copies(runs: Sequence[tuple[Answers, Refusals]]) -> None:
    """Refuse the later of two runs if one is a copy of the other.

    Two runs count as copies if at least `SHARE` of the tasks with a long answer that is not simply the target
    have equal answers, or if as many tasks took exactly the same time. Two deterministic agents are compared
    by time only, because they always give the same answers. A refused bundle never counts as an original, so
    that a forged bundle cannot cause the refusal of an honest one.

    Args:
        runs: Runs in the given order, each with the findings of its bundle.
    """
    for (first, known), (second, found) in combinations(runs, 2):
        # a refused bundle is not shown, so it cannot be the original
        if known.refusals or first.track != second.track:
            continue
        reason = _copy_reason(first, second)
        if reason:
            found.refuse(
                RefusalKind.COPIED_RUN,
                f"the run copies another: {reason} {first.name}",
                second.log,
            )


def remark_uniform(answers: Answers, found: Refusals) -> None:
    """Add a remark if a run gives the same answer to every task; that is no reason to refuse it."""
    if len(answers.texts) > 1 and len(set(answers.texts.values())) == 1:
        found.remark(f"the same answer to all {len(answers.texts)} tasks")


def _copy_reason(first: Answers, second: Answers) -> str:
    # times first: two honest runs never measure the same ones
    same, of = _same_times(first, second)
    if of >= ENOUGH and same >= SHARE * of:
        return f"the seconds of {same} of {of} tasks from"
    # two honest runs of such an agent give the same answers
    if _deterministic(first) and _deterministic(second):
        return ""
    same, of = _same_texts(first, second)
    return f"{same} of {of} long answers from" if of >= ENOUGH and same >= SHARE * of else ""


def _deterministic(answers: Answers) -> bool:
    """Whether the run's agent always gives the same answers, so that two honest runs of it are equal."""
    return agent_traits(answers.agent, answers.track).deterministic


def _same_times(first: Answers, second: Answers) -> tuple[int, int]:
    common = [task for task, value in first.seconds.items() if value > 0 and second.seconds.get(task, 0) > 0]
    return sum(first.seconds[task] == second.seconds[task] for task in common), len(common)


def _same_texts(first: Answers, second: Answers) -> tuple[int, int]:
    common = [
        task
        for task, text in first.texts.items()
        if max(len(text), len(second.texts.get(task, ""))) >= LONG
        # both right: no sign of a copy
        and not (text == second.texts.get(task) == first.right.get(task))
    ]
    return sum(first.texts[task] == second.texts.get(task) for task in common), len(common)
