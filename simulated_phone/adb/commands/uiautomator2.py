"""`app_process`: starts the server that uiautomator2 pushes to a phone.

The jar is Android code and cannot run here. The phone answers its calls itself, on the port that it was told.
"""

from __future__ import annotations

import asyncio
from functools import partial

from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.adb.uiautomator2_http import serve_calls
from simulated_phone.adb.uiautomator2_rpc import Uiautomator2Calls

JAR = "/data/local/tmp/u2.jar"
"""Where uiautomator2 puts its server."""

MAIN = "com.wetest.uia2.Main"
"""The server's class."""


async def app_process(call: CommandCall) -> None:
    """`CLASSPATH=JAR app_process / com.wetest.uia2.Main -p PORT`, until the host leaves."""
    port = call.pop_option("-p") or "9008"
    if call.args != ["/", MAIN] or not port.isdecimal() or call.device.files.get(JAR) is None:
        raise CommandError("Error: could not find or load the main class")
    number = int(port)
    if number in call.device.listeners:
        raise CommandError("java.net.BindException: bind failed: EADDRINUSE (Address already in use)")
    call.say("[server] INFO: [UiAutomator2Server] Starting Server\n")
    call.device.listeners[number] = partial(serve_calls, Uiautomator2Calls(call.phone))
    try:
        await call.flush()
        await asyncio.Event().wait()
    finally:
        del call.device.listeners[number]
