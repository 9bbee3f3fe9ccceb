"""uiautomator2's gestures on an element: scroll, fling, swipe, drag, pinch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from simulated_phone.touch.fling import DRAG

if TYPE_CHECKING:
    from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import SelectedNode
    from simulated_phone.phone import Phone

MAX_SWIPES = 100
"""Largest number of swipes of one call."""

_MARGIN = 0.1  # of the element's side, as UiScrollable's dead zone
STEP_MS = 5
"""Duration of one step of a swipe, as in UiDevice."""
FLING_MS = 5 * STEP_MS
"""Duration of a fling, as in UiScrollable."""
_SWIPE_STEPS, _SCROLL_STEPS, _SCROLL_STEP_MS = 10, 55, 16
"""UiScrollable's scroll waits at each step until the app has drawn, so that it is slow and goes on little."""
_DRAG_MS = 400

Selector = Mapping[str, Any]


class ElementGestures:
    """Gestures on elements.

    Args:
        phone: The phone.
        one: Finds the element of a selector, or fails.
        exists: Whether a selector has an element.
    """

    def __init__(
        self, phone: Phone, one: Callable[[Selector], SelectedNode], exists: Callable[[Selector], bool]
    ) -> None:
        self._phone = phone
        self._one = one
        self._exists = exists

    def calls(self) -> Mapping[str, Callable[..., Any]]:
        """Name of a method -> implementation."""
        return {
            "dragTo": self._drag_to,
            "flingBackward": lambda selector, vertical=True: self._move(
                selector, vertical, FLING_MS, forward=False
            ),
            "flingForward": lambda selector, vertical=True: self._move(
                selector, vertical, FLING_MS, forward=True
            ),
            "flingToBeginning": lambda selector, vertical=True, swipes=500: self._repeat(
                selector, vertical, swipes, FLING_MS, forward=False
            ),
            "flingToEnd": lambda selector, vertical=True, swipes=500: self._repeat(
                selector, vertical, swipes, FLING_MS, forward=True
            ),
            "gesture": self._gesture,
            "pinchIn": self._pinch,
            "pinchOut": self._pinch,
            "scrollBackward": lambda selector, vertical=True, steps=_SCROLL_STEPS: self._move(
                selector, vertical, _scroll_ms(steps), forward=False
            ),
            "scrollForward": lambda selector, vertical=True, steps=_SCROLL_STEPS: self._move(
                selector, vertical, _scroll_ms(steps), forward=True
            ),
            "scrollTo": self._scroll_to,
            "scrollToBeginning": self._to_beginning,
            "scrollToEnd": self._to_end,
        }

    def swipe(
        self, selector: Selector, direction: str, percent: float = 1.0, steps: float = _SWIPE_STEPS
    ) -> bool:
        """Swipe from an element's middle to an edge: "up", "down", "left" or "right"."""
        left, top, right, bottom = self._one(selector).bounds
        x, y = (left + right) // 2, (top + bottom) // 2
        ends = {"up": (x, top), "down": (x, bottom - 1), "left": (left, y), "right": (right - 1, y)}
        to_x, to_y = ends[direction]
        end = round(x + (to_x - x) * percent), round(y + (to_y - y) * percent)
        self._phone.swipe(x, y, *end, max(1, round(steps)) * STEP_MS)
        return True

    def _move(self, selector: Selector, vertical: bool, ms: int, *, forward: bool) -> bool:
        """Swipe over nearly the element's length; return whether it moved."""
        left, top, right, bottom = self._one(selector).bounds
        x, y = (left + right) // 2, (top + bottom) // 2
        before = self._phone.tree()
        if vertical:
            inset = round((bottom - top) * _MARGIN)
            start, end = (x, bottom - 1 - inset), (x, top + inset)
        else:
            inset = round((right - left) * _MARGIN)
            start, end = (right - 1 - inset, y), (left + inset, y)
        if not forward:
            start, end = end, start
        self._phone.swipe(*start, *end, ms)
        return self._phone.tree() != before

    def _repeat(self, selector: Selector, vertical: bool, swipes: int, ms: int, *, forward: bool) -> bool:
        for _ in range(min(swipes, MAX_SWIPES)):
            if not self._move(selector, vertical, ms, forward=forward):
                return True
        return False

    def _to_beginning(
        self, selector: Selector, vertical: bool = True, swipes: int = 500, steps: int = _SCROLL_STEPS
    ) -> bool:
        return self._repeat(selector, vertical, swipes, _scroll_ms(steps), forward=False)

    def _to_end(
        self, selector: Selector, vertical: bool = True, swipes: int = 500, steps: int = _SCROLL_STEPS
    ) -> bool:
        return self._repeat(selector, vertical, swipes, _scroll_ms(steps), forward=True)

    def _scroll_to(self, selector: Selector, target: Selector, vertical: bool = True) -> bool:
        """Scroll to the beginning, then on until the other element is on the screen."""
        if self._exists(target):
            return True
        self._to_beginning(selector, vertical)
        for _ in range(MAX_SWIPES):
            if self._exists(target):
                return True
            if not self._move(selector, vertical, _scroll_ms(_SCROLL_STEPS), forward=True):
                break
        return self._exists(target)

    def _drag_to(self, selector: Selector, *target: Any) -> bool:  # noqa: ANN401 - JSON
        end = self._one(target[0]).centre if isinstance(target[0], Mapping) else target[:2]
        start = self._one(selector).centre
        self._phone.swipe(*start, int(end[0]), int(end[1]), _DRAG_MS, velocity=DRAG)
        return True

    def _gesture(self, selector: Selector, *points: Any) -> bool:  # noqa: ANN401 - JSON
        """Two fingers: no app of the phone answers to them, so only the element is looked for."""
        self._one(selector)
        if len(points) < 4 or not all({"x", "y"} <= set(point) for point in points[:4]):
            raise ValueError("expected four points with x and y")
        return True

    def _pinch(self, selector: Selector, *_: object) -> bool:
        self._one(selector)
        return True


def _scroll_ms(steps: int) -> int:
    return max(1, steps) * _SCROLL_STEP_MS
