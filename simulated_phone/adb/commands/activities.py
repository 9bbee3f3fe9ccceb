"""`am` and `monkey`: start and stop apps, send broadcasts."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field

from simulated_phone.adb.commands.command_call import CommandCall, CommandError

MAIN = "android.intent.action.MAIN"
HOME = "android.intent.category.HOME"
LAUNCHER = "android.intent.category.LAUNCHER"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
"""Keyboard that types text of any language from a broadcast."""

_EXTRAS = ("-e", "--es", "--ei", "--ez", "--el", "--ef", "--eu", "--esn", "--esa", "--eia")
_BARE = ("-W", "-S", "-N", "-D", "--activity-", "--grant-", "--include-", "--exclude-", "--receiver-")


@dataclass(slots=True, kw_only=True)
class ActivityIntent:
    """Android intent in the arguments of `am`.

    Args:
        action: Value of `-a`.
        categories: Values of `-c`.
        data: Value of `-d`, a URI.
        component: Value of `-n`, `package/activity`.
        package: Value of `-p`, or a bare package name at the end.
        extras: Names and values of `--es`, `--ei` etc., as text.
    """

    action: str | None = None
    categories: list[str] = field(default_factory=list)
    data: str | None = None
    component: str | None = None
    package: str | None = None
    extras: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [f"act={self.action}"] if self.action else []
        parts += [f"cat=[{','.join(self.categories)}]"] if self.categories else []
        parts += [f"dat={self.data}"] if self.data else []
        parts += [f"pkg={self.package}"] if self.package else []
        parts += [f"cmp={self.component}"] if self.component else []
        parts += ["(has extras)"] if self.extras else []
        return "Intent { " + "".join(part + " " for part in parts) + "}"


def read_intent(call: CommandCall) -> ActivityIntent:
    """Parse the intent in the arguments after the subcommand.

    Raises:
        CommandError: An option is unknown, or its value is missing.
    """
    intent, rest = ActivityIntent(), call.args[1:]
    while rest:
        arg = rest.pop(0)
        if not arg.startswith("-"):
            _read_target(intent, arg)
        elif arg in _EXTRAS:
            # --esn (a null string) is the one extra without a value
            name = _value(call, arg, rest)
            intent.extras[name] = "" if arg == "--esn" else _value(call, arg, rest)
        elif not arg.startswith(_BARE):
            _read_option(call, intent, arg, _value(call, arg, rest))
    return intent


def _value(call: CommandCall, option: str, rest: list[str]) -> str:
    if not rest:
        raise call.java_error(f'java.lang.IllegalArgumentException: Argument expected after "{option}"')
    return rest.pop(0)


def _read_option(call: CommandCall, intent: ActivityIntent, option: str, value: str) -> None:
    if option == "-a":
        intent.action = value
    elif option == "-c":
        intent.categories.append(value)
    elif option == "-d":
        intent.data = value
    elif option == "-n":
        if "/" not in value:
            raise call.java_error(f"java.lang.IllegalArgumentException: Bad component name: {value}")
        intent.component = value
    elif option == "-p":
        intent.package = value
    elif option not in ("-f", "-t", "--user", "--display", "--windowingMode"):
        raise call.java_error(f"java.lang.IllegalArgumentException: Unknown option: {option}")


def _read_target(intent: ActivityIntent, text: str) -> None:
    if ":" in text:
        intent.data = text
    elif "/" in text:
        intent.component = text
    else:
        intent.package = text
        intent.action = intent.action or MAIN
        intent.categories = intent.categories or [LAUNCHER]


def am(call: CommandCall) -> None:
    """`am start|force-stop|broadcast ...`."""
    run = _ACTIONS.get(call.args[0]) if call.args else None
    if run is None:
        raise CommandError(f"Unknown command: {call.args[0] if call.args else ''}", 255)
    run(call)


def _start(call: CommandCall) -> None:
    wait, stop = "-W" in call.args, "-S" in call.args
    intent = read_intent(call)
    target = resolve(call, intent)
    if stop and target:
        call.phone.stop(target.partition("/")[0])
    call.print(f"Starting: {intent}\n")
    before = call.phone.foreground
    if target is None:
        raise CommandError(_start_problem(intent))
    call.phone.start(target)
    if wait:
        call.print(
            f"Status: ok\nLaunchState: WARM\nActivity: {target}\nTotalTime: 120\nWaitTime: 125\nComplete\n"
        )
    elif call.phone.foreground == before:
        call.print_error("Warning: Activity not started, its current task has been brought to the front\n")


def _start_problem(intent: ActivityIntent) -> str:
    if intent.component:
        package, _, activity = intent.component.partition("/")
        full = package + activity if activity.startswith(".") else activity
        return f"Error type 3\nError: Activity class {{{package}/{full}}} does not exist."
    return f"Error: Activity not started, unable to resolve {intent}"


def resolve(call: CommandCall, intent: ActivityIntent) -> str | None:
    """The component (`package/activity`) that an intent starts; None if it cannot be resolved."""
    if intent.component:
        package, _, activity = intent.component.partition("/")
        installed = call.phone.activity_of(package)
        requested = package + activity if activity.startswith(".") else activity
        if installed is None or requested != _full(package, installed):
            return None
        return f"{package}/{installed}"
    if HOME in intent.categories:
        launcher = call.phone.launcher
        return f"{launcher.package}/{launcher.activity}"
    if intent.package and intent.action in (None, MAIN):
        installed = call.phone.activity_of(intent.package)
        return f"{intent.package}/{installed}" if installed else None
    return None


def _full(package: str, activity: str) -> str:
    return package + activity if activity.startswith(".") else activity


def _force_stop(call: CommandCall) -> None:
    call.pop_option("--user")
    if len(call.args) < 2:
        raise call.java_error('java.lang.IllegalArgumentException: Argument expected after "force-stop"')
    call.phone.stop(call.args[1])


def _broadcast(call: CommandCall) -> None:
    intent = read_intent(call)
    call.print(f"Broadcasting: {intent}\n")
    if intent.action and intent.action.startswith("ADB_") and call.phone.current_ime == ADB_KEYBOARD:
        _type(call, intent)
    call.print("Broadcast completed: result=0\n")


def _type(call: CommandCall, intent: ActivityIntent) -> None:
    if intent.action == "ADB_INPUT_TEXT":
        call.phone.type_text(intent.extras.get("msg", ""))
    elif intent.action == "ADB_INPUT_B64":
        try:
            text = base64.b64decode(intent.extras.get("msg", "")).decode()
        except (binascii.Error, UnicodeDecodeError):
            return
        call.phone.type_text(text)
    elif intent.action == "ADB_CLEAR_TEXT":
        call.phone.edit(lambda _: "")


_ACTIONS = {
    "start": _start,
    "start-activity": _start,
    "force-stop": _force_stop,
    "broadcast": _broadcast,
}


def monkey(call: CommandCall) -> None:
    """`monkey -p PACKAGE [-c CATEGORY] 1`: start an app; random events are not supported."""
    package = call.pop_option("-p")
    for option in ("-c", "-s", "--throttle", "--pct-syskeys"):
        call.pop_option(option)
    count = call.args[-1] if call.args else ""
    if package is None or not count.isdecimal():
        raise CommandError("usage: monkey -p ALLOWED_PACKAGE [-c MAIN_CATEGORY] COUNT", 251)
    activity = call.phone.activity_of(package)
    if activity is None:
        raise CommandError("** No activities found to run, monkey aborted.", 252)
    if int(count) != 1:
        raise CommandError("** The simulated phone takes one event, the start of the app.", 1)
    call.phone.start(f"{package}/{activity}")
    call.print(
        "Events injected: 1\n## Network stats: elapsed time=10ms (0ms mobile, 0ms wifi, 10ms not connected)\n"
    )
