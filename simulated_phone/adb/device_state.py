"""What every service and shell command of one phone shares."""

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
        files: Its storage, kept over a reset of the phone.
        listeners: What answers a connection to a port of the phone (`adb forward`).
        real_time: Whether the phone's clock also follows the real one; without it only actions take time.
        answers: Shell commands answered since the switch `dropped_connection` was turned on.
    """

    phone: Phone
    files: FileSystem = field(default_factory=FileSystem)
    listeners: dict[int, Callable[[Stream], Awaitable[None]]] = field(default_factory=dict)
    real_time: bool = False
    answers: int = 0
    _seen: float = field(default_factory=time.monotonic)

    def keep_time(self) -> None:
        """Lets the phone's clock catch up with the real one."""
        before, self._seen = self._seen, time.monotonic()
        if self.real_time:
            self.phone.wait(self._seen - before)
