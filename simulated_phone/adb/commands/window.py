"""`wm` and `cmd window`: size, density, rotation and the keyguard."""

from __future__ import annotations

from simulated_phone.adb.commands.command_call import CommandCall, CommandError


def wm(call: CommandCall) -> None:
    """`wm size|density|dismiss-keyguard|user-rotation`; the size is that of the unrotated display."""
    run = _ACTIONS.get(call.args[0]) if call.args else None
    if run is None:
        raise CommandError(f"Unknown command: {call.args[0] if call.args else ''}", 255)
    run(call)


def _size(call: CommandCall) -> None:
    _refuse_change(call)
    width, height = call.phone.natural_size
    call.print(f"Physical size: {width}x{height}\n")


def _density(call: CommandCall) -> None:
    _refuse_change(call)
    call.print(f"Physical density: {call.phone.density}\n")


def _refuse_change(call: CommandCall) -> None:
    if call.args[1:] not in ([], ["reset"]):
        raise CommandError(f"Error: the simulated phone keeps its {call.args[0]}")


def _dismiss_keyguard(call: CommandCall) -> None:
    call.phone.unlock()


def _rotate(call: CommandCall) -> None:
    """`user-rotation [free|lock [0-3]]`."""
    args = call.args[1:]
    if args[:1] == ["lock"] and args[1:] and args[1] in ("0", "1", "2", "3"):
        call.phone.settings["system"]["user_rotation"] = args[1]
    elif args not in ([], ["free"], ["lock"]):
        raise CommandError("Error: expected free, lock or lock 0-3", 255)
    if not args:
        call.print(f"lock {call.phone.rotation}\n")


_ACTIONS = {
    "size": _size,
    "density": _density,
    "dismiss-keyguard": _dismiss_keyguard,
    "user-rotation": _rotate,
}
