"""From what a person means to do (`steps`) to touches on the glass, by reading what the screen shows now."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulated_phone.people.steps import Hold, Open, Press, Step, Swipe, Tap, TypeText
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.nodes import Node
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import Theme
from simulated_phone.state import new_entry
from simulated_phone.voice import LISTENS

if TYPE_CHECKING:
    from simulated_phone.phone import Phone
    from simulated_phone.touch.touch_stream import Finger

OPENINGS = ("launcher", "recents", "search", "voice")
"""How a person opens an app: from the home pages, from the recent apps, by search, or by asking for it."""

MAX_SCROLLS = 30
_BUTTONS = {"back": "back", "home": "home", "recents": "recent_apps"}
_CLOSES = {
    "android.advertisement": "跳过 5",
    "android.permission": "仅在使用中允许",
    "android.update": "以后再说",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTouch:
    """One thing a hand does.

    Args:
        kind: "tap", "hold", "swipe", "type" or "press".
        x: Where it begins, px; of "press" the key's place on the navigation bar.
        y: The same, downwards.
        to: Where a swipe ends, px.
        text: What is typed, or the key ("back", "home", "recents").
        label: What the touched element says.
        ms: How long it lasts.
    """

    kind: str
    x: int = 0
    y: int = 0
    to: tuple[int, int] = (0, 0)
    text: str = ""
    label: str = ""
    ms: int = 60

    def perform(self, finger: Finger) -> None:
        """Do it."""
        if self.kind == "type":
            finger.type(self.text)
        elif self.kind == "swipe":
            finger.swipe(self.x, self.y, *self.to, self.ms)
        elif self.kind == "hold":
            finger.long_press(self.x, self.y, self.ms)
        else:
            finger.tap(self.x, self.y)


@dataclass(frozen=True, slots=True, kw_only=True)
class GestureHabits:
    """How a hand does what is meant.

    Args:
        opening: How apps are opened, one of `OPENINGS`; recent apps only where the app is among them.
        scroll: Part of the list's height that one swipe moves, 0.2-0.8.
        spread: How far from an element's middle taps land, as a part of its size, 0-0.6.
    """

    opening: str = "launcher"
    scroll: float = 0.6
    spread: float = 0.0


class Hand:
    """A hand that follows steps on a phone.

    Args:
        phone: Whose screen is read.
        habits: How it does things.
        rng: Where taps land within `habits.spread`; without it in the middle.
    """

    def __init__(
        self, phone: Phone, habits: GestureHabits | None = None, rng: random.Random | None = None
    ) -> None:
        self._phone = phone
        self._habits = habits or GestureHabits()
        self._rng = rng

    def touches(self, steps: Iterable[Step]) -> Iterator[HandTouch]:
        """The touches of the steps; each must be performed before the next is asked for.

        Raises:
            WayError: what a step names is not on the screen, nor found by scrolling.
        """
        for step in steps:
            if not isinstance(step, Open | Press):
                yield from self._clear()
            if isinstance(step, Open):
                yield from self._open(step.package)
            elif isinstance(step, Tap):
                yield from self._reach(step.label, step.within, step.nth, hold=False)
            elif isinstance(step, Hold):
                yield from self._reach(step.label, "", 0, hold=True)
            elif isinstance(step, TypeText):
                yield from self._write(step)
            elif isinstance(step, Swipe):
                yield self._swipe(step.direction)
            else:
                yield self._press(step.key)
        yield from self._clear()

    def play(self, steps: Iterable[Step]) -> int:
        """Follow the steps and return how many touches it took.

        Raises:
            WayError: what a step names is not on the screen, nor found by scrolling.
        """
        count = 0
        for touch in self.touches(steps):
            touch.perform(self._phone.finger)
            count += 1
        return count

    # ---- steps

    def _open(self, package: str) -> Iterator[HandTouch]:
        app = self._phone.apps[package]
        opening = self._habits.opening
        recent = any(task["package"] == package for task in self._phone.data["tasks"])
        if self._phone.data["front"] != package or self._phone.data["panel"] is not None:
            if opening == "recents" and recent:
                yield self._press("recents")
                yield from self._reach(app.label, "", 0, hold=False)
            else:
                yield self._press("home")
                yield from self.touches(_opening_steps(opening, app.label))
        yield from self._clear()
        while self._phone.tasks.depth > 1:
            yield self._press("back")

    def _clear(self) -> Iterator[HandTouch]:
        """Close what is in the way: an advertisement, a question; wait for what loads."""
        while self._phone.data["overlays"]:
            label = _CLOSES.get(self._phone.data["overlays"][-1]["page"])
            node = self._find(label, "", 0, hold=False) if label else None
            yield self._tap(node) if node else self._press("back")
        if self._phone.tasks.loading:
            self._phone.wait(3)

    def _reach(self, label: str, within: str, nth: int, *, hold: bool) -> Iterator[HandTouch]:
        node = self._find(label, within, nth, hold=hold)
        for _ in range(MAX_SCROLLS):
            if node is not None:
                break
            touch = self._look_further()
            if touch is None:
                break
            yield touch
            yield from self._clear()
            node = self._find(label, within, nth, hold=hold)
        if node is None:
            raise StrategyError(f"expected {label!r} on the screen, got {self._spoken()}")
        yield self._tap(node, hold=hold)

    def _write(self, step: TypeText) -> Iterator[HandTouch]:
        if step.into and not self._focused(step.into):
            yield from self._reach(step.into, "", 0, hold=False)
        focus = self._phone.shown().focus
        if focus is None:
            raise StrategyError(f"expected a text field with the focus, got {self._spoken()}")
        for _ in focus.text if step.clear else "":
            key = self._key("删除")
            yield self._tap(key)
        yield HandTouch(kind="type", text=step.text, label=focus.hint, ms=200 * len(step.text))

    def _focused(self, hint: str) -> bool:
        focus = self._phone.shown().focus
        return focus is not None and hint in (focus.hint, focus.text, focus.description)

    # ---- reading the screen

    def _find(self, label: str, within: str, nth: int, *, hold: bool) -> Node | None:
        found: list[tuple[int, Node]] = []
        for window in self._phone.screen().windows:
            if not window.chrome and not window.behind and not window.passing:
                _collect(window.root, label, within, hold, found)
        if within and found:
            least = min(area for area, _ in found)
            found = [pair for pair in found if pair[0] == least]
        nodes = [node for _, node in found]
        nodes.sort(key=lambda node: (node.box.top, node.box.left))
        touched = [node for node in nodes if self._phone.screen().touched(*node.box.centre) is node]
        return touched[nth] if nth < len(touched) else None

    def _key(self, description: str) -> Node:
        return next(node for node in self._phone.screen().nodes() if node.description == description)

    def _spoken(self) -> str:
        words = [node.text for node in self._phone.screen().nodes() if node.text]
        return "、".join(words[:40])

    def _look_further(self) -> HandTouch | None:
        """Put the keyboard away, scroll on, turn the page; None when all was seen."""
        shown = self._phone.shown()
        if shown.focus is not None:
            return self._press("back")
        area = next((n for n in shown.screen.nodes() if n.scroll and n.scroll.offset < n.scroll.extent), None)
        if area is not None:
            return self._swipe("up")
        if isinstance(shown.surface, AppPage) and "left" in shown.surface.swipes:
            return self._swipe("left")
        return None

    # ---- touches

    def _tap(self, node: Node, *, hold: bool = False) -> HandTouch:
        x, y = self._point(node)
        kind, ms = ("hold", 700) if hold else ("tap", 60)
        return HandTouch(kind=kind, x=x, y=y, label=node.label() or node.hint, ms=ms)

    def _point(self, node: Node) -> tuple[int, int]:
        x, y = node.box.centre
        if self._rng is None or not self._habits.spread:
            return x, y
        reach = self._habits.spread / 2
        near_x = x + round(self._rng.uniform(-reach, reach) * node.box.width)
        near_y = y + round(self._rng.uniform(-reach, reach) * node.box.height)
        return (near_x, near_y) if self._phone.screen().touched(near_x, near_y) is node else (x, y)

    def _press(self, key: str) -> HandTouch:
        if key == "quick":
            width, height = self._phone.size
            return HandTouch(
                kind="swipe", x=width // 2, y=2, to=(width // 2, height // 2), text="down", ms=300
            )
        windows = [window for window in self._phone.screen().windows if window.chrome]
        for node in (node for window in windows for node in window.root.walk()):
            if node.view_id == _BUTTONS[key]:
                x, y = node.box.centre
                return HandTouch(kind="press", x=x, y=y, text=key)
        raise StrategyError(f"expected a {key} key on the screen, got {self._spoken()}")

    def _swipe(self, direction: str) -> HandTouch:
        screen = self._phone.screen()
        area = next((n.box for n in screen.nodes() if n.scroll and n.scroll.extent), None)
        box = area or screen.frame.inset(0, Theme(density=self._phone.density).px(100))
        x, y = box.centre
        up, side = round(box.height * self._habits.scroll / 2), round(box.width * 0.35)
        dx, dy = {"up": (0, -up), "down": (0, up), "left": (-side, 0), "right": (side, 0)}[direction]
        return HandTouch(kind="swipe", x=x - dx, y=y - dy, to=(x + dx, y + dy), text=direction, ms=300)


def is_idle(touch: HandTouch, phone: Phone) -> bool:
    """Whether it is the home key while the home screen is shown as that key would show it."""
    home = phone.data["front"] == phone.launcher.package and phone.data["panel"] is None
    return home and touch.text == "home" and phone.data["home"] == [new_entry(phone.launcher.home)]


def _opening_steps(opening: str, label: str) -> list[Step]:
    if opening == "search":
        return [Tap("搜索应用"), TypeText(label, into="搜索应用"), Tap(label)]
    if opening == "voice":
        return [Tap("语音助手"), TypeText(f"打开{label}", into=LISTENS), Tap("完成")]
    return [Tap(label)]


def _collect(
    node: Node, label: str, within: str, hold: bool, found: list[tuple[int, Node]], area: int = 0
) -> None:
    """Touchable nodes that say the label, each with the size of the part around it that says `within`."""
    if within and within in _words(node, nested=True):
        area = node.box.width * node.box.height
    able = node.hold is not None if hold else node.clickable
    if able and node.enabled and label in _words(node, nested=False) and (area or not within):
        found.append((area, node))
    for child in node.children:
        _collect(child, label, within, hold, found, area)


def _words(node: Node, *, nested: bool) -> set[str]:
    """What a node says: itself and what is in it, without (unless `nested`) what is in touchable parts of it.

    A text field says its hint, not what was typed.
    """
    words = {"" if node.entry else node.text, node.description, node.hint}
    for child in node.children:
        if nested or not (child.clickable or child.hold):
            words |= _words(child, nested=nested)
    return words - {""}
