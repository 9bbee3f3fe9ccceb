"""Records between a format and its model: the prepared question, and the reading of the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fingertip_dataset.actions import Action
from fingertip_models.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An agent's output as actions, or the reason why there are none.

    Attributes:
        actions: In px of the phone's screenshot; empty where `problem` says why.
        raw: The text of each action as written, where that is the release's syntax in px of the phone's
            screenshot; empty otherwise.
        problem: Why it cannot be parsed, "expected X, got Y" in one line; None where it can.
        thought: The agent's reasoning, without the action.
    """

    actions: tuple[Action, ...] = ()
    raw: tuple[str, ...] = ()
    problem: str | None = None
    thought: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A question to a model, and the reader of its answer.

    Attributes:
        messages: To send, in this order.
        read: Turns the answer into actions; knows how the screenshot was scaled, and raises nothing.
    """

    messages: tuple[Message, ...]
    read: Callable[[str], Reading]
