"""Reasons why an attempt failed, and which one is its primary reason.

All reasons that apply to an attempt are kept. Its primary reason is the one that begins first after the last
progress of the agent: what happened before was recovered from. Reasons that begin at the same step stand in
the order of `REASONS`. So a tap beside an icon that opens another app is a grounding miss first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

ReasonName = Literal[
    "device_error",
    "agent_error",
    "unreadable_answer",
    "grounding_miss",
    "wrong_app",
    "loop",
    "off_way",
    "blocked",
    "early_finish",
    "wrong_answer",
    "over_limit",
    "unexplained",
    "not_judged",
]
"""Name of a reason, in the order in which reasons of one step are primary."""

REASONS: tuple[ReasonName, ...] = get_args(ReasonName)

TITLES: Mapping[ReasonName, str] = MappingProxyType(
    {
        "device_error": "the phone failed",
        "agent_error": "the agent failed",
        "unreadable_answer": "cut or unreadable answer",
        "grounding_miss": "tap beside the element",
        "wrong_app": "another app",
        "loop": "the same action again and again",
        "off_way": "left the way to the goal",
        "blocked": "stopped by the safety gate",
        "early_finish": "finished too early",
        "wrong_answer": "wrong answer to the question",
        "over_limit": "over the step limit",
        "unexplained": "no rule explains it",
        "not_judged": "not judged",
    }
)
"""Name -> words in tables and on pages."""

ERRORS: frozenset[ReasonName] = frozenset({"device_error", "agent_error"})
"""Reasons that ended an attempt by themselves: primary whatever happened before."""

AT_END: frozenset[ReasonName] = frozenset(
    {"blocked", "early_finish", "wrong_answer", "over_limit", "unexplained", "not_judged"}
)
"""Reasons that concern how the attempt ended: never recovered from."""

WITHOUT_RULE: frozenset[ReasonName] = frozenset({"unexplained", "not_judged"})
"""What an attempt has if no other reason applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A reason why an attempt failed.

    Attributes:
        name: Which one.
        step: Step at which it begins, from 1; after the last progress if it then still applies. None for an
            attempt without a step.
        times: Number of steps to which it applies.
        words: What happened, in one line.
        recovered: Whether the agent made progress afterwards, or came back to the way.
    """

    name: ReasonName
    step: int | None
    times: int = 1
    words: str = ""
    recovered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReasons:
    """Why one attempt failed.

    Attributes:
        task_id: The episode id.
        user_id: Id of the task's user.
        attempt: Number of the attempt, from 1.
        primary: Name of its primary reason.
        reasons: All that apply, in the order of `REASONS`; the primary one among them.
        by: "rule", or the name of the judge that gave the primary reason.
        progress_step: Last step at which the agent came further on a way to the goal, 0 for none; None where
            nobody knows (real phones).
        problem: Why the way could not be compared, in words; "" if it could.
    """

    task_id: str
    user_id: str
    attempt: int
    primary: ReasonName
    reasons: tuple[Reason, ...]
    by: str = "rule"
    progress_step: int | None = None
    problem: str = ""

    @property
    def primary_reason(self) -> Reason:
        """The primary reason with its step."""
        return next(reason for reason in self.reasons if reason.name == self.primary)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleHit:
    """A rule that applies to steps of an attempt.

    Attributes:
        name: The reason.
        steps: Steps from 1 to which it applies, ascending; empty for an attempt without a step.
        words: What happened at each of the steps, or one text for all.
        recovered: Whether it is known that the agent recovered from it.
    """

    name: ReasonName
    steps: tuple[int, ...]
    words: tuple[str, ...] = ("",)
    recovered: bool = False

    def reason(self, progress_step: int) -> Reason:
        """The reason, from its first step after the last progress if there is one."""
        later = [place for place, step in enumerate(self.steps) if step > progress_step]
        lasting = self.name in ERRORS | AT_END or (bool(later) and not self.recovered)
        place = later[0] if later else 0
        return Reason(
            name=self.name,
            step=self.steps[place] if self.steps else None,
            times=max(1, len(self.steps)),
            words=self.words[min(place, len(self.words) - 1)] if self.words else "",
            recovered=not lasting,
        )


def primary_of(reasons: Sequence[Reason]) -> ReasonName:
    """The primary one of at least one reason.

    Errors that ended the attempt come first, then the lasting reason that begins first, then the recovered
    one that begins first. Ties go to the order of `REASONS`.

    >>> primary_of([Reason(name="over_limit", step=9), Reason(name="loop", step=4)])
    'loop'
    """
    return min(reasons, key=_order).name


def _order(reason: Reason) -> tuple[bool, bool, int, int]:
    return (
        reason.name not in ERRORS,
        reason.recovered,
        reason.step or 0,
        REASONS.index(reason.name),
    )


def explain_hits(hits: Iterable[RuleHit], *, progress_step: int | None) -> tuple[Reason, ...]:
    """All reasons of an attempt in the order of `REASONS`; those `WITHOUT_RULE` only if no other applies."""
    reasons = [hit.reason(progress_step or 0) for hit in hits]
    known = [reason for reason in reasons if reason.name not in WITHOUT_RULE] or reasons
    return tuple(sorted(known, key=lambda reason: REASONS.index(reason.name)))
