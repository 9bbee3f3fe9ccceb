"""State shared by all services and shell commands of one phone."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from simulated_phone.adb.files import FileSystem
from simulated_phone.adb.finger_path import FingerPath
from simulated_phone.adb.helper_apps import HelperApp
from simulated_phone.machine.faults import SCREEN_TIMEOUT

if TYPE_CHECKING:
    from simulated_phone.adb.streams import Stream
    from simulated_phone.phone import Phone


@dataclass(slots=True, kw_only=True)
class DeviceState:
    """A phone, its files, and the TCP ports that its processes listen on.

    Args:
        phone: The phone.
        files: Its storage; a reset of the phone keeps it.
        listeners: Port of the phone -> handler of a connection to it (`adb forward`).
        real_time: Whether the phone's clock also follows the real one; without it only actions take time.
        helpers: Package of each helper app that runs, such as a test server -> how it is ended.
        installed: Installed helper apps by package; a reset of the phone keeps them.
        install_sessions: Number of an unfinished installation -> the data received.
        reverses: Ports of the phone that a host forwards to itself (`adb reverse`) -> where to.
        finger: The finger of `input motionevent`.
        clipboard: Text of the clipboard.
        all_selected: Whether the text of the focused field was selected by a key combination.
        log_start: Number of the phone's facts when its log was cleared.
        log_lines: Lines that a host added to the log: time, process, priority, tag, text.
        answers: Number of shell commands answered since the last one that a fault cut off, by whether they
            hold an input.
        processes: Number of subshells, stages of pipelines and background commands that run.
        refuse: Closes the phone's port for a number of seconds, with all connections.
    """

    phone: Phone
    files: FileSystem = field(default_factory=FileSystem)
    listeners: dict[int, Callable[[Stream], Awaitable[None]]] = field(default_factory=dict)
    real_time: bool = False
    helpers: dict[str, Callable[[], None]] = field(default_factory=dict)
    installed: dict[str, HelperApp] = field(default_factory=dict)
    install_sessions: dict[int, bytearray] = field(default_factory=dict)
    reverses: dict[str, str] = field(default_factory=dict)
    finger: FingerPath = field(default_factory=FingerPath)
    clipboard: str = ""
    all_selected: bool = False
    log_start: int = 0
    log_lines: list[tuple[datetime, int, str, str, str]] = field(default_factory=list)
    answers: Counter[bool] = field(default_factory=Counter)
    processes: int = 0
    refuse: Callable[[float], None] = lambda seconds: None
    _jobs: set[asyncio.Task[int]] = field(default_factory=set)
    _updated: float = field(default_factory=time.monotonic)
    _touched: float = field(default_factory=time.monotonic)

    def keep_job(self, job: asyncio.Task[int]) -> None:
        """Let a background command go on after the shell that started it."""
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    def end_helper(self, package: str) -> None:
        """End a helper app, if it runs."""
        end = self.helpers.pop(package, None)
        if end is not None:
            end()

    def end_jobs(self) -> None:
        """End the background commands."""
        for job in tuple(self._jobs):
            job.cancel()

    def keep_time(self) -> None:
        """Advance the phone's clock by the real time since the last call, if `real_time`."""
        before, self._updated = self._updated, time.monotonic()
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
