"""The interface of phones: what is observed, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fingertip_agents.execution_agent import ScreenInput
from fingertip_dataset.errors import DeviceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(ScreenInput):
    """A phone's screen at one moment: what an agent may see of it, and the problems of observing it.

    The screenshot is a PNG file as it came, on a recording the recorded picture.

    Attributes:
        problems: Problems of the observation: a BlackFrameError, a NoTreeError.
    """

    problems: tuple[DeviceError, ...] = ()


class Device(Protocol):
    """A phone. Coordinates are pixels of the screenshot's frame, from its upper left corner.

    Every method may raise a `DeviceError`.
    """

    def observe(self) -> Observation:
        """Screenshot, tree and package, in this order and as close in time as possible."""

    def screenshot(self) -> bytes:
        """The screen as a PNG file."""

    def tree(self) -> str | None:
        """The accessibility tree as XML; None if the phone gives none."""

    def size(self) -> tuple[int, int]:
        """Width and height of the screen as it is held now, px."""

    def foreground(self) -> str:
        """Package of the window that has the focus; "" if the phone does not report it."""

    def tap(self, x: int, y: int) -> None:
        """A short touch."""

    def long_press(self, x: int, y: int, ms: int = 500) -> None:
        """A touch held for `ms` milliseconds."""

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        """A finger moved over the glass in `ms` milliseconds."""

    def type_text(self, text: str) -> None:
        """Text into the field that has the focus; a newline is Enter."""

    def press_key(self, code: str) -> None:
        """A key by Android's name, such as "KEYCODE_BACK"."""

    def start_app(self, package: str) -> None:
        """Bring an app to the front."""
