"""`am instrument`: start the test server of a helper app, which the phone answers itself."""

from __future__ import annotations

import asyncio

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall

_OPTIONS_WITH_VALUE = {"-e": 2, "-p": 1, "--user": 1, "--abi": 1}


async def start_instrumentation(call: DeviceCall) -> None:
    """`am instrument [-w] [-e NAME VALUE] PACKAGE/RUNNER`, until the server is ended."""
    # the server imports tables of this package
    from simulated_phone.device_servers.appium.server import PORT, AppiumServer

    component = _read_component(call.args[1:])
    installed = call.device.installed
    targets = dict(app.instrumentation for app in installed.values() if app.instrumentation)
    package = targets.get(component)
    if package is None or package not in installed:
        raise CommandError(
            "INSTRUMENTATION_STATUS: id=ActivityManagerService\n"
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: "
            f"ComponentInfo{{{component}}}\n"
            f"INSTRUMENTATION_STATUS_CODE: -1\nINSTRUMENTATION_FAILED: {component}"
        )
    # as on a phone, a second start ends the first
    call.device.end_helper(package)
    ended = asyncio.Event()
    server = AppiumServer(call.device, installed[package].version, ended.set)
    call.device.listeners[PORT] = server.serve
    call.device.helpers[package] = ended.set
    call.print("INSTRUMENTATION_STATUS: numtests=1\nINSTRUMENTATION_STATUS_CODE: 1\n")
    try:
        await call.flush()
        await ended.wait()
    finally:
        # a second start has put its own there
        if call.device.helpers.get(package) in (None, ended.set):
            call.device.helpers.pop(package, None)
            if call.device.listeners.get(PORT) == server.serve:
                del call.device.listeners[PORT]
    call.print("INSTRUMENTATION_CODE: 0\n")


def _read_component(args: list[str]) -> str:
    """The runner among the options."""
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word in _OPTIONS_WITH_VALUE:
            del rest[: _OPTIONS_WITH_VALUE[word]]
        elif not word.startswith("-"):
            return word
    return ""
