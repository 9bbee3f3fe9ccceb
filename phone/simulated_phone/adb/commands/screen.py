"""`screencap`: screenshots, and the ids of the displays."""

from __future__ import annotations

import io
import struct

from PIL import Image

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.machine.faults import SECOND_DISPLAY, TRUNCATED_SCREENSHOT

_RGBA_8888, _SRGB = 1, 1
_HEAD = struct.Struct("<4I")


DISPLAY_ID, SECOND_DISPLAY_ID = "4619827259835644672", "4619827551948147201"
"""Physical ids of the built-in display, and of the second one that a fault adds."""

_SEVERAL_DISPLAYS = (
    "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first "
    "display found, however this default is not guaranteed to be consistent across captures. A display id "
    'should be specified.\nSee "dumpsys SurfaceFlinger --display-id" for valid display IDs.\n'
)
_USAGE = (
    "usage: screencap [-hp] [-d display-id] [FILENAME]\n   -h: this message\n   -p: save the file as a png.\n"
    "   -d: specify the display ID to capture\nIf FILENAME ends with .png it will be saved as a png.\n"
    "If FILENAME is not given, the results will be printed to stdout."
)
_SECOND_SIZE = (800, 480)


def screencap(call: DeviceCall) -> None:
    """`screencap [-p] [-d DISPLAY] [FILE]`: PNG with `-p` or a file name in .png, else header and RGBA."""
    display = call.pop_option("-d")
    png = call.pop_flag("-p")
    if any(arg.startswith("-") for arg in call.args):
        raise CommandError(_USAGE)
    path = call.args[0] if call.args else None
    png = png or bool(path and path.endswith(".png"))
    if SECOND_DISPLAY in call.phone.faults and display is None:
        call.print_error(_SEVERAL_DISPLAYS)
    if SECOND_DISPLAY in call.phone.faults and display != DISPLAY_ID:
        data = _draw_second_screen(png=png)
    else:
        data = call.phone.screenshot_png() if png else _raw(call.phone.screenshot())
    data = _truncated(call, data)
    if path:
        call.device.files.write(path, data)
    else:
        call.print(data)


def _draw_second_screen(*, png: bool) -> bytes:
    picture = Image.new("RGB", _SECOND_SIZE, "#20242c")
    if not png:
        return _raw(picture)
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


def _raw(picture: Image.Image) -> bytes:
    """Raw screenshot: width, height, pixel format, colour space (little-endian 32 bit), then pixel rows."""
    return _HEAD.pack(picture.width, picture.height, _RGBA_8888, _SRGB) + picture.convert("RGBA").tobytes()


def _truncated(call: DeviceCall, data: bytes) -> bytes:
    return data[: len(data) // 2] if TRUNCATED_SCREENSHOT in call.phone.faults else data
