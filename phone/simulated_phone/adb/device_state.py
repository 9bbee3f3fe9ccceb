"""State shared by all services and shell commands of one phone."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from android_shell.shell_device import ShellDevice
from simulated_phone.adb.finger_path import FingerPath
from simulated_phone.adb.helper_apps import HelperApp
from simulated_phone.machine.faults import SCREEN_TIMEOUT
from simulated_phone.phone_errors import PhoneError

if TYPE_CHECKING:
    from simulated_phone.adb.streams import Stream
    from simulated_phone.phone import Phone


@dataclass(slots=True, kw_only=True)
class DeviceState(ShellDevice):
    """A phone, its files, and the TCP ports that its processes listen on.

    Args:
        phone: The phone; a reset of it keeps its files.
        tools: Names of the commands that change nothing but files.
        listeners: Port of the phone -> handler of a connection to it (`adb forward`).
        real_time: Whether the phone's clock also follows the real one; without it only actions take time.
        helpers: Package of each helper app that runs, such as a test server -> how it is ended.
        installed: Installed helper apps by package; a reset of the phone keeps them.
        install_sessions: Number of an unfinished installation -> the data received.
        reverses: Ports of the phone that a host forwards to itself (`adb reverse`) -> where to.
        finger: The finger of `input motionevent`.
        deleted_settings: Namespace and key of deleted settings that nothing on the phone reads.
        battery: Values of the battery that a host has set.
        properties: System properties that a host has set.
        clipboard: Text of the clipboard.
        all_selected: Whether the text of the focused field was selected by a key combination.
        dumps: Number of trees dumped with a vendor's words around them.
        dumped_tree: The latest tree of the screen, where dumps lag behind it.
        log_start: Number of the phone's facts when its log was cleared.
        log_cleared: Whether a host has cleared the log.
        log_lines: Lines that a host added to the log: time, process, priority, tag, text.
        answers: Number of shell commands answered since the last one that a fault cut off, by whether they
            hold an input.
        program: Words of the program that was started last, which /proc/self tells of.
        refuse: Closes the phone's port for a number of seconds, with all connections.
    """

    errors: ClassVar[tuple[type[Exception], ...]] = (*ShellDevice.errors, PhoneError)

    phone: Phone
    tools: Set[str]
    listeners: dict[int, Callable[[Stream], Awaitable[None]]] = field(default_factory=dict)
    real_time: bool = False
    helpers: dict[str, Callable[[], None]] = field(default_factory=dict)
    installed: dict[str, HelperApp] = field(default_factory=dict)
    install_sessions: dict[int, bytearray] = field(default_factory=dict)
    reverses: dict[str, str] = field(default_factory=dict)
    finger: FingerPath = field(default_factory=FingerPath)
    deleted_settings: set[tuple[str, str]] = field(default_factory=set)
    battery: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    clipboard: str = ""
    all_selected: bool = False
    dumps: int = 0
    dumped_tree: str = ""
    log_start: int = 0
    log_cleared: bool = False
    log_lines: list[tuple[datetime, int, str, str, str]] = field(default_factory=list)
    answers: Counter[bool] = field(default_factory=Counter)
    refuse: Callable[[float], None] = lambda seconds: None
    program: tuple[str, ...] = ()
    _updated: float = field(default_factory=time.monotonic)
    _touched: float = field(default_factory=time.monotonic)

    @property
    def now(self) -> datetime:
        """The phone's simulated clock."""
        return self.phone.now

    def wait(self, seconds: float) -> None:
        """Advance the simulated clock by the time that a command has waited."""
        if self.real_time:
            self.keep_time()
        else:
            self.phone.wait(seconds)

    async def take_time(self, ms: int) -> None:
        """Let a host wait for a gesture, by whose duration the phone's clock has advanced, if `real_time`."""
        if self.real_time:
            self._updated += ms / 1000
            await asyncio.sleep(ms / 1000)

    def end_command(self, name: str) -> None:
        """Let the phone look for changes of a command."""
        if name not in self.tools:
            self.phone.command_ended()

    def end_helper(self, package: str) -> None:
        """End a helper app, if it runs."""
        end = self.helpers.pop(package, None)
        if end is not None:
            end()

    def keep_time(self) -> None:
        """Advance the phone's clock by the real time since the last call, if `real_time`."""
        # a gesture that a client waits for has advanced the clock when it began
        before, self._updated = self._updated, max(self._updated, time.monotonic())
        if self.real_time:
            self.phone.wait(self._updated - before)
        if SCREEN_TIMEOUT in self.phone.faults and self.phone.screen_on:
            # as on a phone that is not charging, only this setting counts, not `svc power stayon`
            timeout = self.phone.settings["system"].get("screen_off_timeout", "")
            if timeout.isdecimal() and self._updated - self._touched >= int(timeout) / 1000:
                self.phone.press_key("KEYCODE_SLEEP")

    def touch(self) -> None:
        """Note input from a host, after which the display stays on for its time."""
        self._touched = time.monotonic()
