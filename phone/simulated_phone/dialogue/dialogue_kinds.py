"""Kinds of instructions, answerers, replies and risks, for records and pages that need no phone."""

from __future__ import annotations

from typing import Literal, TypeAlias

Level: TypeAlias = Literal["full", "no_app", "no_arguments", "goal_alone"]
"""How much an instruction says: all that the person wrote; nothing of the app; nothing of what exactly; the
need alone."""

AnsweredBy: TypeAlias = Literal["simulated", "model", "human"]
"""Who answers an agent's questions: the simulated person by rule, a model, or people who type."""

ReplyKind: TypeAlias = Literal[
    "value", "choice", "yes", "no", "you_know_that", "not_understood", "out_of_patience"
]
"""What a reply is: the value of a slot; one of the choices that were offered; yes or no to a question
whether something is right or may be done; a value that the agent could know from the history; no answer; no
answer any more, which ends the attempt."""

Risk: TypeAlias = Literal["spends", "sends", "deletes"]
"""What needs consent: it spends money, sends something to somebody, or deletes something."""
