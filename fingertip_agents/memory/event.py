"""Events of a person's life with the phone, in the order of time, from which a memory is made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Self

from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.feedback import Feedback

EventKind = Literal["episode"] | Feedback
"""An episode of the person's own, or their answer to a suggestion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Event of a person.

    Attributes:
        time: When it happened, with its zone; memories get events in this order.
        kind: "episode", or the person's answer to a suggestion.
        intent: For an episode the person's intent. For an answer the moment of the suggestion: user, time and
            place, with the text "".
        suggestion: For an answer the suggested intent; "" for an episode.
    """

    time: datetime
    kind: EventKind
    intent: Intent
    suggestion: str = ""

    @classmethod
    def of_episode(cls, intent: Intent) -> Self:
        """Return the event of an episode."""
        return cls(time=intent.moment, kind="episode", intent=intent)

    @property
    def text(self) -> str:
        """The person's words of an episode, or the suggestion that was answered."""
        return self.suggestion or self.intent.text
