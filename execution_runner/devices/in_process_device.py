"""A simulated phone of this process as a `Device`: no adb, no screenshots."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from execution_runner.devices.adb_keyboard import ADB_KEYBOARD, LINES, PLAIN, check_arrived, check_encodable
from execution_runner.devices.device import Observation
from execution_runner.devices.text_fields import check_text, find_focused_fields, surplus
from execution_runner.environments.simulated import SimulatedSession, begin_simulated
from fingertip_dataset.errors import AppStartError, DeviceError, DeviceLockedError, NoFocusError

if TYPE_CHECKING:
    from simulated_phone import Phone
    from simulated_phone.people.simulation import Simulation


def begin_in_process(
    simulation: Simulation, phone: Phone, *, faults: Collection[str] = (), states: bool = True
) -> SimulatedSession:
    """Reset a phone of this process for a task, as `SimulatedEnvironment.begin` does over adb.

    The same actions lead to the same states, success and state hashes as over adb.

    Args:
        simulation: Setup of the phone, and the task's goal.
        phone: A phone of the setup's size.
        faults: Faults that are on in addition to those of the setup.
        states: Whether the phone's state is recorded, as of `begin_simulated`.

    Raises:
        DeviceLockedError: The phone's lock asks for a PIN.
    """
    device = InProcessDevice(phone)
    return begin_simulated(simulation, device, lambda work: work(phone), faults=faults, states=states)


class InProcessDevice:
    """Device on a simulated phone in this process; faster than adb, since nothing is drawn or transferred.

    Gestures, typing, trees and the state of the phone are the same as through adb. Screenshots are empty; use
    `SimulatedEnvironment` for pixels.

    Args:
        phone: The phone, set up.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.tap, self.long_press, self.swipe = phone.tap, phone.long_press, phone.swipe
        self.press_key = phone.press_key

    def observe(self) -> Observation:
        """Observe the tree, size and package; the screenshot is empty."""
        return Observation(
            screenshot=self.screenshot(), tree=self.tree(), size=self.size(), package=self.foreground()
        )

    def screenshot(self) -> bytes:
        """Return no bytes: this device draws nothing."""
        return b""

    def tree(self) -> str | None:
        """The accessibility tree in the dialect of `uiautomator dump`; None if the phone gives none."""
        from simulated_phone import TreeUnavailableError

        try:
            return self._phone.tree()
        except TreeUnavailableError:
            return None

    def size(self) -> tuple[int, int]:
        """Width and height of the screen, px."""
        return self._phone.size

    def foreground(self) -> str:
        """Package of the app in front."""
        return self._phone.foreground[0]

    def start_app(self, package: str) -> None:
        """Bring an app to the front, as `AdbDevice.start_app` does.

        Raises:
            AppStartError: The phone has no such app.
        """
        if not self._phone.start(package):
            raise AppStartError(f"{package} is not installed, or has no activity to start")

    def type_text(self, text: str) -> str:
        """Type text into the focused field, as `AdbDevice.type_text` does over adb.

        Raises:
            NoFocusError: No field has the focus; nothing was done.
            DeviceError: The phone has no keyboard for the text, or the text did not arrive.
        """
        check_encodable(text)
        if self._phone.shown().focus is None:
            raise NoFocusError("no text field has the focus: nothing was typed")
        note, before = "", "、".join(field.text for field in find_focused_fields(self.tree()))
        for number, line in enumerate(LINES.split(text)):
            if number:
                self._phone.press_key("KEYCODE_ENTER")
            if line:
                note = self._type_line(line, None if number else before) or note
        return note

    def _type_line(self, line: str, before: str | None) -> str:
        """Type by the phone's own keyboard; what it changes is deleted, and ADBKeyBoard types it."""
        has_adb_keyboard = ADB_KEYBOARD in self._phone.imes
        if not PLAIN.fullmatch(line):
            if not has_adb_keyboard:
                raise DeviceError(f"expected the keyboard {ADB_KEYBOARD} for {line[:20]!r}, got none")
            self._phone.type_text(line)
            return check_arrived(self.tree, line)
        self._phone.type_keys(line)
        check = check_text(self.tree(), line)
        if check.arrived != "no":
            return check.note
        if before is not None and has_adb_keyboard:
            for key in ["KEYCODE_MOVE_END", *["KEYCODE_DEL"] * surplus(before, check.shown)]:
                self._phone.press_key(key)
            self._phone.type_text(line)
        return check_arrived(self.tree, line)

    def wake(self) -> None:
        """Turn the display on and dismiss a lock screen that needs no secret, as `AdbDevice.wake` does.

        Raises:
            DeviceLockedError: The lock asks for a PIN.
        """
        self._phone.press_key("KEYCODE_WAKEUP")
        self._phone.unlock()
        if self._phone.locked:
            raise DeviceLockedError("expected a screen without a lock, got a simulated phone with a PIN")
