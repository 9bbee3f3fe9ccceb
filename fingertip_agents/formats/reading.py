"""Records between a format and its model: the prepared question, and the reading of the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fingertip_dataset.actions import Action, Wait, format_action, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_models.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An agent's parsed output: its actions, or the problem.

    Attributes:
        actions: Actions in px of the phone's screenshot; empty if there is a `problem`.
        raw: Text of each action as the agent wrote it, if that is the release's syntax in px of the phone's
            screenshot; if empty, the release's spelling of each action is used. The release's protocol scores
            this text.
        problem: Reason why the output cannot be parsed, "expected X, got Y" in one line; None if it can.
        thought: The agent's reasoning, without the action.
    """

    actions: tuple[Action, ...] = ()
    raw: tuple[str, ...] = ()
    problem: str | None = None
    thought: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A query to a model, and the reader of its answer.

    Attributes:
        messages: Messages to send, in order.
        read: Converts the answer to actions, with the scale of the screenshot applied; raises nothing.
    """

    messages: tuple[Message, ...]
    read: Callable[[str], Reading]


def unparsed_text(output: str) -> str:
    """The scored text of an output that the agent's format cannot parse, for which `wait()` is performed.

    It is the output, as in the authors' script, unless the output is an action in the release's spelling:
    that action was not performed, so it is not scored either.

    >>> unparsed_text("I am done"), unparsed_text("press_home()")
    ('I am done', 'wait()')
    """
    try:
        parse_action(output)
    except ActionSyntaxError:
        return output
    return format_action(Wait())
