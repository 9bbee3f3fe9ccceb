"""MobileGestures of Appium's `mobile:` commands: on an element, an area or a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.finger_path import touch_screen
from simulated_phone.device_servers.appium.input_actions import Point, element_id
from simulated_phone.device_servers.appium.webdriver_errors import invalid_argument
from simulated_phone.touch.fling import DRAG

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""

LONG_CLICK_MS = 500
"""Duration of a long click without a duration, milliseconds."""

_MARGIN = 0.1  # of an element's side, outside of which no gesture begins
_DRAG_MS = 400
_SWIPE_DP, _FLING_DP = 5000, 7500  # speeds of UiObject2, dp/s
_MAX_SWIPES = 100
_MAX_MS = 60_000
_OPPOSITE = MappingProxyType({"up": "down", "down": "up", "left": "right", "right": "left"})


class MobileGestures:
    """The gestures.

    Args:
        phone: The phone.
        box_of: Box of the element with an id.
    """

    def __init__(self, phone: Phone, box_of: Callable[[str], Box]) -> None:
        self._phone = phone
        self._box_of = box_of

    @property
    def calls(self) -> Mapping[str, Callable[[Mapping[str, Any]], object]]:
        """Name in the path -> gesture, which takes the request's parameters."""
        return {
            "click": self._click,
            "double_click": self._double_click,
            "drag": self._drag,
            "fling": self._fling,
            "long_click": self._long_click,
            "pinch_close": self._pinch,
            "pinch_open": self._pinch,
            "scroll": self._scroll,
            "swipe": self._swipe_area,
        }

    def _find_point(self, values: Mapping[str, Any], name: str) -> Point:
        """A point of the request: within its element, if it has one, else on the screen."""
        origin, offset = values.get("origin"), values.get(name)
        if origin is None:
            if offset is None:
                raise invalid_argument(f"expected an element or {name}, got neither")
            return _read_xy(offset)
        left, top, right, bottom = self._box_of(element_id(origin))
        if offset is None:
            return (left + right) // 2, (top + bottom) // 2
        x, y = _read_xy(offset)
        return left + x, top + y

    def _find_area(self, values: Mapping[str, Any]) -> Box:
        if values.get("origin") is not None:
            left, top, right, bottom = self._box_of(element_id(values["origin"]))
            x, y = round((right - left) * _MARGIN), round((bottom - top) * _MARGIN)
            return left + x, top + y, right - x, bottom - y
        area = values.get("area")
        if not isinstance(area, Mapping):
            raise invalid_argument("expected an element or an area, got neither")
        x, y, width, height = (round(_read_number(area, name)) for name in ("left", "top", "width", "height"))
        if width < 0 or height < 0:
            raise invalid_argument("expected an area of positive width and height")
        return x, y, x + width, y + height

    def _click(self, values: Mapping[str, Any]) -> None:
        point = self._find_point(values, "offset")
        touch_screen(self._phone, point, point, 0)

    def _double_click(self, values: Mapping[str, Any]) -> None:
        point = self._find_point(values, "offset")
        for _ in range(2):
            touch_screen(self._phone, point, point, 0)

    def _long_click(self, values: Mapping[str, Any]) -> None:
        point = self._find_point(values, "offset")
        ms = LONG_CLICK_MS if values.get("duration") is None else _read_number(values, "duration")
        if not 0 <= ms <= _MAX_MS:
            raise invalid_argument(f"expected a duration of at most {_MAX_MS} ms, got {ms}")
        touch_screen(self._phone, point, point, round(ms))

    def _drag(self, values: Mapping[str, Any]) -> None:
        start, end = self._find_point(values, "start"), values.get("end")
        if end is None:
            raise invalid_argument("expected the end of the drag, got none")
        touch_screen(self._phone, start, _read_xy(end), _DRAG_MS)

    def _pinch(self, values: Mapping[str, Any]) -> None:
        """Two fingers: no app of the phone answers to them, so only the place is looked for."""
        self._find_area(values)

    def _swipe_area(self, values: Mapping[str, Any]) -> None:
        percent = _read_number(values, "percent")
        if not 0 <= percent <= 1:
            raise invalid_argument(f"expected a percent from 0 to 1, got {percent}")
        self._move(
            self._find_area(values), _read_direction(values), percent, self._read_speed(values, _SWIPE_DP)
        )

    def _read_speed(self, values: Mapping[str, Any], usual_dp: float) -> float:
        """The speed that the request gives, px/s, else the usual one."""
        if values.get("speed") is None:
            return usual_dp * self._phone.density / 160
        speed = _read_number(values, "speed")
        if speed <= 0:
            raise invalid_argument(f"expected a speed above 0, got {speed}")
        return speed

    def _fling(self, values: Mapping[str, Any]) -> bool:
        """Fling in a direction, against which the finger moves; whether the screen has changed."""
        direction, before = _OPPOSITE[_read_direction(values)], self._phone.tree()
        self._move(self._find_area(values), direction, 1, self._read_speed(values, _FLING_DP))
        return self._phone.tree() != before

    def _scroll(self, values: Mapping[str, Any]) -> bool:
        """Scroll in a direction, against which the finger moves; whether the screen has changed.

        As UiObject2's, it holds the finger still before it is lifted.
        """
        percent = _read_number(values, "percent")
        if not 0 < percent <= _MAX_SWIPES:
            raise invalid_argument(f"expected a percent above 0, got {percent}")
        area, direction = self._find_area(values), _OPPOSITE[_read_direction(values)]
        before = self._phone.tree()
        while percent > 0:
            self._move(area, direction, min(percent, 1))
            percent -= 1
        return self._phone.tree() != before

    def _move(self, area: Box, direction: str, percent: float, speed: float | None = None) -> None:
        """Move a finger over part of an area, from the edge opposite to the direction.

        Args:
            area: The area.
            direction: Direction of the finger.
            percent: The part, 0-1.
            speed: Speed of the finger, px/s; None for one that stands still before it is lifted.
        """
        left, top, right, bottom = area
        x, y = (left + right) // 2, (top + bottom) // 2
        across, along = round((right - left) * percent), round((bottom - top) * percent)
        ends = {
            "up": ((x, bottom - 1), (x, bottom - 1 - along)),
            "down": ((x, top), (x, top + along)),
            "left": ((right - 1, y), (right - 1 - across, y)),
            "right": ((left, y), (left + across, y)),
        }
        start, end = ends[direction]
        if speed is None:
            self._phone.swipe(*start, *end, _DRAG_MS, velocity=DRAG)
        else:
            length = abs(end[0] - start[0]) + abs(end[1] - start[1])
            self._phone.swipe(*start, *end, max(1, round(length * 1000 / speed)))


def _read_xy(value: object) -> Point:
    if not isinstance(value, Mapping):
        raise invalid_argument(f"expected a point with x and y, got {value!r}")
    return round(_read_number(value, "x")), round(_read_number(value, "y"))


def _read_number(values: Mapping[str, Any], name: str) -> float:
    value = values.get(name)
    if not isinstance(value, int | float) or not abs(value) < 1e6:
        raise invalid_argument(f"expected a number {name}, got {value!r}")
    return value


def _read_direction(values: Mapping[str, Any]) -> str:
    value = str(values.get("direction")).lower()
    if value not in _OPPOSITE:
        raise invalid_argument(f"expected a direction of {', '.join(_OPPOSITE)}, got {value!r}")
    return value
