"""A simulated phone of this process as a `Device`: no adb, no screenshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from execution_runner.devices.device import Observation

if TYPE_CHECKING:
    from simulated_phone import Phone


class InProcessDevice:
    """Device on a simulated phone in this process; faster than adb, since nothing is drawn or transferred.

    Gestures, trees and the state of the phone are the same as through adb. Screenshots are empty; use
    `SimulatedEnvironment` for pixels.

    Args:
        phone: The phone, set up, awake and unlocked.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.tap, self.long_press, self.swipe = phone.tap, phone.long_press, phone.swipe
        self.type_text, self.press_key = phone.type_text, phone.press_key

    def observe(self) -> Observation:
        """Observe the tree, size and package; the screenshot is empty."""
        return Observation(
            screenshot=self.screenshot(), tree=self.tree(), size=self.size(), package=self.foreground()
        )

    def screenshot(self) -> bytes:
        """Return no bytes: this device draws nothing."""
        return b""

    def tree(self) -> str | None:
        """The accessibility tree in the dialect of `uiautomator dump`."""
        return self._phone.tree()

    def size(self) -> tuple[int, int]:
        """Width and height of the screen, px."""
        return self._phone.size

    def foreground(self) -> str:
        """Package of the app in front."""
        return self._phone.foreground[0]

    def start_app(self, package: str) -> None:
        """Bring an app to the front."""
        self._phone.start(package)
