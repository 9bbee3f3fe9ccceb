"""`pm` and `cmd package`: installed apps."""

from __future__ import annotations

from simulated_phone.adb.commands.activities import read_intent, resolve
from simulated_phone.adb.commands.command_call import CommandCall, CommandError

_SYSTEM = ("com.android.", "android")


def pm(call: CommandCall) -> None:
    """`pm list packages|path|resolve-activity ...`; installing and removing is refused."""
    run = _ACTIONS.get(call.args[0]) if call.args else None
    if run is None:
        raise CommandError(f"Unknown command: {call.args[0] if call.args else ''}", 255)
    run(call)


def _list(call: CommandCall) -> None:
    kind = call.args[1] if len(call.args) > 1 else ""
    if kind not in ("packages", "package"):
        raise CommandError(f"Error: unknown list type '{kind}'", 255)
    call.pop_option("--user")
    flags = [arg for arg in call.args if arg.startswith("-")]
    names = [arg for arg in call.args[2:] if not arg.startswith("-")]
    keyboards = (name.partition("/")[0] for name in call.phone.imes)
    for package in sorted({*call.phone.packages(), *keyboards}):
        system = package.startswith(_SYSTEM)
        if ("-3" in flags and system) or ("-s" in flags and not system) or "-d" in flags:
            continue
        if all(name in package for name in names):
            call.print(f"package:{_path(package) + '=' if '-f' in flags else ''}{package}\n")


def _path(package: str) -> str:
    return f"/data/app/{package}/base.apk"


def _print_path(call: CommandCall) -> None:
    call.pop_option("--user")
    if len(call.args) > 1 and call.args[1] in call.phone.packages():
        call.print(f"package:{_path(call.args[1])}\n")
    else:
        call.code = 1


def _resolve(call: CommandCall) -> None:
    brief = call.pop_flag("--brief", "--components")
    intent = read_intent(call)
    target = resolve(call, intent)
    if target is None:
        call.print("No activity found\n")
        return
    call.print("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n")
    if brief:
        call.print(f"{target}\n")
    else:
        package, _, activity = target.partition("/")
        name = package + activity if activity.startswith(".") else activity
        call.print(f"ActivityInfo:\n  name={name}\n  packageName={package}\n  enabled=true exported=true\n")


def _refuse_install(call: CommandCall) -> None:
    raise CommandError(
        f"Failure [{call.args[0].upper()}_FAILED_INTERNAL_ERROR: a simulated phone keeps its apps]"
    )


_ACTIONS = {
    "list": _list,
    "path": _print_path,
    "resolve-activity": _resolve,
    "install": _refuse_install,
    "uninstall": _refuse_install,
}
