"""Parsing of `getevent -lt` lines into touches and navigation keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from fingertip_dataset.errors import DeviceError

HOLD_MS = 450
"""Minimum duration of a long press; Android's own limit is 400 or 500 ms."""

SLOP = 0.02
"""Largest movement of a tap, as a fraction of the screen's shorter side: 8 dp on most phones."""

EDGE = 0.02
"""Fraction of the screen's width or height in which the system's edge gestures begin."""

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "KEY_BACK": "back",
        "KEY_HOMEPAGE": "home",
        "KEY_HOME": "home",
        "KEY_APPSELECT": "recent",
        "KEY_MENU": "recent",
    }
)
"""Kernel's name of a hardware navigation key -> name of the key."""

_LINE = re.compile(r"\[\s*(\d+\.\d+)\]\s+(?:(/dev/\S+):\s+)?(EV_\w+)\s+(\w+)\s+(\w+)")
_DEVICE = re.compile(r"^add device \d+: (\S+)", re.MULTILINE)
_AXIS = re.compile(r"ABS_MT_POSITION_([XY])\s*:.*?min (-?\d+), max (-?\d+)")
_UINT32_MAX = 0xFFFFFFFF
_SIGN_BIT = 0x80000000


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A touch panel: its device file and the range of its raw values, both ends included."""

    path: str
    x: tuple[int, int]
    y: tuple[int, int]

    def to_px(self, raw: tuple[int, int], size: tuple[int, int], rotation: int) -> tuple[int, int]:
        """Convert a raw point of the panel to a pixel of the rotated screen.

        Args:
            raw: Raw (x, y) of the panel.
            size: Width and height of the rotated screen, px.
            rotation: Quarter turns, 0-3, as in the tree's `rotation`.

        >>> Panel(path="", x=(0, 4095), y=(0, 4095)).to_px((2048, 1024), (1080, 2400), 0)
        (540, 600)
        """
        width, height = size
        upright = (width, height) if rotation % 2 == 0 else (height, width)
        x = (raw[0] - self.x[0]) * upright[0] // (self.x[1] - self.x[0] + 1)
        y = (raw[1] - self.y[0]) * upright[1] // (self.y[1] - self.y[0] + 1)
        # the panel reports points of the phone held upright, whatever the rotation
        rotated = ((x, y), (y, height - 1 - x), (width - 1 - x, height - 1 - y), (width - 1 - y, x))
        return rotated[rotation]


def parse_panel(listing: str) -> Panel:
    """Parse the touch panel from the output of `getevent -lp`; touch screens take precedence over touch pads.

    Raises:
        DeviceError: The listing has no touch panel.
    """
    panels: list[tuple[bool, Panel]] = []
    for part in re.split(r"(?m)^(?=add device )", listing):
        name, axes = _DEVICE.search(part), dict(_parse_ranges(part))
        if name and {"X", "Y"} <= axes.keys():
            panel = Panel(path=name.group(1), x=axes["X"], y=axes["Y"])
            # touch screens have this property, touch pads do not
            panels.append(("INPUT_PROP_DIRECT" not in part, panel))
    if not panels:
        raise DeviceError(
            "the phone reports no touch panel (`getevent -lp` lists none), so its touches cannot be recorded"
        )
    return min(panels, key=lambda pair: pair[0])[1]


def _parse_ranges(part: str) -> Iterable[tuple[str, tuple[int, int]]]:
    for axis, low, high in _AXIS.findall(part):
        # some devices declare an axis without a range
        if int(high) > int(low):
            yield axis, (int(low), int(high))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTouch:
    """A touch, from the first finger down to the last finger up.

    Attributes:
        points: Raw (x, y) of the panel along the first finger's path, in order; at least one.
        ms: Duration in milliseconds.
        fingers: Largest number of simultaneous fingers; only the first one's path is recorded.
        seen: Arrival of its first and last event, seconds of this computer's monotonic clock.
    """

    points: tuple[tuple[int, int], ...]
    ms: int
    fingers: int
    seen: tuple[float, float]

    def is_still(self, panel: Panel, size: tuple[int, int], rotation: int) -> bool:
        """Whether the finger stayed where it came down, within `SLOP`.

        Args:
            panel: The touch panel.
            size: Width and height of the screen, px.
            rotation: Quarter turns of the screen.
        """
        (x, y), (last_x, last_y) = (
            panel.to_px(point, size, rotation) for point in (self.points[0], self.points[-1])
        )
        return max(abs(last_x - x), abs(last_y - y)) <= SLOP * min(size)


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationKey:
    """A press of a hardware navigation key.

    Attributes:
        name: "back", "home" or "recent".
        seen: Arrival of the event (twice), seconds of this computer's monotonic clock.
    """

    name: str
    seen: tuple[float, float]


@dataclass(slots=True, kw_only=True)
class _Contact:
    """The touch in progress."""

    slot: int
    begin: float
    seen: float
    points: list[tuple[int, int]] = field(default_factory=list)
    slots: set[int] = field(default_factory=set)
    fingers: int = 1


class TouchReader:
    """Assembles lines of `getevent -lt` into touches and keys.

    The kernel reports a value only when it changes, so positions are kept from touch to touch.

    Args:
        panel: The touch panel; lines of other devices are read for keys only.
    """

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._slot = 0
        self._positions: dict[int, dict[str, int]] = {}
        self._contact: _Contact | None = None
        self._lifted = False

    def feed(self, line: str, now: float) -> RecordedTouch | NavigationKey | None:
        """Read one line; return the touch or key that ends with it.

        Args:
            line: A line of getevent's output; any other text is ignored.
            now: This computer's monotonic clock, seconds.
        """
        match = _LINE.match(line.strip())
        if match is None:
            return None
        time, path, kind, code, value = match.groups()
        if kind == "EV_KEY" and code in KEYS:
            return NavigationKey(name=KEYS[code], seen=(now, now)) if value == "DOWN" else None
        if path in (None, self._panel.path):
            if kind == "EV_ABS":
                self._absolute(code, _to_signed(value), float(time), now)
            elif code == "SYN_REPORT":
                return self._report(float(time), now)
        return None

    @property
    def down(self) -> bool:
        """Whether a touch is in progress."""
        return self._contact is not None

    def _absolute(self, code: str, value: int, time: float, now: float) -> None:
        if code == "ABS_MT_SLOT":
            self._slot = value
        elif code == "ABS_MT_TRACKING_ID":
            self._track_contact(value >= 0, time, now)
        elif code in ("ABS_MT_POSITION_X", "ABS_MT_POSITION_Y"):
            self._positions.setdefault(self._slot, {})[code[-1]] = value

    def _track_contact(self, begins: bool, time: float, now: float) -> None:
        contact = self._contact
        if begins and contact is None:
            self._contact = _Contact(slot=self._slot, begin=time, seen=now, slots={self._slot})
        elif contact is not None and begins:
            contact.slots.add(self._slot)
            contact.fingers = max(contact.fingers, len(contact.slots))
        elif contact is not None:
            contact.slots.discard(self._slot)
            # the touch ends with the next SYN_REPORT, which completes this packet
            self._lifted = not contact.slots

    def _report(self, time: float, now: float) -> RecordedTouch | None:
        contact = self._contact
        if contact is None:
            return None
        # kept between touches: an axis with its old value is not reported again
        position = self._positions.get(contact.slot, {})
        if contact.slot in contact.slots and len(position) == 2:
            point = (position["X"], position["Y"])
            # the kernel reports an axis only when it changes: a report may repeat the point
            if contact.points[-1:] != [point]:
                contact.points.append(point)
        if not self._lifted:
            return None
        self._contact, self._lifted = None, False
        if not contact.points:
            return None
        ms = round((time - contact.begin) * 1000)
        return RecordedTouch(
            points=tuple(contact.points), ms=ms, fingers=contact.fingers, seen=(contact.seen, now)
        )


def _to_signed(value: str) -> int:
    try:
        number = int(value, 16) & _UINT32_MAX
    except ValueError:
        return 0
    # getevent prints signed values as unsigned hexadecimal: -1 is ffffffff
    return number - 2 * _SIGN_BIT if number & _SIGN_BIT else number
