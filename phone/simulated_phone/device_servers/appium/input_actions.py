"""W3C actions: pointers and keys, tick by tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.finger_path import touch_screen
from simulated_phone.device_servers.appium.webdriver_errors import WebDriverError, invalid_argument
from simulated_phone.touch.fling import MOST_SAMPLES, TouchSample, release_velocity

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

MAX_SOURCES, MAX_TICKS = 20, 2000
"""Largest number of input sources, and of actions of one."""

_SAMPLE_MS = 5  # Appium's server sends a moving finger that often

MAX_MS = 600_000
"""Longest duration of an action, milliseconds."""

_TYPES = MappingProxyType(
    {
        "pointer": ("pointerMove", "pointerDown", "pointerUp", "pointerCancel", "pause"),
        "key": ("keyDown", "keyUp", "pause"),
        "none": ("pause",),
    }
)

# private-use code points of the W3C's table of keys
_KEYS = MappingProxyType(
    {
        "\ue003": "DEL",
        "\ue004": "TAB",
        "\ue006": "ENTER",
        "\ue007": "ENTER",
        "\ue00c": "ESCAPE",
        "\ue00d": "SPACE",
        "\ue00e": "PAGE_UP",
        "\ue00f": "PAGE_DOWN",
        "\ue010": "MOVE_END",
        "\ue011": "MOVE_HOME",
        "\ue012": "DPAD_LEFT",
        "\ue013": "DPAD_UP",
        "\ue014": "DPAD_RIGHT",
        "\ue015": "DPAD_DOWN",
        "\ue017": "FORWARD_DEL",
    }
)

Point = tuple[int, int]


@dataclass(slots=True)
class _Pointer:
    """A finger: where it is, since when it touches the screen, and where it was since then."""

    at: Point = (0, 0)
    since: int | None = None
    path: list[TouchSample] = field(default_factory=list)

    def go(self, to: Point, now: int, ms: int) -> None:
        """Move evenly to a point in a duration from now on."""
        start, self.at = self.at, to
        if self.since is not None:
            count = max(1, ms // _SAMPLE_MS)
            self.path += [
                TouchSample(
                    now + ms * number / count,
                    start[0] + (to[0] - start[0]) * number / count,
                    start[1] + (to[1] - start[1]) * number / count,
                )
                for number in range(max(1, count - MOST_SAMPLES), count + 1)
            ]


class InputActions:
    """Performs the actions of one request.

    Two or more fingers succeed without an effect: no app of the phone answers to them.

    Args:
        phone: The phone.
        centre_of: Centre of the element with an id, px.
    """

    def __init__(self, phone: Phone, centre_of: Callable[[str], Point]) -> None:
        self._phone = phone
        self._centre_of = centre_of
        self._now = 0  # ms since the first tick

    def perform(self, sources: object) -> None:
        """Perform the actions of all sources, which run side by side.

        Args:
            sources: The request's `actions`.

        Raises:
            WebDriverError: They are malformed, or an element is not on the screen.
        """
        checked = [_check(source) for source in _list(sources, "actions", MAX_SOURCES)]
        fingers = sum(any(one["type"] == "pointerDown" for one in actions) for _, actions in checked)
        pointers = [_Pointer() for _ in checked]
        for tick in range(max((len(actions) for _, actions in checked), default=0)):
            current = [
                (number, actions[tick]) for number, (_, actions) in enumerate(checked) if tick < len(actions)
            ]
            longest = max(_read_duration(action) for _, action in current)
            for number, action in current:
                if action["type"] in ("keyDown", "keyUp"):
                    self._press_key(action)
                elif action["type"] != "pause":
                    self._find_point(pointers[number], action, fingers)
            self._now += longest
            if longest and all(pointer.since is None for pointer in pointers):
                # time while a finger is down passes with its gesture
                self._phone.wait(longest / 1000)

    def _press_key(self, action: Mapping[str, Any]) -> None:
        value = action.get("value")
        if not isinstance(value, str) or not value:
            raise invalid_argument("expected the value of a key, got none")
        if action["type"] == "keyUp":
            return
        if value in _KEYS:
            self._phone.press_key(f"KEYCODE_{_KEYS[value]}")
        elif not "\ue000" <= value[0] <= "\uf8ff":
            # modifiers are among the other private-use characters
            self._phone.type_text(value)

    def _find_point(self, pointer: _Pointer, action: Mapping[str, Any], fingers: int) -> None:
        kind = action["type"]
        if kind == "pointerMove":
            pointer.go(self._target(pointer, action), self._now, _read_duration(action))
        elif kind == "pointerDown":
            pointer.since, pointer.path = self._now, [TouchSample(self._now, *pointer.at)]
        elif kind == "pointerCancel":
            pointer.since = None
        elif pointer.since is not None:
            held, pointer.since = self._now - pointer.since, None
            if fingers == 1:
                start = round(pointer.path[0].x), round(pointer.path[0].y)
                velocity = release_velocity(pointer.path, self._now)
                touch_screen(self._phone, start, pointer.at, held, velocity=velocity)

    def _target(self, pointer: _Pointer, action: Mapping[str, Any]) -> Point:
        x, y = _read_number(action, "x"), _read_number(action, "y")
        origin = action.get("origin", "viewport")
        if origin == "viewport":
            start = (0, 0)
        elif origin == "pointer":
            start = pointer.at
        else:
            start = self._centre_of(element_id(origin))
        at = round(start[0] + x), round(start[1] + y)
        width, height = self._phone.size
        if not (0 <= at[0] < width and 0 <= at[1] < height):
            raise WebDriverError(
                f"point {at[0]},{at[1]} is outside the screen of {width}x{height}",
                "move target out of bounds",
            )
        return at


def element_id(value: object) -> str:
    """The id in a reference to an element, or a plain id.

    Raises:
        WebDriverError: It is neither.
    """
    if isinstance(value, Mapping):
        value = next(iter(value.values()), None)
    if not isinstance(value, str) or not value:
        raise invalid_argument(f"expected an element, got {value!r}")
    return value


def _check(source: object) -> tuple[str, list[Mapping[str, Any]]]:
    """Type and actions of a source."""
    if not isinstance(source, Mapping) or source.get("type") not in _TYPES:
        raise invalid_argument(f"expected an input source of type {', '.join(_TYPES)}")
    kind = str(source["type"])
    actions: list[Mapping[str, Any]] = []
    for action in _list(source.get("actions"), "actions of a source", MAX_TICKS):
        if not isinstance(action, Mapping) or action.get("type") not in _TYPES[kind]:
            raise invalid_argument(f"expected actions of type {', '.join(_TYPES[kind])} of a {kind}")
        _read_duration(action)
        actions.append(action)
    return kind, actions


def _list(value: object, what: str, most: int) -> Sequence[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise invalid_argument(f"expected a list of at most {most} {what}")
    return value


def _read_duration(action: Mapping[str, Any]) -> int:
    ms = action.get("duration") or 0
    if not isinstance(ms, int | float) or not 0 <= ms <= MAX_MS:
        raise invalid_argument(f"expected a duration of at most {MAX_MS} ms, got {ms!r}")
    return round(ms)


def _read_number(action: Mapping[str, Any], name: str) -> float:
    value = action.get(name, 0)
    if not isinstance(value, int | float) or abs(value) > 1e6 or value != value:
        raise invalid_argument(f"expected a number {name}, got {value!r}")
    return value
