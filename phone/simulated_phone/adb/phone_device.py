"""A phone as the device of its shell and its services: with its commands, its files and its processes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from android_shell.files import FileSystem
from simulated_phone.adb.commands import COMMANDS, TOYBOX
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.device_state import DeviceState
from simulated_phone.adb.process_files import make_process_files
from simulated_phone.adb.system_files import system_files

if TYPE_CHECKING:
    from simulated_phone.phone import Phone


def make_device(
    phone: Phone, *, real_time: bool = False, refuse: Callable[[float], None] = lambda seconds: None
) -> DeviceState:
    """Return the state of a phone with empty storage.

    Args:
        phone: The phone.
        real_time: Whether the phone's clock also follows the real one.
        refuse: Closes the phone's port for a number of seconds, with all connections.
    """
    device = DeviceState(
        phone=phone,
        files=FileSystem(system_files(phone), clock=lambda: phone.now.timestamp()),
        commands=COMMANDS,
        call_type=DeviceCall,
        tools=TOYBOX.keys(),
        real_time=real_time,
        refuse=refuse,
    )
    device.files.show_processes(partial(make_process_files, device))
    return device
