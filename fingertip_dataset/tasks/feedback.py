"""Feedback of a person on what was suggested to them, as later moments of their month know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Feedback = Literal["accepted", "not_now", "never", "ignored"]
"""Answer of a person to a suggestion; "ignored" says nothing about what was suggested."""

REJECTIONS: tuple[Feedback, ...] = ("not_now", "never")
"""Answers by which a person rejects what was suggested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastOffer:
    """A suggestion that was made to a person, with their answer.

    Attributes:
        time: Moment of the suggestion, in ISO 8601, local time; "" if times are hidden.
        scenario: Place of the person; "" if places are hidden.
        text: The suggested intent.
        feedback: The answer.
    """

    time: str
    scenario: str
    text: str
    feedback: Feedback
