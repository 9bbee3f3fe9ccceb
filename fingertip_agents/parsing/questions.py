"""Questions to the person in a model's answer, in tasks in which somebody answers them.

Formats of models that have a call for it (`ask_user`, `call_user`, `Interact`, ...) read it and refuse it,
because nobody answers in the paper's tasks; what they refuse is kept here. Whatever its format, a model may
also write `ask(text='...')`, as the request of such a task says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextvars import ContextVar

from fingertip_agents.parsing.reading import Reading
from fingertip_dataset.actions import Ask

_refused: ContextVar[list[str] | None] = ContextVar("refused questions", default=None)

_ASK = re.compile(
    r"\bask\s*[(（]\s*(?:(?:text|question|content|message)\s*[=:＝：]\s*)?"
    r"(?P<quote>[\"'“‘「])(?P<text>.*)[\"'”’」]\s*[)）]",
    re.DOTALL,
)


def keep_question(question: str) -> None:
    """Keep a question that a format refuses, for a task in which somebody answers it."""
    kept = _refused.get()
    if kept is not None:
        kept.append(question)


def read_with_questions(answer: str, read: Callable[[str], Reading]) -> Reading:
    """Read an answer whose model may ask the person something.

    An action that the format reads goes first, so that a question within its thought changes nothing.

    Args:
        answer: The answer.
        read: Reads it in the agent's own format.
    """
    kept: list[str] = []
    token = _refused.set(kept)
    try:
        reading = read(answer)
    finally:
        _refused.reset(token)
    if reading.problem is None:
        return reading
    found = _ASK.search(answer)
    question = kept[-1] if kept else found["text"] if found else None
    if question is None:
        return reading
    return Reading(actions=(Ask(text=question.strip()),), thought=reading.thought)
