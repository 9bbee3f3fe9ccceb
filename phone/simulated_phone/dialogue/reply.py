"""A person's reply to an agent's question, and the interface of whoever gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from simulated_phone.dialogue.dialogue_kinds import ReplyKind

MAX_QUESTION = 2_000
"""Maximum number of characters of a question; of a longer one nobody would read the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonReply:
    """A person's reply.

    Attributes:
        kind: What it is. text: The words. slots: Names of the slots that it gives, or that a yes or no is
        about. needless: Whether the agent could have known it: all slots that it gives stand in the history
        or profile.
    """

    kind: ReplyKind
    text: str
    slots: tuple[str, ...] = ()
    needless: bool = False


class Answerer(Protocol):
    """Whoever answers the questions of one attempt, in their order."""

    def answer(self, question: str) -> PersonReply:
        """PersonReply to a question."""
