"""Steps of an attached agent: the inputs that a phone saw, as actions of table 2.

A touch, a swipe, and the keys back, home and recent apps are a step each. Text typed into a field in a row,
with what was erased in between and the Enter after it, is one step. A started app is what a person does
instead: the home key, the launcher's pages and the icon, a step each. Anything else that changes something,
such as a volume key, an opened page or a setting that a command changed, is a step without an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from execution_runner.devices.device import Observation
from fingertip_agents.execution_agent import Decision
from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Action, Ask, Type, format_action
from fingertip_dataset.errors import DeviceError, NoTreeError
from simulated_phone import Phone, TreeUnavailableError
from simulated_phone.dialogue.reply import PersonReply
from simulated_phone.watched_phone import PhoneInput

NO_ACTION = "no action of table 2"
"""Why a step has no action."""

NO_FOCUS = "no text field has the focus: nothing was typed"

UNKNOWN: Mapping[str, Any] = {
    "seconds": None,
    "prompt_tokens": None,
    "completion_tokens": None,
    "queries": None,
}
"""Fields of a decision that nobody measures for an attached agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputStep:
    """A step of an attached agent.

    Attributes:
        seen: The screen before it.
        action: The action; None for an input that table 2 does not have.
        words: The input in words.
        effective: False for text without a field that has the focus.
        reply: The person's reply, if it is a question.
    """

    seen: Observation
    action: Action | None
    words: str
    effective: bool = True
    reply: PersonReply | None = None

    @property
    def decision(self) -> Decision:
        """The step as an agent's decision."""
        if self.action is None:
            return Decision(output=self.words, actions=(), problem=NO_ACTION, **UNKNOWN)
        return Decision(output=self.words, actions=(self.action,), **UNKNOWN)


class InputSteps:
    """Joins inputs to steps. Its methods are called in the thread that owns the phone.

    Args:
        phone: The phone.
        on_step: Called with each step once it is complete.
        look: Observes the phone.
    """

    def __init__(
        self,
        phone: Phone,
        on_step: Callable[[InputStep], None],
        look: Callable[[Phone], Observation] | None = None,
    ) -> None:
        self._phone = phone
        self._look = look or observe
        self._on_step = on_step
        self._text = ""
        self._effective = False
        self._before: Observation | None = None

    def add(self, given: PhoneInput) -> None:
        """Take an input that the phone is about to act on."""
        if given.kind in ("text", "erase", "clear"):
            self._type(given)
            return
        self.flush()
        seen = self._look(self._phone)
        for gesture in given.gestures:
            self._on_step(InputStep(seen=seen, action=convert_gesture(gesture), words=given.words))
        if not given.gestures:
            self._on_step(InputStep(seen=seen, action=None, words=given.words))

    def ask(self, question: str, reply: PersonReply) -> None:
        """Take a question of the agent, with the reply."""
        self.flush()
        action = Ask(text=question)
        seen, words = self._look(self._phone), format_action(action)
        self._on_step(InputStep(seen=seen, action=action, words=words, reply=reply))

    def _type(self, given: PhoneInput) -> None:
        self._before = self._before or self._look(self._phone)
        if given.kind == "text":
            self._text += given.text
        else:
            self._text = self._text[:-1] if given.kind == "erase" else ""
        self._effective = self._effective or given.effective
        # Enter ends a text: what comes next is for another field or screen
        if self._text.endswith("\n"):
            self.flush()

    def flush(self) -> None:
        """Complete the step of the text typed so far, if there is one."""
        if self._before is None:
            return
        action, words = (Type(text=self._text), f"text {self._text!r}") if self._text else (None, "erase")
        step = InputStep(seen=self._before, action=action, words=words, effective=self._effective)
        self._text, self._before, self._effective = "", None, False
        self._on_step(step)


def observe(phone: Phone) -> Observation:
    """The screen of a phone, in the thread that owns it."""
    return replace(observe_tree(phone), screenshot=phone.screenshot_png())


def observe_tree(phone: Phone) -> Observation:
    """The screen of a phone without its pixels."""
    problems: tuple[DeviceError, ...] = ()
    try:
        tree = phone.tree()
    except TreeUnavailableError as error:
        tree, problems = None, (NoTreeError(str(error)),)
    return Observation(
        screenshot=b"", tree=tree, size=phone.size, package=phone.foreground[0], problems=problems
    )
