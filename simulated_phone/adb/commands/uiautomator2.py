"""`app_process`: start the server that uiautomator2 pushes to a phone.

The jar is Android code and cannot run here; the simulated phone answers the server's methods itself, on the
given port.
"""

from __future__ import annotations

import asyncio
from functools import partial

from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.adb.uiautomator2_http import serve_calls
from simulated_phone.adb.uiautomator2_rpc import Uiautomator2Calls

JAR = "/data/local/tmp/u2.jar"
"""Path to which uiautomator2 pushes its server."""

MAIN = "com.wetest.uia2.Main"
"""Main class of the server."""


async def app_process(call: CommandCall) -> None:
    """`CLASSPATH=JAR app_process / com.wetest.uia2.Main -p PORT`, until the host disconnects."""
    port = call.pop_option("-p") or "9008"
    if call.args != ["/", MAIN] or not port.isdecimal() or call.device.files.get(JAR) is None:
        raise CommandError("Error: could not find or load the main class")
    number = int(port)
    if number in call.device.listeners:
        raise CommandError("java.net.BindException: bind failed: EADDRINUSE (Address already in use)")
    call.print("[server] INFO: [UiAutomator2Server] Starting Server\n")
    call.device.listeners[number] = partial(serve_calls, Uiautomator2Calls(call.phone))
    try:
        await call.flush()
        await asyncio.Event().wait()
    finally:
        del call.device.listeners[number]
