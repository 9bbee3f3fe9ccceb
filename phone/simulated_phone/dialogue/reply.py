"""A person's reply to an agent's question, and the interface of whoever gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

ReplyKind: TypeAlias = Literal[
    "value", "choice", "yes", "no", "you_know_that", "not_understood", "out_of_patience"
]
"""What a reply is: the value of a slot; one of the choices that were offered; yes or no to a question
whether something is right or may be done; a value that the agent could know from the history; no answer; no
answer any more, which ends the attempt."""

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
