"""The touch panel's raw events, and a finger whose touches appear there and act on the phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulated_phone.machine.machine import Machine
from simulated_phone.screens.nodes import PixelBox

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
SYN_REPORT = 0
BTN_TOUCH = 0x14A
ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID = 0x35, 0x36, 0x39
RELEASED = 0xFFFFFFFF
SAMPLE_MS = 16  # a panel reports a moving finger at about 60 Hz


@dataclass(frozen=True, slots=True)
class TouchEvent:
    """Raw event: kernel type, code and value, and the phone's uptime in seconds."""

    type: int
    code: int
    value: int
    time: float


Listener = Callable[[tuple[TouchEvent, ...]], None]


class TouchStream:
    """Publisher of the touch panel's raw events.

    Attributes:
        device: The panel's device file.
        name: The panel's name.
    """

    device = "/dev/input/event2"
    name = "simulated_touchscreen"

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with the events of each report, in the phone's thread; return the unsubscriber."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def send(self, events: tuple[TouchEvent, ...]) -> None:
        """Send one report to all listeners."""
        for listener in tuple(self._listeners):
            listener(events)


class Finger:
    """A finger: each touch is written to the touch stream and then acts on the phone.

    Coordinates are pixels of the current rotation's frame, as in `Phone.tap`; those of the stream are
    unrotated.

    Attributes:
        stream: Raw events of the touches.
    """

    def __init__(self, phone: Machine) -> None:
        self._phone = phone
        self.stream = TouchStream()
        self._contacts = 0

    def tap(self, x: int, y: int) -> None:
        """Tap at a pixel."""
        self._press_down(x, y)
        self._lift_up(60)
        self._phone.tap(x, y)

    def long_press(self, x: int, y: int, ms: int = 600) -> None:
        """Long-press at a pixel for `ms` milliseconds."""
        self._press_down(x, y)
        self._lift_up(ms)
        self._phone.long_press(x, y, ms)

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        """Swipe in a straight line over `ms` milliseconds."""
        self._press_down(x1, y1)
        count = max(2, ms // SAMPLE_MS)
        for number in range(1, count + 1):
            x, y = x1 + (x2 - x1) * number // count, y1 + (y2 - y1) * number // count
            self._report(ms * number // count, self._write_position(x, y))
        self._lift_up(ms)
        self._phone.swipe(x1, y1, x2, y2, ms)

    def type(self, text: str) -> None:
        """Touch the keyboard once per character, then enter the whole text, as Chinese keyboards do."""
        keys = self._find_keyboard()
        for number, character in enumerate(text):
            if keys is not None:
                column, row = ord(character) % 10, ord(character) // 10 % 3
                x = keys.left + keys.width * (2 * column + 1) // 20
                y = keys.top + keys.height * (2 * row + 1) // 10
                self._press_down(x, y, after=150 * number)
                self._lift_up(150 * number + 50)
        self._phone.type_text(text)

    def _find_keyboard(self) -> PixelBox | None:
        shown = self._phone.shown()
        package = self._phone.current_ime.partition("/")[0]
        return next((w.root.box for w in shown.screen.windows if w.package == package), None)

    def _press_down(self, x: int, y: int, after: int = 0) -> None:
        self._contacts += 1
        start = [(EV_ABS, ABS_MT_TRACKING_ID, self._contacts & 0xFFFF), (EV_KEY, BTN_TOUCH, 1)]
        self._report(after, start + self._write_position(x, y))

    def _lift_up(self, after: int) -> None:
        self._report(after, [(EV_ABS, ABS_MT_TRACKING_ID, RELEASED), (EV_KEY, BTN_TOUCH, 0)])

    def _write_position(self, x: int, y: int) -> list[tuple[int, int, int]]:
        width, height = self._phone.size
        panel = {
            0: (x, y),
            1: (height - 1 - y, x),
            2: (width - 1 - x, height - 1 - y),
            3: (y, width - 1 - x),
        }[self._phone.rotation]
        return [(EV_ABS, ABS_MT_POSITION_X, panel[0]), (EV_ABS, ABS_MT_POSITION_Y, panel[1])]

    def _report(self, after: int, events: list[tuple[int, int, int]]) -> None:
        time = self._phone.uptime + after / 1000
        report = [TouchEvent(*event, time) for event in [*events, (EV_SYN, SYN_REPORT, 0)]]
        self.stream.send(tuple(report))
