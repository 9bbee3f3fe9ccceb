"""A simulated phone that reports every input, whoever it comes from: adb, uiautomator2 or a helper app.

Inputs are touches, typed text, keys and started apps. What changes an app or a setting without one, such as
`settings put` or an intent that sets an alarm, is noticed when its command ends and reported then; what a
helper app changes, at the next input and before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from simulated_phone.goals.app_definition import GoalInstance, find_goal
from simulated_phone.goals.steps import Press, Step, Tap
from simulated_phone.logged_phone import LoggedPhone
from simulated_phone.machine.state import AUTO_ROTATION, TOOL_SETTINGS
from simulated_phone.people.gestures import Gesture, GesturePlayer
from simulated_phone.phone import HOLD_MS, SLOP_DP, Phone
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.nodes import ActionRef, ActionValue
from simulated_phone.touch.composing import takes_keys
from simulated_phone.touch.fling import Velocity
from simulated_phone.touch.keys import LETTERS

InputKind = Literal["gesture", "text", "erase", "clear", "other"]
"""Kinds of input by a finger; text into the focused field; one character of it erased, or all of it;
anything else."""

_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "KEYCODE_BACK": "back",
        "KEYCODE_ESCAPE": "back",
        "KEYCODE_HOME": "home",
        "KEYCODE_APP_SWITCH": "recents",
    }
)
_TYPED: Mapping[str, str] = MappingProxyType({"KEYCODE_ENTER": "\n", "KEYCODE_NUMPAD_ENTER": "\n", **LETTERS})
_ERASING = ("KEYCODE_DEL",)
_OTHERS = ("KEYCODE_VOLUME_DOWN", "KEYCODE_VOLUME_UP")


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneInput:
    """Input by a person or a command.

    Attributes:
        kind: What it is.
        words: The input in words, such as "tap 540 1200" or "start com.android.deskclock".
        gestures: What a person does instead, in order: one gesture, for a started app those that open it from
            the launcher. Empty for other kinds.
        text: Typed text; a newline is the key Enter. "" for other kinds.
        effective: False for text without a field that has the focus: nothing is done.
        command: Whether a command did it, which no finger or key can.
    """

    kind: InputKind
    words: str
    gestures: tuple[Gesture, ...] = ()
    text: str = ""
    effective: bool = True
    command: bool = False


class WatchedPhone(LoggedPhone):
    """A `Phone` that reports inputs; the arguments are those of `Phone`.

    Attributes:
        on_input: Called before each input, in the thread that owns the phone; None reports nothing.
        reached_by_command: Whether a command made the watched goal reached, when it last became so.
    """

    def __init__(self, **arguments: Any) -> None:  # noqa: ANN401 - those of `Phone`
        super().__init__(**arguments)
        self.on_input: Callable[[PhoneInput], None] | None = None
        self.reached_by_command = False
        self._inside = False
        self._known: dict[str, str] = {}
        self._goal: GoalInstance | None = None
        self._reached = False
        self._free = TOOL_SETTINGS

    def watch(self, on_input: Callable[[PhoneInput], None] | None, goal: GoalInstance | None = None) -> None:
        """Report inputs from now on; None ends it.

        Args:
            on_input: Called before each input.
            goal: The goal of the task; a change of auto-rotation is reported only if it decides that goal.
        """
        self.on_input, self._goal = on_input, goal
        if on_input is None:
            return
        self._free = TOOL_SETTINGS if self._is_decisive(AUTO_ROTATION) else TOOL_SETTINGS | {AUTO_ROTATION}
        self._known, self._reached, self.reached_by_command = self._read_contents(), False, False

    def _is_decisive(self, key: str) -> bool:
        """Whether a switch of the system's settings decides the goal."""
        if self._goal is None:
            return False
        rule = find_goal(self.apps, self._goal).rule
        states, found = self.state, set()
        for value in ("0", "1"):
            states["android"]["settings"]["system"][key] = value
            found.add(rule(states, self._goal.arguments))
        return len(found) > 1

    def command_ended(self) -> None:
        """Report what a command changed without an input."""
        super().command_ended()
        if self.on_input is not None:
            self.report_changes()

    def report_changes(self) -> None:
        """Report what changed since the last input without one; nothing if nothing did."""
        known, self._known = self._known, self._read_contents()
        changed = sorted(name for name in {*known, *self._known} if known.get(name) != self._known.get(name))
        if changed and self.on_input is not None:
            words = f"a command changed {', '.join(changed)}"
            self.on_input(PhoneInput(kind="other", words=words, command=True))
            self._note_goal(command=True)

    def _read_contents(self) -> dict[str, str]:
        """App or setting -> its content."""
        found = {package: json.dumps(app, sort_keys=True) for package, app in self.data["apps"].items()}
        for values in self.state["android"]["settings"].values():
            found |= {key: value for key, value in values.items() if key not in self._free}
        return found

    def _note_goal(self, *, command: bool) -> None:
        """Note whether the goal has become reached, and by what."""
        reached = self._goal is not None and self.achieved(self._goal)
        if reached != self._reached:
            self._reached, self.reached_by_command = reached, reached and command

    @contextmanager
    def _report_once(self, make: Callable[[], PhoneInput | None]) -> Iterator[None]:
        """Report an input, and none of the inputs that it consists of."""
        if self._inside or self.on_input is None:
            yield
            return
        self.report_changes()
        given = make()
        if given is not None:
            self.on_input(given)
        self._inside = True
        try:
            yield
        finally:
            self._inside = False
            if given is not None:
                self._known = self._read_contents()
                self._note_goal(command=given.command)

    # ---- inputs

    def tap(self, x: int, y: int) -> None:
        """A short touch at a pixel."""
        with self._report_once(lambda: self._make_touch_input("tap", x, y, 60)):
            super().tap(x, y)

    def long_press(self, x: int, y: int, ms: int = 600) -> None:
        """A touch held for `ms`."""
        with self._report_once(lambda: self._make_touch_input("hold", x, y, ms)):
            super().long_press(x, y, ms)

    def swipe(
        self, x1: int, y1: int, x2: int, y2: int, ms: int = 300, *, velocity: Velocity | None = None
    ) -> None:
        """A swipe from one pixel to another; a very short one is a touch."""
        with self._report_once(lambda: self._make_swipe_input(x1, y1, x2, y2, ms)):
            super().swipe(x1, y1, x2, y2, ms, velocity=velocity)

    def type_text(self, text: str) -> None:
        """Text into the field that has the focus."""
        with self._report_once(lambda: self._text_input(text)):
            super().type_text(text)

    def type_keys(self, text: str) -> None:
        """Characters of a hardware keyboard; composed ones are no text yet."""
        if not takes_keys(self):
            super().type_keys(text)
            return
        with self._report_once(lambda: PhoneInput(kind="other", words=f"keys {text!r}")):
            super().type_keys(text)

    def press_key(self, code: str) -> None:
        """A key by its name."""
        with self._report_once(lambda: self._make_key_input(code)):
            super().press_key(code)

    def enter(self) -> None:
        """The Enter key."""
        with self._report_once(lambda: self._text_input("\n")):
            super().enter()

    def edit(self, change: Callable[[str], str]) -> None:
        """Change the text of the focused field: from outside only to clear it."""
        with self._report_once(self._clear_input):
            super().edit(change)

    def start(self, component: str) -> bool:
        """Bring an app to the front."""
        with self._report_once(lambda: self._start_input(component.partition("/")[0])):
            return super().start(component)

    def open_page(
        self, package: str, page: str, arguments: Mapping[str, ActionValue], fields: Mapping[str, str]
    ) -> None:
        """Open a page of an app directly."""
        words = f"open the page {page} of {package}"
        with self._report_once(lambda: PhoneInput(kind="other", words=words, command=True)):
            super().open_page(package, page, arguments, fields)

    def act(self, action: ActionRef) -> None:
        """Do what a node's action says, without a touch of it."""
        with self._report_once(
            lambda: PhoneInput(kind="other", words=f"action {action.name.rpartition('/')[2]}", command=True)
        ):
            super().act(action)

    def open_panel(self) -> None:
        """Pull down the panel of quick settings."""
        with self._report_once(self._make_panel_input):
            super().open_panel()

    # ---- their reports

    def _make_touch_input(self, kind: str, x: int, y: int, ms: int) -> PhoneInput:
        if kind == "hold" and ms < HOLD_MS:
            kind = "tap"
        node = self.screen().touched(x, y)
        label = node.label() or node.hint if node is not None else ""
        gesture = Gesture(kind=kind, x=x, y=y, label=label, ms=ms)
        return PhoneInput(kind="gesture", words=f"{kind} {x} {y}", gestures=(gesture,))

    def _make_swipe_input(self, x1: int, y1: int, x2: int, y2: int, ms: int) -> PhoneInput:
        slop = round(SLOP_DP * self.density / 160)
        if abs(x2 - x1) <= slop and abs(y2 - y1) <= slop:
            return self._make_touch_input("hold", x1, y1, ms)
        gesture = Gesture(kind="swipe", x=x1, y=y1, to=(x2, y2), ms=ms)
        return PhoneInput(kind="gesture", words=f"swipe {x1} {y1} {x2} {y2}", gestures=(gesture,))

    def _text_input(self, text: str) -> PhoneInput:
        return PhoneInput(kind="text", words=f"text {text!r}", text=text, effective=self._focused)

    def _clear_input(self) -> PhoneInput | None:
        return PhoneInput(kind="clear", words="clear") if self._focused else None

    @property
    def _focused(self) -> bool:
        return self.shown().focus is not None

    def _make_key_input(self, code: str) -> PhoneInput | None:
        """The report of a key; None for those of the display, and for unknown ones."""
        if code in _KEYS:
            gesture = Gesture(kind="press", text=_KEYS[code])
            return PhoneInput(kind="gesture", words=f"key {code}", gestures=(gesture,))
        composed = (code in _TYPED or code in _ERASING) and takes_keys(self)
        if composed:
            return PhoneInput(kind="other", words=f"key {code}")
        if code in _TYPED:
            return self._text_input(_TYPED[code])
        if code in _ERASING:
            return PhoneInput(kind="erase", words="erase") if self._focused else None
        return PhoneInput(kind="other", words=f"key {code}") if code in _OTHERS and self.screen_on else None

    def _start_input(self, package: str) -> PhoneInput | None:
        """The report of a started app; None if it is shown already, or not installed."""
        if package not in self.apps or package == self.foreground[0]:
            return None
        words = f"start {package}"
        if package == self.launcher.package:
            return PhoneInput(kind="gesture", words=words, gestures=(Gesture(kind="press", text="home"),))
        gestures = self._find_way(package)
        return PhoneInput(kind="gesture" if gestures else "other", words=words, gestures=gestures)

    def _make_panel_input(self) -> PhoneInput | None:
        if not self.screen_on or self.data["panel"] is not None:
            return None
        width, height = self.size
        return self._make_swipe_input(width // 2, 2, width // 2, height // 2, 300)

    def _find_way(self, package: str) -> tuple[Gesture, ...]:
        """Gestures by which a person opens an app from here: home, the launcher's pages, the icon."""
        apps, size = tuple(self.apps.values()), self.natural_size
        copy = Phone(seed=self.seed, size=size, density=self.density, apps=apps, pictures=self._pictures)
        copy.restore(self.snapshot())
        label, found = self.apps[package].label, []
        home = copy.foreground[0] == self.launcher.package
        steps: list[Step] = [Tap(label)] if home else [Press("home"), Tap(label)]
        try:
            for gesture in GesturePlayer(copy).gestures(steps):
                found.append(gesture)
                gesture.perform(copy.finger)
                if copy.foreground[0] == package:
                    return tuple(found)
        except StrategyError:
            pass  # the launcher has no icon of the app
        return ()
