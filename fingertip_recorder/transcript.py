"""Derivation of a demonstration's steps from its touches and the screens observed between them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from execution_runner.devices.device import Observation
from fingertip_dataset.actions import Action, Click, Type
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, Element, parse_tree
from fingertip_recorder.system_windows import USUAL_ORDER, KeyOrder, SystemWindows
from fingertip_recorder.touch_to_action import KEY_ACTIONS, infer_touch_action
from fingertip_recorder.touches import NavigationKey, Panel, RecordedTouch

GRACE_SECONDS = 0.1
"""Minimum time between the end of an observation and the arrival of a touch, for the observation to count as
earlier than the touch."""

KEYBOARD_PART = 0.42
"""Height of an open keyboard that the tree does not contain, as a fraction of the screen's height."""

_ROTATION = re.compile(r'<hierarchy[^>]* rotation="([0-3])"')
_LETTER_KEYS = frozenset({"", "空格", "大写", "space", "shift"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedObservation:
    """An observation of the screen and its time.

    Attributes:
        begin: Start of the observation, seconds of this computer's monotonic clock.
        end: End of the observation, seconds of the same clock.
        moment: Date and time of `begin`.
        observation: Screenshot, tree, size and package.
        windows: The system's windows: navigation bar and keyboard.
    """

    begin: float
    end: float
    moment: datetime
    observation: Observation
    windows: SystemWindows


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonstratedStep:
    """A step of a demonstration, for the person's review.

    Attributes:
        before: The screen before the action.
        action: The action.
        doubts: Reasons for a closer review, one line each.
    """

    before: TimedObservation
    action: Action
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionGap:
    """A time without a connection to the phone, in which touches were not recorded.

    Attributes:
        begin: When the phone was last heard of, seconds of this computer's monotonic clock.
        end: When touches were received again, seconds of the same clock.
    """

    begin: float
    end: float

    @property
    def seconds(self) -> int:
        """Length of the demonstration, whole seconds, rounded up."""
        return math.ceil(self.end - self.begin)


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchInput:
    """Input devices and settings of the phone.

    Attributes:
        panel: The touch panel.
        keyboard: Package of the person's keyboard.
        edges: Whether the phone has gesture navigation instead of a navigation bar.
        keys: Order of the keys of the navigation bar.
    """

    panel: Panel
    keyboard: str = ""
    edges: bool = False
    keys: KeyOrder = USUAL_ORDER


class Transcript:
    """Touches and observations of a demonstration, from which the steps are derived.

    Args:
        gestures: Touches and keys in order of arrival.
        observations: Observations in order of time.
        touch_input: Input devices and settings of the phone.
        gaps: Times without a connection.
    """

    def __init__(
        self,
        gestures: Sequence[RecordedTouch | NavigationKey],
        observations: Sequence[TimedObservation],
        touch_input: TouchInput,
        gaps: Sequence[ConnectionGap] = (),
    ) -> None:
        self._gestures = gestures
        self._observations = observations
        self._touch_input = touch_input
        self._gaps = gaps
        self._trees: dict[int, AccessibilityTree | None] = {}

    def steps(self) -> tuple[DemonstratedStep, ...]:
        """All steps in order; touches before the first observation are left out."""
        steps = tuple(self._steps())
        lost = self._find_lost_seconds(len(self._gestures))
        if not (steps and lost):
            return steps
        doubt = f"after this the connection was lost for {lost} s: touches in that time are missing"
        return (*steps[:-1], replace(steps[-1], doubts=(*steps[-1].doubts, doubt)))

    def _steps(self) -> Iterator[DemonstratedStep]:
        at = 0
        while at < len(self._gestures):
            before = self._before(at)
            if before is None:
                at += 1
            elif self._is_letter(at, before):
                end = at + 1
                while (
                    end < len(self._gestures)
                    and not self._find_lost_seconds(end)
                    and self._is_letter(end, self._before(end) or before)
                ):
                    end += 1
                yield from self._join_typing(at, end, before)
                at = end
            else:
                yield self._step(at, before)
                at += 1

    # ---- one touch

    def _before(self, at: int) -> TimedObservation | None:
        """The latest observation before a gesture."""
        limit = self._gestures[at].seen[0] - GRACE_SECONDS
        earlier = [timed for timed in self._observations if timed.end <= limit]
        return earlier[-1] if earlier else None

    def _step(self, at: int, before: TimedObservation) -> DemonstratedStep:
        gesture = self._gestures[at]
        doubts = self._find_doubts(at, before)
        if isinstance(gesture, NavigationKey):
            return DemonstratedStep(before=before, action=KEY_ACTIONS[gesture.name], doubts=tuple(doubts))
        if gesture.fingers > 1:
            doubts.append(f"{gesture.fingers} fingers at a time: only the first one's path is kept")
        return DemonstratedStep(
            before=before, action=self._infer_action(gesture, before), doubts=tuple(doubts)
        )

    def _infer_action(self, touch: RecordedTouch, before: TimedObservation) -> Action:
        screen, touch_input = before.observation, self._touch_input
        key = self._find_key(touch, before)
        if key:
            return KEY_ACTIONS[key]
        return infer_touch_action(
            touch,
            touch_input.panel,
            size=screen.size,
            tree=self._tree(before),
            rotation=find_rotation(screen),
            edges=touch_input.edges,
        )

    def _find_key(self, touch: RecordedTouch, before: TimedObservation) -> str:
        """Name of the key of the navigation bar that a touch presses; "" for none."""
        touch_input, size, rotation = (
            self._touch_input,
            before.observation.size,
            find_rotation(before.observation),
        )
        # where there are gestures instead, the bar is a line that no touch presses
        if touch_input.edges or not touch.is_still(touch_input.panel, size, rotation):
            return ""
        point = touch_input.panel.to_px(touch.points[0], size, rotation)
        return before.windows.find_key(*point, rotation, touch_input.keys)

    def _find_doubts(self, at: int, before: TimedObservation) -> list[str]:
        doubts = [problem.message for problem in before.observation.problems]
        if at and before.begin < self._gestures[at - 1].seen[1]:
            doubts.append("touched before a new screen was observed: this is an older one")
        lost = self._find_lost_seconds(at)
        if lost:
            doubts.append(
                f"before this the connection was lost for {lost} s: touches in that time are missing"
            )
        return doubts

    def _find_lost_seconds(self, at: int) -> int:
        """Seconds without a connection between the gesture before a gesture, or the start, and that one."""
        begin = self._gestures[at - 1].seen[1] if at else -math.inf
        end = self._gestures[at].seen[0] if at < len(self._gestures) else math.inf
        return sum(gap.seconds for gap in self._gaps if begin <= gap.begin and gap.end <= end)

    # ---- typing

    def _is_letter(self, at: int, before: TimedObservation) -> bool:
        """Whether a touch is on a key of the keyboard that only changes the text."""
        gesture, area = self._gestures[at], self._find_keyboard_area(before)
        if isinstance(gesture, NavigationKey) or area is None or self._find_key(gesture, before):
            return False
        screen = before.observation
        x, y = self._touch_input.panel.to_px(gesture.points[0], screen.size, find_rotation(screen))
        tree = self._tree(before)
        key = tree.hit(x, y) if tree else None
        if key is None or key.package != self._touch_input.keyboard:
            return area.contains(x, y)
        key_label = key.text or key.description
        return len(key_label) <= 1 or key_label in _LETTER_KEYS

    def _find_keyboard_area(self, timed: TimedObservation) -> Box | None:
        tree = self._tree(timed)
        keys = [
            element
            for element in (tree.elements if tree else ())
            if element.package == self._touch_input.keyboard and element.box is not None
        ]
        if keys:
            return keys[0].box
        width, height = timed.observation.size
        if not timed.windows.typing:
            return None
        if timed.windows.keyboard is not None:
            return timed.windows.keyboard
        return Box(left=0, top=round(height * (1 - KEYBOARD_PART)), right=width, bottom=height)

    def _join_typing(self, begin: int, end: int, before: TimedObservation) -> Iterator[DemonstratedStep]:
        """A `type` step for a run of letter keys, then a click if the last key closed the text field.

        The text is taken from the field's later states, not from the keys: input methods convert letters.
        """
        field = self._field(before)
        later = [after for after in self._observations if after.end > self._gestures[begin].seen[1]]
        if end < len(self._gestures):
            following = self._before(end)
            later = [after for after in later if following is None or after.end <= following.end]
        states = [state for state in map(self._field, later) if _is_same_field(field, state)]
        doubts = self._find_doubts(begin, before)
        text = _added_text(field.text if field else "", states[-1].text) if states and states[-1] else ""
        if field is not None and field.password:
            # a password must not get into a data set
            text, doubts = "", [*doubts, "a password: it is not kept"]
        elif not text:
            doubts.append("the typed text was never seen: enter it, or cut this step")
        yield DemonstratedStep(before=before, action=Type(text=text), doubts=tuple(doubts))
        if later and not _is_same_field(field, self._field(later[-1])):
            last = self._step(end - 1, self._before(end - 1) or before)
            if isinstance(last.action, Click):
                yield last

    def _field(self, timed: TimedObservation) -> Element | None:
        """The focused text field, else any focused element."""
        tree = self._tree(timed)
        focused = [element for element in (tree.elements if tree else ()) if element.focused]
        fields = [element for element in focused if element.editable or "EditText" in element.class_name]
        return fields[-1] if fields else focused[-1] if focused else None

    def _tree(self, timed: TimedObservation) -> AccessibilityTree | None:
        if id(timed) not in self._trees:
            xml = timed.observation.tree
            self._trees[id(timed)] = parse_tree(xml, screen=timed.observation.size) if xml else None
        return self._trees[id(timed)]


def find_rotation(observation: Observation) -> int:
    """Quarter turns of a screen: from its tree, else 0 for an upright size and 1 for a wide one."""
    # the attribute is in the first element
    found = _ROTATION.search((observation.tree or "")[:500])
    width, height = observation.size
    return int(found.group(1)) if found else int(width > height)


def _is_same_field(field: Element | None, other: Element | None) -> bool:
    """Whether both are one text field: equal id and top left corner, as fields may grow while typing."""
    if field is None or other is None:
        return False
    if field.box is None or other.box is None:
        return field.view_id == other.view_id
    corners = ((field.box.left, field.box.top), (other.box.left, other.box.top))
    return field.view_id == other.view_id and corners[0] == corners[1]


def _added_text(before: str, after: str) -> str:
    """The typed part of a field's text; an empty field may show its hint as text before.

    >>> _added_text("晴", "晴天"), _added_text("搜索城市", "东京")
    ('天', '东京')
    """
    return after.removeprefix(before) if after != before else ""
