"""Find copied runs among the bundles that are verified together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from rapidfuzz.fuzz import ratio

from fingertip_agents.registry import agent_traits
from fingertip_dataset.folded_text import make_skeleton
from fingertip_dataset.track import Track
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.task_lists import TaskList, describe_section, find_task_list
from fingertip_leaderboard.verify.checks.attached_record import REAL_CLOCK
from fingertip_leaderboard.verify.near_texts import NEAR

LONG = 8
"""Minimum characters of an answer for equality to be unlikely by chance."""

ENOUGH = 4
"""Minimum number of comparable tasks to compare two runs."""

SHARE = 0.5
"""Minimum share of nearly equal comparable tasks for a mark: nobody is refused, so that a thief who changes
almost half of the answers is still seen."""

TRIED = 8
"""Number of answers of a run with which all others are compared to see whether they are the same."""

KEPT = 1_000
"""Maximum characters of a text that are compared, after `comparable`."""

MarkKind = Literal["answers", "seconds", "name"]
"""What two runs have in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers and times of a run, by which it is compared with others.

    Attributes:
        name: Name of the bundle.
        track: Its track.
        agent: Name of its agent.
        texts: Task id -> the agent's intent or actions, as `comparable` gives them.
        seconds: Task id -> the agent's seconds.
        right: Task id -> target as one text; equal correct answers do not indicate a copy.
        tasks: List of its tasks; at moments "" is silence.
        section: What has to be equal for names and answers to be compared.
    """

    name: str
    track: Track
    agent: str
    texts: Mapping[str, str]
    seconds: Mapping[str, float]
    right: Mapping[str, str]
    tasks: TaskList = "suggestion"
    section: str = ""


def collect_answers(name: str, read: ReadBundle, right: Mapping[str, str]) -> Answers:
    """Collect the answers and times of a bundle.

    Args:
        name: Name of the bundle.
        read: Its records.
        right: Task id -> target: the intent, or the golden actions with one line each.
    """
    run = read.bundle.run
    tasks = find_task_list(run)
    # the intent, because a thief can add any reasoning to an output; silence is nothing to compare
    texts = {
        one.record.task_id: one.record.offer
        if tasks == "moments"
        else one.record.predicted_intent or one.record.output
        for one in read.suggestions
    }
    texts |= {
        one.record.end.task_id: "\n".join(
            step.written if step.problem is not None else step.action for step in one.record.steps
        )
        for one in read.executions
    }
    # a cached answer keeps the time of the run that made it
    seconds = {one.record.task_id: one.record.time_s for one in read.suggestions if not one.record.cached}
    seconds |= {
        one.record.end.task_id: sum(step.agent_s or 0.0 for step in one.record.steps)
        for one in read.executions
    }
    if read.bundle.run.agent.settings == REAL_CLOCK:
        # an attached agent's own seconds are unknown, but the phone's clock ran
        seconds |= {task: log.end.at_ms / 1000 for task, log in read.inputs.items() if log.end is not None}
    return Answers(
        name=name,
        track=read.bundle.track,
        agent=read.bundle.run.agent.name,
        texts={task: comparable(text) for task, text in texts.items()},
        seconds=seconds,
        right={task: comparable(text) for task, text in right.items()},
        tasks=tasks,
        section=describe_section(run),
    )


def comparable(text: str) -> str:
    """A text without what nobody sees: case, blanks, invisible characters, and letters that look alike.

    >>> comparable("Оpen WeChat") == comparable("open  wechat ")
    True
    """
    # the skeleton of a small letter, because capitals have other prototypes
    return make_skeleton(text.casefold())[:KEPT]


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCopy:
    """Two runs of which one may be a copy of the other.

    Attributes:
        one: Index of the first run.
        other: Index of the second run.
        kind: What they have in common.
        same: Number of tasks in which they have it.
        of: Number of comparable tasks.
    """

    one: int
    other: int
    kind: MarkKind
    same: int
    of: int


def describe_mark(kind: MarkKind, other: str, same: int, of: int) -> str:
    """A mark in words.

    >>> describe_mark("answers", "Habit", 8, 11)
    'answers nearly equal to Habit (8 of 11)'
    """
    if kind == "name":
        return f"name looks like that of {other}"
    words = "answers nearly equal to" if kind == "answers" else "the same seconds as"
    return f"{words} {other} ({same} of {of})"


def find_near_copies(runs: Sequence[Answers]) -> Iterator[NearCopy]:
    """Pairs of runs for a person to look at; nobody is refused for being near another.

    Two runs are a pair if at least `SHARE` of the tasks with a long answer that is not simply the target have
    nearly equal answers, or if as many tasks took exactly the same time. Two deterministic agents are
    compared by time only, because they always give the same answers.

    Args:
        runs: Runs of accepted bundles on one dataset.
    """
    for (one, first), (other, second) in combinations(enumerate(runs), 2):
        if first.tasks != second.tasks:
            continue
        # times first: two honest runs never measure the same ones
        kind: MarkKind = "seconds"
        same, of = _count_same_times(first, second)
        # two honest runs of a deterministic agent give the same answers, and one agent often does at all
        # levels of instructions
        alike = first.section != second.section or (_deterministic(first) and _deterministic(second))
        if not _is_mark(same, of) and not alike:
            kind = "answers"
            same, of = _count_same_texts(first, second)
        if _is_mark(same, of):
            yield NearCopy(one=one, other=other, kind=kind, same=same, of=of)


def refuse_copied_tries(tries: Sequence[Answers], found: Refusals) -> None:
    """Refuse a bundle with two tries that took the same seconds: independent ones never do.

    Args:
        tries: Answers of the tries of a bundle, in their order.
        found: Collects the refusals.
    """
    for (one, first), (other, second) in combinations(enumerate(tries, start=1), 2):
        same, of = _count_same_times(first, second)
        if _is_mark(same, of):
            reason = f"try {other} took the same seconds as try {one} in {same} of {of} tasks: it is a copy"
            found.refuse(RefusalKind.COPIED_RUN, reason, BUNDLE)


def _is_mark(same: int, of: int) -> bool:
    return of >= ENOUGH and same >= SHARE * of


def remark_uniform(answers: Answers, found: Refusals) -> None:
    """Add a remark if a run gives nearly the same answer to most tasks; that is no reason to refuse it."""
    texts = list(answers.texts.values())
    if len(texts) > 1 and len(set(texts)) == 1:
        found.remark(f"the same answer to all {len(texts)} tasks")
        return
    given = [text for text in texts if text]
    # an answer that most tasks share is among several ones from all over the run
    tried = set(given[:: max(1, len(given) // TRIED)])
    same = max((sum(ratio(one, text, score_cutoff=NEAR) > 0 for text in given) for one in tried), default=0)
    # silence is a good answer to many moments: of those, the offers alone should differ
    silent = answers.tasks == "moments"
    of, link, what = (len(given), "in", "offers") if silent else (len(texts), "to", "tasks")
    if of >= ENOUGH and same > SHARE * of:
        found.remark(f"nearly the same answer {link} {same} of {of} {what}")


def _deterministic(answers: Answers) -> bool:
    """Whether the run's agent always gives the same answers, so that two honest runs of it are equal."""
    return agent_traits(answers.agent, answers.track).deterministic


def _count_same_times(first: Answers, second: Answers) -> tuple[int, int]:
    common = [task for task, value in first.seconds.items() if value > 0 and second.seconds.get(task, 0) > 0]
    return sum(first.seconds[task] == second.seconds[task] for task in common), len(common)


def _count_same_texts(first: Answers, second: Answers) -> tuple[int, int]:
    common = [
        (text, second.texts.get(task, ""))
        for task, text in first.texts.items()
        if max(len(text), len(second.texts.get(task, ""))) >= LONG
        # both right: no sign of a copy
        and not (text == second.texts.get(task) == first.right.get(task))
    ]
    return sum(ratio(one, other, score_cutoff=NEAR) > 0 for one, other in common), len(common)
