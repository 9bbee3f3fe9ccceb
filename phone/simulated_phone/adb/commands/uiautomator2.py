"""The server that uiautomator2 pushes to a phone and starts with `app_process`.

The jar is Android code and cannot run here; the simulated phone answers the server's methods itself, on the
given port.
"""

from __future__ import annotations

import asyncio
from functools import partial

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.device_servers.uiautomator2.uiautomator2_http import serve_calls
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls

JAR = "/data/local/tmp/u2.jar"
"""Path to which uiautomator2 pushes its server."""

NOT_FOUND = "Error: could not find or load the main class"
"""What `app_process` prints for a class that the phone does not know."""

MAIN = "com.wetest.uia2.Main"
"""Main class of the server."""


async def serve(call: DeviceCall, arguments: list[str]) -> None:
    """Answer the server's methods on the port after `-p`, until the host disconnects."""
    port = arguments[1] if arguments[:1] == ["-p"] and len(arguments) == 2 else "9008"
    if not port.isdecimal() or call.device.files.get(JAR) is None:
        raise CommandError(NOT_FOUND)
    number = int(port)
    if number in call.device.listeners:
        raise CommandError("java.net.BindException: bind failed: EADDRINUSE (Address already in use)")
    call.print("[server] INFO: [UiAutomator2Server] Starting Server\n")
    call.device.listeners[number] = partial(serve_calls, Uiautomator2Calls(call.device))
    try:
        await call.flush()
        await asyncio.Event().wait()
    finally:
        del call.device.listeners[number]
