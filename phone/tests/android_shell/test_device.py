"""The shell on a device that is no phone."""

from __future__ import annotations

import asyncio

from android_shell.command_call import CommandCall
from android_shell.shell.shell import Shell
from android_shell.shell_device import ShellDevice
from android_shell.tools import TOOLS


def greet(call: CommandCall) -> None:
    call.print(f"hello {' '.join(call.args)}\n")


def test_a_device_hands_in_its_commands() -> None:
    device = ShellDevice(commands={**TOOLS, "greet": greet}, call_type=CommandCall)
    printed = bytearray()

    async def write(_stream: int, data: bytes) -> None:
        printed.extend(data)

    line = "greet a b > /sdcard/f; sed s/a/c/ /sdcard/f; type greet; input tap 1 1"
    assert asyncio.run(Shell(device, write).run(line)) == 127
    assert printed.decode() == (
        "hello c b\ngreet is a tracked alias for /system/bin/greet\n"
        "/system/bin/sh: input: inaccessible or not found\n"
    )
