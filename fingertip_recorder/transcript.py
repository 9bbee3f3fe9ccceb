"""What a person did, read off the touches and the screens that were seen between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from execution_runner.devices.device import Observation
from fingertip_dataset.actions import Action, Click, Type
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, Element, parse_tree
from fingertip_recorder.touch_to_action import KEY_ACTIONS, touch_action
from fingertip_recorder.touches import NavigationKey, Panel, RecordedTouch

GRACE_SECONDS = 0.1
"""A screen counts as seen before a touch when it was here that long before the touch was heard of."""

KEYBOARD_PART = 0.42
"""Of the screen's height, from below: where an open keyboard lies that the tree does not show."""

_ROTATION = re.compile(r'<hierarchy[^>]* rotation="([0-3])"')
_LETTER_KEYS = frozenset({"", "空格", "大写", "space", "shift"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedObservation:
    """A screen as it was seen.

    Attributes:
        begin: When the looking began, seconds of this computer's monotonic clock.
        end: When it ended.
        moment: The same as `begin`, by the calendar.
        observation: What was seen.
        typing: Whether the keyboard was open.
    """

    begin: float
    end: float
    moment: datetime
    observation: Observation
    typing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonstratedStep:
    """A step of a demonstration, to be looked through before it is kept.

    Attributes:
        look: The screen seen before it.
        action: What was done.
        doubts: Why a person should look twice, one line each.
    """

    look: TimedObservation
    action: Action
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchInput:
    """The phone's input side.

    Attributes:
        panel: The touch panel.
        keyboard: Package of the person's keyboard.
        edges: Whether gestures at the edges stand for the keys of the navigation bar.
    """

    panel: Panel
    keyboard: str = ""
    edges: bool = False


class Transcript:
    """Reads the steps off a demonstration.

    Args:
        gestures: In the order in which they were heard of.
        looks: In the same order.
        touch_input: The phone's input side.
    """

    def __init__(
        self,
        gestures: Sequence[RecordedTouch | NavigationKey],
        looks: Sequence[TimedObservation],
        touch_input: TouchInput,
    ) -> None:
        self._gestures = gestures
        self._looks = looks
        self._touch_input = touch_input
        self._trees: dict[int, AccessibilityTree | None] = {}

    def steps(self) -> tuple[DemonstratedStep, ...]:
        """Every step in order; what was touched before the first screen was seen is left out."""
        return tuple(self._steps())

    def _steps(self) -> Iterator[DemonstratedStep]:
        at = 0
        while at < len(self._gestures):
            look = self._before(at)
            if look is None:
                at += 1
            elif self._is_letter(at, look):
                end = at + 1
                while end < len(self._gestures) and self._is_letter(end, self._before(end) or look):
                    end += 1
                yield from self._typed(at, end, look)
                at = end
            else:
                yield self._step(at, look)
                at += 1

    # ---- one touch

    def _before(self, at: int) -> TimedObservation | None:
        """The latest screen seen before a gesture."""
        limit = self._gestures[at].seen[0] - GRACE_SECONDS
        found = [look for look in self._looks if look.end <= limit]
        return found[-1] if found else None

    def _step(self, at: int, look: TimedObservation) -> DemonstratedStep:
        gesture = self._gestures[at]
        doubts = self._doubts(at, look)
        if isinstance(gesture, NavigationKey):
            return DemonstratedStep(look=look, action=KEY_ACTIONS[gesture.name], doubts=tuple(doubts))
        if gesture.fingers > 1:
            doubts.append(f"{gesture.fingers} fingers at a time: only the first one's way is kept")
        return DemonstratedStep(look=look, action=self._action(gesture, look), doubts=tuple(doubts))

    def _action(self, touch: RecordedTouch, look: TimedObservation) -> Action:
        seen = look.observation
        return touch_action(
            touch,
            self._touch_input.panel,
            size=seen.size,
            tree=self._tree(look),
            rotation=rotation_of(seen),
            edges=self._touch_input.edges,
        )

    def _doubts(self, at: int, look: TimedObservation) -> list[str]:
        doubts = [problem.message for problem in look.observation.problems]
        if at and look.begin < self._gestures[at - 1].seen[1]:
            doubts.append("touched before the screen was seen again: this is an older one")
        return doubts

    # ---- typing

    def _is_letter(self, at: int, look: TimedObservation) -> bool:
        """Whether a touch is on a key of the keyboard that changes nothing but the text."""
        gesture, area = self._gestures[at], self._keyboard_area(look)
        if isinstance(gesture, NavigationKey) or area is None:
            return False
        seen = look.observation
        x, y = self._touch_input.panel.to_px(gesture.points[0], seen.size, rotation_of(seen))
        tree = self._tree(look)
        key = tree.hit(x, y) if tree else None
        if key is None or key.package != self._touch_input.keyboard:
            return area.contains(x, y)
        words = key.text or key.description
        return len(words) <= 1 or words in _LETTER_KEYS

    def _keyboard_area(self, look: TimedObservation) -> Box | None:
        tree = self._tree(look)
        keys = [
            element
            for element in (tree.elements if tree else ())
            if element.package == self._touch_input.keyboard and element.box is not None
        ]
        if keys:
            return keys[0].box
        width, height = look.observation.size
        if not look.typing:
            return None
        return Box(left=0, top=round(height * (1 - KEYBOARD_PART)), right=width, bottom=height)

    def _typed(self, begin: int, end: int, look: TimedObservation) -> Iterator[DemonstratedStep]:
        """The text that a run of letter keys has left in the field; the last key, where it has closed it."""
        field = self._field(look)
        later = [after for after in self._looks if after.end > self._gestures[begin].seen[1]]
        if end < len(self._gestures):
            following = self._before(end)
            later = [after for after in later if following is None or after.end <= following.end]
        states = [state for state in map(self._field, later) if _same(field, state)]
        doubts = self._doubts(begin, look)
        text = _added(field.text if field else "", states[-1].text) if states and states[-1] else ""
        if field is not None and field.password:
            text, doubts = "", [*doubts, "a password: it is not kept"]
        elif not text:
            doubts.append("typed, but the text was never seen: say it again or cut this step")
        yield DemonstratedStep(look=look, action=Type(text=text), doubts=tuple(doubts))
        if later and not _same(field, self._field(later[-1])):
            last = self._step(end - 1, self._before(end - 1) or look)
            if isinstance(last.action, Click):
                yield last

    def _field(self, look: TimedObservation) -> Element | None:
        tree = self._tree(look)
        found = [element for element in (tree.elements if tree else ()) if element.focused]
        fields = [element for element in found if element.editable or "EditText" in element.class_name]
        return fields[-1] if fields else found[-1] if found else None

    def _tree(self, look: TimedObservation) -> AccessibilityTree | None:
        if id(look) not in self._trees:
            xml = look.observation.tree
            self._trees[id(look)] = parse_tree(xml, screen=look.observation.size) if xml else None
        return self._trees[id(look)]


def rotation_of(observation: Observation) -> int:
    """Quarter turns of a screen: as its tree says, else upright or not by its size."""
    found = _ROTATION.search((observation.tree or "")[:500])
    width, height = observation.size
    return int(found.group(1)) if found else int(width > height)


def _same(field: Element | None, other: Element | None) -> bool:
    """Whether both are the same text field; fields that grow while one types begin at the same place."""
    if field is None or other is None:
        return False
    if field.box is None or other.box is None:
        return field.view_id == other.view_id
    corners = ((field.box.left, field.box.top), (other.box.left, other.box.top))
    return field.view_id == other.view_id and corners[0] == corners[1]


def _added(before: str, after: str) -> str:
    """What was typed, by the field's text; an empty field may show its hint as text.

    >>> _added("晴", "晴天"), _added("搜索城市", "东京")
    ('天', '东京')
    """
    return after.removeprefix(before) if after != before else ""
