"""The environment of a person's phone on ADB: woken, the task's app launched, otherwise left as it is."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import partial
from typing import Literal

from execution_runner.devices.adb import OBSERVE_SECONDS, AdbDevice
from execution_runner.devices.adb_client import RECONNECT_SECONDS, WIFI_RECONNECT_SECONDS, is_wireless
from execution_runner.devices.settling import STILL_SECONDS, settle
from execution_runner.environments.app_start import choose_start, launch_app
from execution_runner.environments.between_tasks import BetweenTasks, leave_task
from execution_runner.environments.phone_session import PhoneSession
from fingertip_dataset.errors import DeviceError
from fingertip_dataset.release.settings import Start
from fingertip_dataset.tasks.task import ExecutionTask


class AdbEnvironment:
    """An `Environment` on ADB; success is for people to label.

    The display stays on while the phone is held, then behaves as before.

    Args:
        serial: As `adb devices` lists it.
        uiautomator2: Whether trees and typing go through uiautomator2.
        server_port: TCP port of the adb server; None for the default.
        between_tasks: What is done before each task; nothing of it resets the phone.
        start: Where tasks begin: in their app, or on the home screen.
        settle_s: Seconds that the screen must stand still after an action; 0 to wait for nothing.
        reconnect_s: Seconds to wait for a lost phone; None for a minute on Wi-Fi, and three seconds by cable.
    """

    kind: Literal["adb"] = "adb"
    faults: tuple[str, ...] = ()

    def __init__(
        self,
        serial: str,
        *,
        uiautomator2: bool = False,
        server_port: int | None = None,
        between_tasks: BetweenTasks = "home",
        start: Start = "app",
        settle_s: float = STILL_SECONDS,
        reconnect_s: float | None = None,
    ) -> None:
        self.name = serial
        self.between_tasks: BetweenTasks = between_tasks
        self.start: Start = start
        self.settle_s = settle_s
        self._uiautomator2 = uiautomator2
        self._server_port = server_port
        usual = WIFI_RECONNECT_SECONDS if is_wireless(serial) else RECONNECT_SECONDS
        self._reconnect_s = usual if reconnect_s is None else reconnect_s
        self._device: AdbDevice | None = None
        self._held = ExitStack()

    def begin(self, task: ExecutionTask) -> PhoneSession:
        """Wakes the phone, leaves the previous task as `between_tasks` says, and launches the task's app.

        Raises:
            AppStartError: The app is not installed, or does not come up.
            DeviceError: The phone is absent, not ready, locked, or does not react.
            MissingExtraError: uiautomator2 is not installed.
        """
        device = self._device or self._connect()
        device.wake()
        leave_task(device, self.between_tasks, task.input.app)
        stand_still = partial(settle, device.screenshot, still_s=self.settle_s)
        start = choose_start(self.start, task.input.app)
        if start is None:
            start = launch_app(device, task.input.app)
            # the app may show a splash screen first
            stand_still()
        return PhoneSession(device, settle=stand_still, goes_on=True, start=start)

    def _connect(self) -> AdbDevice:
        if self._uiautomator2:
            from execution_runner.devices.uiautomator2_device import Uiautomator2Device

            find: type[AdbDevice] = Uiautomator2Device
        else:
            find = AdbDevice
        device = find.find(
            self.name,
            server_port=self._server_port,
            observe_s=OBSERVE_SECONDS,
            reconnect_s=self._reconnect_s,
        )
        self._held.enter_context(device.stay_awake())
        self._device = device
        return device

    def restart(self) -> None:
        """Restores the person's settings if the phone is reachable; the next `begin` connects anew."""
        self._device = None
        with suppress(DeviceError):
            self._held.close()

    def close(self) -> None:
        """Restores the person's settings; the phone stays connected, as it may have been before."""
        self.restart()
