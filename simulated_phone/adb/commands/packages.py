"""`pm` and `cmd package`: which apps there are."""

from __future__ import annotations

from simulated_phone.adb.commands.activities import read_intent, resolve
from simulated_phone.adb.commands.command_call import CommandCall, CommandError

_SYSTEM = ("com.android.", "android")


def pm(call: CommandCall) -> None:
    """`pm list packages|path|resolve-activity ...`; nothing is installed or removed."""
    run = _ACTIONS.get(call.args[0]) if call.args else None
    if run is None:
        raise CommandError(f"Unknown command: {call.args[0] if call.args else ''}", 255)
    run(call)


def _list(call: CommandCall) -> None:
    what = call.args[1] if len(call.args) > 1 else ""
    if what not in ("packages", "package"):
        raise CommandError(f"Error: unknown list type '{what}'", 255)
    call.pop_option("--user")
    flags = [arg for arg in call.args if arg.startswith("-")]
    names = [arg for arg in call.args[2:] if not arg.startswith("-")]
    keyboards = (name.partition("/")[0] for name in call.phone.imes)
    for package in sorted({*call.phone.packages(), *keyboards}):
        system = package.startswith(_SYSTEM)
        if ("-3" in flags and system) or ("-s" in flags and not system) or "-d" in flags:
            continue
        if all(name in package for name in names):
            call.say(f"package:{_path(package) + '=' if '-f' in flags else ''}{package}\n")


def _path(package: str) -> str:
    return f"/data/app/{package}/base.apk"


def _tell_path(call: CommandCall) -> None:
    call.pop_option("--user")
    if len(call.args) > 1 and call.args[1] in call.phone.packages():
        call.say(f"package:{_path(call.args[1])}\n")
    else:
        call.code = 1


def _resolve(call: CommandCall) -> None:
    brief = call.pop_flag("--brief", "--components")
    intent = read_intent(call)
    target = resolve(call, intent)
    if target is None:
        call.say("No activity found\n")
        return
    call.say("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n")
    if brief:
        call.say(f"{target}\n")
    else:
        package, _, activity = target.partition("/")
        name = package + activity if activity.startswith(".") else activity
        call.say(f"ActivityInfo:\n  name={name}\n  packageName={package}\n  enabled=true exported=true\n")


def _refuse_install(call: CommandCall) -> None:
    raise CommandError(
        f"Failure [{call.args[0].upper()}_FAILED_INTERNAL_ERROR: a simulated phone keeps its apps]"
    )


_ACTIONS = {
    "list": _list,
    "path": _tell_path,
    "resolve-activity": _resolve,
    "install": _refuse_install,
    "uninstall": _refuse_install,
}
