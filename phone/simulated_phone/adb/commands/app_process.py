"""`app_process`: run a class of an APK or jar that a framework brings; the phone answers in its place."""

from __future__ import annotations

from android_shell.command_call import CommandError
from simulated_phone.adb.commands import uiautomator2
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.device_servers.helper_servers import YOSEMITE
from simulated_phone.machine.faults import NO_CLIPBOARD

SCRCPY = "com.genymobile.scrcpy.Server"
"""Main class of scrcpy's server."""

NO_VIDEO = (
    "[server] ERROR: a simulated phone encodes no video, so scrcpy cannot mirror it: take screenshots "
    "(adb exec-out screencap -p) and send touches with adb shell input\n"
)
"""Answer to scrcpy's server."""

_CONTROL = f"{YOSEMITE}.control.Control"


async def app_process(call: DeviceCall) -> None:
    """`app_process [-DNAME=VALUE] FOLDER CLASS [ARGUMENT ...]`: servers of uiautomator2 and Airtest."""
    words = [arg for arg in call.args if not arg.startswith("-D")]
    main, arguments = words[1] if len(words) > 1 else "", words[2:]
    if main == uiautomator2.MAIN:
        await uiautomator2.serve(call, arguments)
    elif main == SCRCPY:
        call.print_error(NO_VIDEO)
        call.code = 1
    elif main == _CONTROL and YOSEMITE in call.device.installed:
        _control(call, arguments)
    else:
        raise CommandError(uiautomator2.NOT_FOUND)


def _control(call: DeviceCall, arguments: list[str]) -> None:
    """Airtest's `--DEVICE_OP clipboard_get` and `--DEVICE_OP clipboard --TEXT TEXT`."""
    operation = arguments[1] if arguments[:1] == ["--DEVICE_OP"] and len(arguments) > 1 else ""
    if operation == "clipboard_get":
        call.print("\n" if NO_CLIPBOARD in call.phone.faults else f"{call.device.clipboard}\n")
    elif operation == "clipboard" and arguments[2:3] == ["--TEXT"]:
        if NO_CLIPBOARD not in call.phone.faults:
            call.device.clipboard = " ".join(arguments[3:])
    else:
        raise CommandError(f"java.lang.IllegalArgumentException: unknown operation {operation!r}")
