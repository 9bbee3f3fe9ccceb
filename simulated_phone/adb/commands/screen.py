"""`screencap` and `uiautomator`: screenshots and accessibility trees."""

from __future__ import annotations

import struct

from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.faults import TRUNCATED_SCREENSHOT
from simulated_phone.phone_errors import TreeUnavailableError

DUMP_PATH = "/sdcard/window_dump.xml"
"""Default path of a dump."""

_RGBA_8888, _SRGB = 1, 1
_HEAD = struct.Struct("<4I")


def screencap(call: CommandCall) -> None:
    """`screencap [-p] [-d DISPLAY] [FILE]`: PNG with `-p` or a file name in .png, else header and RGBA."""
    call.pop_option("-d")
    png = call.pop_flag("-p")
    path = call.args[0] if call.args else None
    png = png or bool(path and path.endswith(".png"))
    data = _truncated(call, call.phone.screenshot_png() if png else _raw(call))
    if path:
        call.device.files.write(path, data)
    else:
        call.print(data)


def _raw(call: CommandCall) -> bytes:
    """Raw screenshot: width, height, pixel format, colour space (little-endian 32 bit), then pixel rows."""
    picture = call.phone.screenshot()
    return _HEAD.pack(picture.width, picture.height, _RGBA_8888, _SRGB) + picture.convert("RGBA").tobytes()


def _truncated(call: CommandCall, data: bytes) -> bytes:
    return data[: len(data) // 2] if TRUNCATED_SCREENSHOT in call.phone.faults else data


def uiautomator(call: CommandCall) -> None:
    """`uiautomator dump [--compressed] [FILE]`; without a tree it prints an error, with exit code 0."""
    if call.args[:1] != ["dump"]:
        raise CommandError("Usage: uiautomator <subcommand> [options]\n    dump [--compressed] [file]", 1)
    call.pop_flag("--compressed", "--verbose", "--windows")
    path = call.args[1] if len(call.args) > 1 else DUMP_PATH
    try:
        tree = call.phone.tree("uiautomator")
    except TreeUnavailableError:
        call.print_error("ERROR: could not get idle state.\n")
        return
    if path == "/dev/tty":
        call.print(tree)
    else:
        call.device.files.write(path, tree.encode())
    call.print(f"UI hierchary dumped to: {path}\n")
