"""Interface of phones: observations and actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fingertip_agents.execution_agent import ScreenInput
from fingertip_dataset.errors import DeviceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(ScreenInput):
    """Observation of a phone's screen: the input of an agent, and the problems of taking it.

    The screenshot is an unchanged PNG file; on a recording, the recorded image file.

    Attributes:
        problems: Problems of the observation, such as a BlackFrameError or a NoTreeError.
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
        """Width and height of the screen in its current orientation, px."""

    def foreground(self) -> str:
        """Package of the window that has the focus; "" if the phone does not report it."""

    def tap(self, x: int, y: int) -> None:
        """Touches a point briefly, px."""

    def long_press(self, x: int, y: int, ms: int = 1000) -> None:
        """Touches a point for `ms` milliseconds, px."""

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        """Swipes from one point to another in `ms` milliseconds, px."""

    def type_text(self, text: str) -> str:
        """Types text into the focused field; a newline is Enter.

        Returns:
            Why the text could not be read back from the field; "" if it was.

        Raises:
            NoFocusError: No field has the focus; nothing was done.
        """

    def press_key(self, code: str) -> None:
        """Presses a key by its Android name, such as "KEYCODE_BACK"."""

    def start_app(self, package: str) -> None:
        """Brings an app to the front as its icon does.

        Raises:
            AppStartError: It is not installed, or has no activity to start.
        """
