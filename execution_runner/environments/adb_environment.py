"""The environment of a person's phone on ADB: woken and put on its home screen, otherwise left as it is."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import Literal

from execution_runner.devices.adb import AdbDevice
from execution_runner.environments.phone_session import PhoneSession
from fingertip_dataset.errors import DeviceError
from fingertip_dataset.tasks.task import ExecutionTask

SETTLE_SECONDS = 1.0
"""Seconds to wait after an action, as a real phone animates the change of its screen."""


class AdbEnvironment:
    """An `Environment` on ADB; success is for people to label.

    The display stays on while the phone is held, then behaves as before.

    Args:
        serial: As `adb devices` lists it.
        uiautomator2: Whether trees and typing go through uiautomator2.
        server_port: TCP port of the adb server; None for the default.
        settle_s: Seconds to wait after an action for the screen to change.
    """

    kind: Literal["adb"] = "adb"
    faults: tuple[str, ...] = ()

    def __init__(
        self,
        serial: str,
        *,
        uiautomator2: bool = False,
        server_port: int | None = None,
        settle_s: float = SETTLE_SECONDS,
    ) -> None:
        self.name = serial
        self._uiautomator2 = uiautomator2
        self._server_port = server_port
        self._settle_s = settle_s
        self._device: AdbDevice | None = None
        self._held = ExitStack()

    def begin(self, task: ExecutionTask) -> PhoneSession:
        """Wakes the phone and shows its home screen; resets nothing.

        Raises:
            DeviceError: The phone is absent, not ready, locked, or does not react.
            MissingExtraError: uiautomator2 is not installed.
        """
        device = self._device or self._connect()
        device.wake()
        device.press_key("KEYCODE_HOME")
        return PhoneSession(device, settle_s=self._settle_s)

    def _connect(self) -> AdbDevice:
        if self._uiautomator2:
            from execution_runner.devices.uiautomator2_device import Uiautomator2Device

            device: AdbDevice = Uiautomator2Device.find(self.name, server_port=self._server_port)
        else:
            device = AdbDevice.find(self.name, server_port=self._server_port)
        self._held.enter_context(device.stay_awake())
        self._device = device
        return device

    def restart(self) -> None:
        """Restores the display setting if the phone is reachable; the next `begin` connects anew."""
        self._device = None
        with suppress(DeviceError):
            self._held.close()

    def close(self) -> None:
        """Restores the display setting; the phone stays connected, as it may have been before."""
        self.restart()
