"""Translate steps (`people.steps`) into gestures at pixels, by reading the current screen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulated_phone.goals.steps import (
    SWIPE_MS,
    Hold,
    Leave,
    Open,
    Press,
    SetWheel,
    Step,
    Swipe,
    Tap,
    TypeText,
)
from simulated_phone.language.language import gettext as _
from simulated_phone.language.language import speak_language, translate
from simulated_phone.machine.fault_overlays import NOTIFIED
from simulated_phone.machine.faults import CLOSE_LABELS, LOGIN, OVERLAYS
from simulated_phone.machine.state import new_entry
from simulated_phone.people.wheel_turns import MOST_TURNS, TurningHabit, find_next_move, find_wheel
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.nodes import Node
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import Theme
from simulated_phone.touch.fling import find_swipe_length

if TYPE_CHECKING:
    from simulated_phone.phone import Phone
    from simulated_phone.touch.touch_stream import Finger

OPENINGS = ("launcher", "recents", "search", "voice")
"""How an app is opened: from the home pages, the recent apps, the search, or by voice."""

SIGN_INS = ("password", "offered code", "typed code")
"""How an app is signed in to: by the stored password, or by the code of a message, which the keyboard offers
or which is typed."""

MAX_SCROLLS = 40
"""Swipes after which an element that was not found counts as missing."""
RECENTS_MS = 900
"""Duration of the swipe to the recent apps."""
_BUTTONS = {"back": "back", "home": "home", "recents": "recent_apps"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gesture:
    """Gesture on the display, or a text that is typed.

    Args:
        kind: "tap", "hold", "swipe", "type" or "press" (a navigation key, or the swipe in its place).
        x: Start, px from the left; for "press" the key's position on the navigation bar.
        y: Start, px from the top; for "press" the key's position on the navigation bar.
        to: End of a swipe, px; (0, 0) for other gestures.
        text: Typed text, pressed key ("back", "home", "recents") or swipe direction; "wheel" for a swipe on a
            wheel picker.
        label: Label of the touched element.
        ms: Duration in milliseconds.
    """

    kind: str
    x: int = 0
    y: int = 0
    to: tuple[int, int] = (0, 0)
    text: str = ""
    label: str = ""
    ms: int = 60

    def perform(self, finger: Finger) -> None:
        """Carry out the gesture with a phone's finger."""
        if self.kind == "type":
            finger.type(self.text)
        elif self.kind == "swipe" or (self.kind == "press" and self.to != (0, 0)):
            finger.swipe(self.x, self.y, *self.to, self.ms)
        elif self.kind == "hold":
            finger.long_press(self.x, self.y, self.ms)
        else:
            finger.tap(self.x, self.y)


@dataclass(frozen=True, slots=True, kw_only=True)
class GestureHabits:
    """Options of a `GesturePlayer`.

    Args:
        opening: How apps are opened, one of `OPENINGS`; "recents" applies only to apps among the recent ones.
        scroll: Fraction of the list's height that one swipe moves, with what it goes on, 0.2-0.8.
        swipe_ms: Duration of a swipe: a slow one is longer and goes on less.
        turning: How wheel pickers are turned.
        spread: Width of the range around an element's centre in which taps land, as a fraction of the
            element's size, 0-0.6.
        sign_in: How an app is signed in to, one of `SIGN_INS`.
        keyboard_away: Whether the keyboard is closed after text was typed.
        looks_around: Whether the first page of an app that was opened is scrolled, down and up again.
    """

    opening: str = "launcher"
    scroll: float = 0.6
    swipe_ms: int = SWIPE_MS
    turning: TurningHabit = "swipes"
    spread: float = 0.0
    sign_in: str = "password"
    keyboard_away: bool = False
    looks_around: bool = False


class GesturePlayer:
    """Plans the gestures of steps on a phone, and performs them.

    Args:
        phone: The phone whose screen is read.
        habits: How apps are opened, lists scrolled and elements hit.
        rng: Draws where taps land within `habits.spread`; without it they land in the element's centre.
    """

    def __init__(
        self, phone: Phone, habits: GestureHabits | None = None, rng: random.Random | None = None
    ) -> None:
        self._phone = phone
        self._habits = habits or GestureHabits()
        self._rng = rng
        self._put_away = False

    def gestures(self, steps: Iterable[Step]) -> Iterator[Gesture]:
        """Yield the gestures of the steps; perform each one before taking the next.

        Raises:
            StrategyError: The element of a step is neither on the screen nor found by scrolling.
        """
        for step in steps:
            yield from self._begin(step)
        yield from self._clear()

    def _begin(self, step: Step) -> Iterator[Gesture]:
        """Yield the gestures of a step after which others follow."""
        put_away, self._put_away = self._put_away, False
        if put_away and step == Press("back"):
            # the strategy closes the keyboard, and it is closed
            return
        if not isinstance(step, Open | Press):
            yield from self._clear()
        if isinstance(step, Open):
            yield from self._open(step.package)
        elif isinstance(step, Tap):
            yield from self._touch_element(step.label, step.within, step.nth, hold=False)
        elif isinstance(step, Hold):
            yield from self._touch_element(step.label, "", 0, hold=True)
        elif isinstance(step, TypeText):
            yield from self._type(step)
        elif isinstance(step, SetWheel):
            yield from self._turn(step)
        elif isinstance(step, Swipe):
            yield self._make_swipe(step.direction)
        elif isinstance(step, Leave):
            yield from self._leave()
        else:
            yield self._press(step.key)

    def begin(self, step: Step) -> None:
        """Perform a step after which others follow: `play` of none ends them.

        Raises:
            StrategyError: As of `play`.
        """
        for gesture in self._begin(step):
            gesture.perform(self._phone.finger)

    def play(self, steps: Iterable[Step]) -> int:
        """Perform the steps and return the number of gestures.

        Raises:
            StrategyError: The element of a step is neither on the screen nor found by scrolling.
        """
        count = 0
        for gesture in self.gestures(steps):
            gesture.perform(self._phone.finger)
            count += 1
        return count

    # ---- steps

    def _open(self, package: str) -> Iterator[Gesture]:
        app = self._phone.apps[package]
        opening = self._habits.opening
        recent = any(task["package"] == package for task in self._phone.data["tasks"])
        if self._phone.data["front"] != package or self._phone.data["panel"] is not None:
            if opening == "recents" and recent:
                yield self._press("recents")
                yield from self._touch_element(app.label, "", 0, hold=False)
            else:
                yield self._press("home")
                yield from self.gestures(_list_opening_steps(opening, app.label, self._phone.locale))
        yield from self._clear()
        # strategies begin at the app's first page
        while self._phone.tasks.depth > 1:
            yield self._press("back")
        if self._habits.looks_around and any(node.scroll and node.scroll.extent for node in self._nodes()):
            yield self._make_swipe("up")
            yield self._make_swipe("down")

    def _leave(self) -> Iterator[Gesture]:
        for _press in range(MAX_SCROLLS):
            if self._phone.data["front"] == self._phone.launcher.package:
                return
            yield self._press("back")

    def _clear(self) -> Iterator[Gesture]:
        """Close advertisements, dialogs and messages that cover the page; wait until it has loaded."""
        if self._phone.tasks.notified:
            x, y = next(node for node in self._phone.screen().nodes() if node.view_id == NOTIFIED).box.centre
            yield Gesture(kind="swipe", x=x, y=y, to=(x, 0), text="up", ms=200)
        while self._phone.data["overlays"]:
            page = self._phone.data["overlays"][-1]["page"]
            if page == OVERLAYS[LOGIN].page and self._habits.sign_in != SIGN_INS[0]:
                yield from self._sign_in_by_code()
                continue
            label = CLOSE_LABELS.get(page)
            if label:
                label = translate(self._phone.locale, label)
            node = self._find(label, "", 0, hold=False) if label else None
            yield self._tap(node) if node else self._press("back")
        if self._phone.tasks.loading:
            self._phone.wait(3)

    def _sign_in_by_code(self) -> Iterator[Gesture]:
        """Ask for the code, enter it, and sign in."""
        yield self._tap(self._find_by_id("send_code"))
        offered = self._find_by_id("autofill")
        if self._habits.sign_in == "typed code":
            yield self._tap(self._find_by_id("code"))
            code = "".join(letter for letter in offered.label() if letter.isdecimal())
            yield Gesture(kind="type", text=code, label=self._find_by_id("code").hint, ms=200 * len(code))
        else:
            yield self._tap(offered)
        yield self._tap(self._find_by_id("sign_in"))

    def _find_by_id(self, view_id: str) -> Node:
        """The uppermost element with the view id."""
        nodes = [node for node in self._nodes() if node.view_id == view_id]
        if not nodes:
            raise StrategyError(f"no {view_id!r} on the screen: it shows {self._list_visible_texts()}")
        return nodes[-1]

    def _touch_element(self, label: str, within: str, nth: int, *, hold: bool) -> Iterator[Gesture]:
        yield from self._reveal(lambda: self._find(label, within, nth, hold=hold) is not None)
        node = self._find(label, within, nth, hold=hold)
        if node is None:
            raise StrategyError(f"no {label!r} on the screen: it shows {self._list_visible_texts()}")
        yield self._tap(node, hold=hold)

    def _reveal(self, found: Callable[[], bool]) -> Iterator[Gesture]:
        """Scroll on until it is found, then back, as what was flung past is above."""
        back = False
        for number in range(MAX_SCROLLS):
            if found():
                return
            if number == MAX_SCROLLS // 2:
                # a feed has no end to turn back at
                back = back or any(node.scroll and node.scroll.endless for node in self._nodes())
            gesture = self._reveal_more(back=back)
            if gesture is None and not back:
                back, gesture = True, self._reveal_more(back=True)
            if gesture is None:
                return
            yield gesture
            yield from self._clear()

    def _type(self, step: TypeText) -> Iterator[Gesture]:
        if step.into and not self._find_focused(step.into):
            yield from self._touch_element(step.into, "", 0, hold=False)
        focus = self._phone.shown().focus
        if focus is None:
            raise StrategyError(f"no text field has the focus: the screen shows {self._list_visible_texts()}")
        for _letter in focus.text if step.clear else "":
            key = self._key(translate(self._phone.locale, "删除"))
            yield self._tap(key)
        yield Gesture(kind="type", text=step.text, label=focus.hint, ms=200 * len(step.text))
        if self._habits.keyboard_away and not step.goes_on and self._phone.shown().focus is not None:
            yield self._press("back")
            self._put_away = True

    def _turn(self, step: SetWheel) -> Iterator[Gesture]:
        yield from self._reveal(lambda: find_wheel(self._phone, step.wheel) is not None)
        for _turned in range(MOST_TURNS):
            node = find_wheel(self._phone, step.wheel)
            if node is None:
                raise StrategyError(f"no wheel {step.wheel!r}: the screen shows {self._list_visible_texts()}")
            move = find_next_move(self._phone, node, step.value, self._habits.turning)
            if move is None:
                return
            (x, y), to = move.at, move.to
            if to is None:
                yield Gesture(kind="tap", x=x, y=y, label=move.label, ms=60)
            else:
                yield Gesture(kind="swipe", x=x, y=y, to=to, text="wheel", ms=SWIPE_MS)
            yield from self._clear()
        raise StrategyError(f"the wheel {step.wheel!r} does not turn to {step.value!r}")

    def _find_focused(self, hint: str) -> bool:
        focus = self._phone.shown().focus
        return focus is not None and hint in (focus.hint, focus.text, focus.description)

    # ---- reading the screen

    def _find(self, label: str, within: str, nth: int, *, hold: bool) -> Node | None:
        matches: list[tuple[int, Node]] = []
        for window in self._phone.screen().windows:
            if not window.chrome and not window.behind and not window.passing:
                _collect(window.root, label, within, hold, matches)
        if within and matches:
            # the smallest container with the label is the row or card; the page contains it, too
            least = min(area for area, _ in matches)
            matches = [match for match in matches if match[0] == least]
        nodes = [node for _, node in matches]
        # reading order, so that `nth` does not depend on the order of drawing
        nodes.sort(key=lambda node: (node.box.top, node.box.left))
        # a dialog or toast may cover an element, and would get the touch
        uncovered = [node for node in nodes if self._phone.screen().touched(*node.box.centre) is node]
        return uncovered[nth] if nth < len(uncovered) else None

    def _nodes(self) -> Iterable[Node]:
        return self._phone.screen().nodes()

    def _key(self, description: str) -> Node:
        return next(node for node in self._phone.screen().nodes() if node.description == description)

    def _list_visible_texts(self) -> str:
        texts = [node.text for node in self._phone.screen().nodes() if node.text]
        return "、".join(texts[:40])

    def _reveal_more(self, *, back: bool) -> Gesture | None:
        """Close the keyboard, else scroll on or back, else go to the next page; None at the end."""
        shown = self._phone.shown()
        if shown.focus is not None:
            return self._press("back")
        if back:
            below = any(node.scroll and node.scroll.offset for node in shown.screen.nodes())
            return self._make_swipe("down") if below else None
        area = next((n for n in shown.screen.nodes() if n.scroll and n.scroll.offset < n.scroll.extent), None)
        if area is not None:
            return self._make_swipe("up")
        if isinstance(shown.surface, AppPage) and "left" in shown.surface.swipes:
            return self._make_swipe("left")
        return None

    # ---- gestures

    def _tap(self, node: Node, *, hold: bool = False) -> Gesture:
        x, y = self._choose_point(node)
        kind, ms = ("hold", 700) if hold else ("tap", 60)
        return Gesture(kind=kind, x=x, y=y, label=node.label() or node.hint, ms=ms)

    def _choose_point(self, node: Node) -> tuple[int, int]:
        x, y = node.box.centre
        if self._rng is None or not self._habits.spread:
            return x, y
        reach = self._habits.spread / 2
        near_x = x + round(self._rng.uniform(-reach, reach) * node.box.width)
        near_y = y + round(self._rng.uniform(-reach, reach) * node.box.height)
        # another element may cover the drawn point
        return (near_x, near_y) if self._phone.screen().touched(near_x, near_y) is node else (x, y)

    def _press(self, key: str) -> Gesture:
        if key == "quick":
            width, height = self._phone.size
            return Gesture(kind="swipe", x=width // 2, y=2, to=(width // 2, height // 2), text="down", ms=300)
        if not self._phone.skin.keys:
            return self._navigate(key)
        windows = [window for window in self._phone.screen().windows if window.chrome]
        for node in (node for window in windows for node in window.root.walk()):
            if node.view_id == _BUTTONS[key]:
                x, y = node.box.centre
                return Gesture(kind="press", x=x, y=y, text=key)
        raise StrategyError(f"no {key} key on the screen: it shows {self._list_visible_texts()}")

    def _navigate(self, key: str) -> Gesture:
        """The gesture of navigation in place of a key of the navigation bar."""
        width, height = self._phone.size
        (x, y), to, ms = {
            "back": ((1, height * 55 // 100), (width // 3, height * 55 // 100), 150),
            "home": ((width // 2, height - 3), (width // 2, height * 6 // 10), 200),
            "recents": ((width // 2, height - 3), (width // 2, height * 7 // 10), RECENTS_MS),
        }[key]
        return Gesture(kind="press", x=x, y=y, to=to, text=key, ms=ms)

    def _make_swipe(self, direction: str) -> Gesture:
        screen, ms, density = self._phone.screen(), self._habits.swipe_ms, self._phone.density
        area = next((node for node in screen.nodes() if node.scroll and node.scroll.extent), None)
        box = area.box if area else screen.frame.inset(0, Theme(density=density).px(100))
        x, y = box.centre
        up = find_swipe_length(round(box.height * self._habits.scroll), ms, density) // 2
        side = round(box.width * 0.35)
        dx, dy = {"up": (0, -up), "down": (0, up), "left": (-side, 0), "right": (side, 0)}[direction]
        if area and dy:
            x = is_beside_wheels(self._phone, area, x, y - dy)
        # a slow swipe to the side might not turn the page
        ms = ms if dy else min(ms, SWIPE_MS)
        return Gesture(kind="swipe", x=x - dx, y=y - dy, to=(x + dx, y + dy), text=direction, ms=ms)


def is_beside_wheels(phone: Phone, area: Node, x: int, y: int) -> int:
    """The place nearest to x, px, from where a swipe at that height moves the list and turns no wheel."""
    screen, box = phone.screen(), area.box
    places = (x, *(box.left + box.width * part // 40 for part in range(1, 40)))
    free = [place for place in places if screen.scrolled(place, y) is area]
    return min(free, key=lambda place: abs(place - x), default=x)


def is_idle(gesture: Gesture, phone: Phone) -> bool:
    """Whether the gesture is the home key and would change nothing: the home screen is already shown."""
    home = phone.data["front"] == phone.launcher.package and phone.data["panel"] is None
    return home and gesture.text == "home" and phone.data["home"] == [new_entry(phone.launcher.home)]


def _list_opening_steps(opening: str, label: str, locale: str) -> list[Step]:
    with speak_language(locale):
        if opening == "search":
            return [Tap(_("搜索应用")), TypeText(label, into=_("搜索应用")), Tap(label)]
        if opening == "voice":
            command = _("打开{app}").format(app=label)
            return [Tap(_("语音助手")), TypeText(command, into=_("说出或输入您的指令")), Tap(_("完成"))]
    return [Tap(label)]


def _collect(
    node: Node, label: str, within: str, hold: bool, matches: list[tuple[int, Node]], area: int = 0
) -> None:
    """Collect touchable nodes with the label, each with the area (px²) of the container labelled `within`."""
    if within and within in _list_labels(node, nested=True):
        area = node.box.width * node.box.height
    touchable = node.hold is not None if hold else node.clickable
    if touchable and node.enabled and label in _list_labels(node, nested=False) and (area or not within):
        matches.append((area, node))
    for child in node.children:
        _collect(child, label, within, hold, matches, area)


def _list_labels(node: Node, *, nested: bool) -> set[str]:
    """Labels of a node and its descendants; of touchable descendants only if `nested`.

    The label of a text field is its hint, not the typed text.
    """
    labels = {"" if node.entry else node.text, node.description, node.hint}
    for child in node.children:
        if nested or not (child.clickable or child.hold):
            labels |= _list_labels(child, nested=nested)
    return labels - {""}
