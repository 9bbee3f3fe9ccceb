"""Imitation without a model: repeats the person's reference trajectory, element by element."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.grounding import LIKENESS, can_be_touched, find_element, list_labels
from fingertip_agents.own_agents import OWN_EXECUTORS
from fingertip_agents.screens.elements import read_tree
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    Type,
    Wait,
    format_action,
    parse_action,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

MAX_CLOSED = 3
"""Maximum number of overlays (advertisements, questions) closed before one step."""

_DONE = re.compile(r"reference (\d+)/\d+: ")
_BEFORE = re.compile(r"before reference (\d+)/\d+, (waited|closed): ")
_CLOSES = re.compile(
    r"跳过\s*\d*\s*[s秒]?|\d+\s*[s秒]?\s*跳过|跳过广告|关闭广告|关闭|以后再说|稍后再说|下次再说|我?知道了|暂不\w{0,4}"
    r"|skip( ad)?|close|not now|later|no,? thanks|got it",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Next:
    """Progress of an imitation.

    Attributes:
        step: Index of the reference's next step, from 0.
        tries: Attempts to reach it, "closed" or "waited", the latest first.
    """

    step: int
    tries: tuple[str, ...] = ()


class Imitate:
    """Replays the reference sequence, each touch on the element with the recorded label.

    - The element is found by `find_element`; it is touched at the recorded point if that is still on it,
      otherwise at its centre. A touch without content goes to the recorded point.
    - If the element is missing, an overlay (advertisement or question) with a close button is closed, also
      before text would be typed without a focused field; otherwise one `wait()`, and then the recorded point
      is touched. Steps of the reference that only closed an overlay are skipped if there is none.
    - All other actions are performed as recorded, typed text included, even if the intent differs: pure
      imitation. The reference does not give its screen's size, so points are not scaled.
    - A swipe on a wheel picker turns it by as many rows as the person's did, so that it leads to the same
      value only where the wheel shows what it showed then: it is not adapted to another one.
    - `finished()` at the end of the reference, with the answer recorded there, or at once without a
      reference.

    The next step follows from the agent's earlier outputs ("reference 3/9: ..."); it keeps no other state.
    """

    name = "imitate"
    traits = OWN_EXECUTORS["imitate"].traits
    settings: Mapping[str, object] = MappingProxyType(
        {"likeness": "rapidfuzz.fuzz.ratio", "at_least": LIKENESS}
    )

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls()

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The next step of the reference, on this screen."""
        start = time.perf_counter()
        output, action = _decide(task_input, screen, past)
        return Decision(output=output, actions=(action,), seconds=time.perf_counter() - start)


def _decide(task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> tuple[str, Action]:
    """The output text and the action."""
    if task_input.reference is None:
        return _make_output("no reference", Finished())
    steps = _read_steps(task_input.reference.actions)
    here, tree = _read_progress(past), read_tree(screen)
    for number in range(here.step, len(steps)):
        action = steps[number]
        place = f"reference {number + 1}/{len(steps)}"
        tries = here.tries if number == here.step else ()
        if tree is None or not (_names_an_element(action) or _types_into_nothing(action, tree)):
            return _make_output(place, action)
        if isinstance(action, Click | LongClick) and action.content:
            found = find_element(tree, action.content, (action.x, action.y))
            if found is not None:
                return _make_output(place, _touch(action, found))
            if _CLOSES.fullmatch(action.content.strip()):
                continue
        closer = _find_closer(tree)
        if closer is not None and tries.count("closed") < MAX_CLOSED:
            return _make_output(f"before {place}, closed", closer)
        if "waited" not in tries and _names_an_element(action):
            return _make_output(f"before {place}, waited", Wait())
        return _make_output(place, action)
    return _make_output("end of the reference", _finish(task_input.reference.actions))


def _names_an_element(action: Action) -> bool:
    return isinstance(action, Click | LongClick) and bool(action.content)


def _types_into_nothing(action: Action, tree: AccessibilityTree) -> bool:
    return isinstance(action, Type) and not any(element.focused for element in tree.elements)


def _make_output(place: str, action: Action) -> tuple[str, Action]:
    return f"{place}: {format_action(action)}", action


def _read_steps(actions: Sequence[str]) -> tuple[Action, ...]:
    """The person's actions up to `finished()`."""
    return tuple(takewhile(lambda action: not isinstance(action, Finished), _parse_actions(actions)))


def _finish(actions: Sequence[str]) -> Finished:
    """Return the recorded `finished()` with its answer; a plain one if the recording does not end with it."""
    return next((action for action in _parse_actions(actions) if isinstance(action, Finished)), Finished())


def _parse_actions(actions: Sequence[str]) -> Iterator[Action]:
    """The actions that can be parsed; others are skipped."""
    for raw in actions:
        with suppress(ActionSyntaxError):
            yield parse_action(raw)


def _read_progress(past: Sequence[PastStep]) -> _Next:
    """Progress from the earlier outputs: the next step, and the attempts since the last one."""
    tries: list[str] = []
    at = 0
    for step in reversed(past):
        if done := _DONE.match(step.output):
            return _Next(at - 1 if tries else int(done[1]), tuple(tries))
        if before := _BEFORE.match(step.output):
            if tries and int(before[1]) != at:
                break
            at = int(before[1])
            tries.append(before[2])
    return _Next(at - 1 if tries else 0, tuple(tries))


def _touch(action: Click | LongClick, element: Element) -> Action:
    """The touch on that element, with its own label as content."""
    words = next(iter(list_labels(element)))
    content = action.content if action.content and words == action.content.strip() else words
    if element.box is None or element.box.contains(action.x, action.y):
        return replace(action, content=content)
    x, y = element.box.center
    return replace(action, x=x, y=y, content=content)


def _find_closer(tree: AccessibilityTree) -> Click | None:
    """Click on the close button of an overlay; the last of several, because it is the topmost."""
    for element in reversed(tree.elements):
        words = next((words for words in list_labels(element) if _CLOSES.fullmatch(words)), None)
        if words is not None and element.box is not None and can_be_touched(element, tree):
            return Click(x=element.box.center[0], y=element.box.center[1], content=words)
    return None
