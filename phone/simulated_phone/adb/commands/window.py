"""`wm` and `cmd window`: size, density, rotation and the keyguard."""

from __future__ import annotations

import re

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.subcommand import Subcommand, take_options
from simulated_phone.phone_errors import PhoneSetupError


async def wm(call: DeviceCall) -> None:
    """`wm size|density|dismiss-keyguard|user-rotation`; the size is that of the unrotated display."""
    await call.run_subcommand(SUBCOMMANDS)


def _change_size(call: DeviceCall) -> None:
    """`wm size [reset|WIDTHxHEIGHT]`."""
    phone, _ = call.phone, call.pop_option("-d")
    if call.args[1:]:
        sides = re.fullmatch(r"(\d{1,5})x(\d{1,5})", call.args[1])
        if call.args[1] != "reset" and sides is None:
            raise CommandError(f"Error: bad size {call.args[1]}", 255)
        size = (int(sides.group(1)), int(sides.group(2))) if sides else phone.physical_size
        _change(call, size, phone.density)
        return
    call.print(f"Physical size: {'x'.join(map(str, phone.physical_size))}\n")
    if phone.natural_size != phone.physical_size:
        call.print(f"Override size: {'x'.join(map(str, phone.natural_size))}\n")


def _change_density(call: DeviceCall) -> None:
    """`wm density [reset|NUMBER]`."""
    phone, _ = call.phone, call.pop_option("-d")
    if call.args[1:]:
        text = call.args[1]
        if text != "reset" and not (text.isdecimal() and 0 < int(text[:6]) < 2000):
            raise CommandError(f"Error: bad number {text}", 255)
        density = phone.physical_density if text == "reset" else int(text)
        _change(call, phone.natural_size, density)
        return
    call.print(f"Physical density: {phone.physical_density}\n")
    if phone.density != phone.physical_density:
        call.print(f"Override density: {phone.density}\n")


def _change(call: DeviceCall, size: tuple[int, int], density: int) -> None:
    try:
        call.phone.set_display(size, density)
    except PhoneSetupError as error:
        raise CommandError(f"Error: {error}", 255) from None


def _dismiss_keyguard(call: DeviceCall) -> None:
    call.phone.unlock()


def _rotate(call: DeviceCall) -> None:
    """`user-rotation [free|lock [0-3]]`."""
    call.pop_option("-d")
    args = call.args[1:]
    if args[:1] == ["lock"] and args[1:] and args[1] in ("0", "1", "2", "3"):
        call.phone.settings["system"]["user_rotation"] = args[1]
    elif args not in ([], ["free"], ["lock"]):
        raise CommandError("Error: expected free, lock or lock 0-3", 255)
    if not args:
        call.print(f"lock {call.phone.rotation}\n")


SUBCOMMANDS: dict[str, Subcommand] = {
    "size": take_options(_change_size, "-d="),
    "density": take_options(_change_density, "-d="),
    "dismiss-keyguard": take_options(_dismiss_keyguard),
    "set-user-rotation": take_options(_rotate, "-d="),
    "user-rotation": take_options(_rotate, "-d="),
}
"""Subcommand -> implementation."""
