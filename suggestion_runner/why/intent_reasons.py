"""Reasons why a suggestion is not the person's intent, and which of them is its primary reason.

All reasons that apply to an answer are kept. Its primary reason is the first of them in the order of
`INTENT_REASONS`: first what the answer is in itself, then how near it comes to the intent, then which part of
the person's habits it ignores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

IntentReasonName = Literal[
    "agent_error",
    "unreadable_answer",
    "copied_last",
    "other_arguments",
    "other_thing",
    "stale_habit",
    "wrong_time",
    "ignored_place",
    "other_habit",
    "generic",
    "unexplained",
    "not_judged",
]
"""Name of a reason, in the order in which reasons are primary."""

INTENT_REASONS: tuple[IntentReasonName, ...] = get_args(IntentReasonName)

INTENT_TITLES: Mapping[IntentReasonName, str] = MappingProxyType(
    {
        "agent_error": "the agent failed",
        "unreadable_answer": "no intent, or one that cannot be read",
        "copied_last": "the last intent again",
        "other_arguments": "right kind of thing, but other details",
        "other_thing": "right app, another thing",
        "stale_habit": "a habit that has ended",
        "wrong_time": "a habit of another time",
        "ignored_place": "a habit of another place",
        "other_habit": "another habit of this time and place",
        "generic": "what many people do, not this person",
        "unexplained": "no rule explains it",
        "not_judged": "not judged",
    }
)
"""Name -> words in tables."""

NOT_ASKED = "no model was asked"
"""Words on an answer whose reason only a model can say, where there was none."""

WITHOUT_RULE: frozenset[IntentReasonName] = frozenset({"unexplained", "not_judged"})
"""What an answer has if no other reason applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentReason:
    """A reason why an answer is not the person's intent.

    Attributes:
        name: Which one.
        words: What was found, in one line.
    """

    name: IntentReasonName
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReasons:
    """Why one answer failed.

    Attributes:
        task_id: The episode id.
        user_id: Id of the task's user.
        primary: Name of its primary reason.
        reasons: All that apply, in the order of `INTENT_REASONS`; the primary one is the first.
        by: "rule", or the name of the model that gave the primary reason.
    """

    task_id: str
    user_id: str
    primary: IntentReasonName
    reasons: tuple[IntentReason, ...]
    by: str = "rule"


def sort_reasons(reasons: Iterable[IntentReason]) -> tuple[IntentReason, ...]:
    """Sort at least one reason in the order of `INTENT_REASONS`; those `WITHOUT_RULE` only if alone.

    >>> [one.name for one in sort_reasons([IntentReason(name="generic"), IntentReason(name="other_thing")])]
    ['other_thing', 'generic']
    """
    found = list(reasons)
    known = [reason for reason in found if reason.name not in WITHOUT_RULE] or found
    return tuple(sorted(known, key=lambda reason: INTENT_REASONS.index(reason.name)))
