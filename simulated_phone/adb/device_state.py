"""State shared by all services and shell commands of one phone."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simulated_phone.adb.files import FileSystem

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
        answers: Number of shell commands answered since the fault `dropped_connection` was turned on.
    """

    phone: Phone
    files: FileSystem = field(default_factory=FileSystem)
    listeners: dict[int, Callable[[Stream], Awaitable[None]]] = field(default_factory=dict)
    real_time: bool = False
    answers: int = 0
    _updated: float = field(default_factory=time.monotonic)

    def keep_time(self) -> None:
        """Advance the phone's clock by the real time since the last call, if `real_time`."""
        before, self._updated = self._updated, time.monotonic()
        if self.real_time:
            self.phone.wait(self._updated - before)
