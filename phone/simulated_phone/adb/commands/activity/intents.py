"""Intents in the arguments of `am` and `cmd package`, and the pages of apps that they open."""

from __future__ import annotations

from dataclasses import dataclass, field

from simulated_phone.adb.commands.activity.implicit_intents import Destination, find_destination
from simulated_phone.adb.commands.device_call import DeviceCall

MAIN = "android.intent.action.MAIN"
HOME = "android.intent.category.HOME"
LAUNCHER = "android.intent.category.LAUNCHER"

_EXTRAS = (
    *("-e", "--es", "--ei", "--ez", "--el", "--ef", "--ed", "--eu", "--ecn", "--esn"),
    *("--esa", "--eia", "--ela", "--efa", "--eda", "--esal", "--eial", "--elal", "--efal", "--edal"),
)
_BARE = (
    *("--grant-read-uri-permission", "--grant-write-uri-permission", "--grant-persistable-uri-permission"),
    *("--grant-prefix-uri-permission", "--exclude-stopped-packages", "--include-stopped-packages"),
    *("--debug-log-resolution", "--receiver-foreground", "--receiver-no-abort"),
    *("--receiver-registered-only", "--receiver-replace-pending", "--receiver-include-background"),
    *("--activity-brought-to-front", "--activity-clear-top", "--activity-clear-when-task-reset"),
    *("--activity-exclude-from-recents", "--activity-launched-from-history", "--activity-multiple-task"),
    *("--activity-no-animation", "--activity-no-history", "--activity-no-user-action"),
    *("--activity-previous-is-top", "--activity-reorder-to-front", "--activity-reset-task-if-needed"),
    *("--activity-single-top", "--activity-clear-task", "--activity-task-on-home"),
    *("--activity-match-external",),
)
"""Flags of an intent, which change nothing on this phone."""
_TARGET = ("-a", "-c", "-d", "-n", "-p", "-t", "-f", "-i")

_WITH_VALUE = ("--user", "--display", "--windowingMode", "--receiver-permission", "--query-flags")

INTENT_OPTIONS = " ".join(
    [
        *_BARE,
        *(f"{option}=" for option in (*_TARGET, "--esn")),
        *(f"{name}==" for name in _EXTRAS if name != "--esn"),
    ]
)
"""Options of an intent, for `take_options`."""


@dataclass(slots=True, kw_only=True)
class ActivityIntent:
    """Android intent in the arguments of `am`.

    Args:
        action: Value of `-a`.
        categories: Values of `-c`.
        data: Value of `-d`, a URI.
        mime_type: Value of `-t`.
        component: Value of `-n`, `package/activity`.
        package: Value of `-p`, or a bare package name at the end.
        extras: Names and values of `--es`, `--ei` etc., as text.
    """

    action: str | None = None
    categories: list[str] = field(default_factory=list)
    data: str | None = None
    mime_type: str = ""
    component: str | None = None
    package: str | None = None
    extras: dict[str, str] = field(default_factory=dict)

    def find_destination(self, zone: str) -> Destination | None:
        """Where it leads on a phone of that zone; None with a component, or if no app takes it."""
        return find_destination(
            self.action or "", self.categories, self.data or "", self.extras, self.mime_type, zone
        )

    def __str__(self) -> str:
        parts = [f"act={self.action}"] if self.action else []
        parts += [f"cat=[{','.join(self.categories)}]"] if self.categories else []
        parts += [f"dat={self.data}"] if self.data else []
        parts += [f"typ={self.mime_type}"] if self.mime_type else []
        parts += [f"pkg={self.package}"] if self.package else []
        parts += [f"cmp={self.component}"] if self.component else []
        parts += ["(has extras)"] if self.extras else []
        return "Intent { " + "".join(part + " " for part in parts) + "}"


def read_intent(call: DeviceCall) -> ActivityIntent:
    """Parse the intent in the arguments after the subcommand.

    Options of the subcommand itself may stand among those of the intent; `Subcommand` has checked them.

    Raises:
        CommandError: The value of an option is missing, or nothing says what the intent is for.
    """
    intent, rest = ActivityIntent(), call.args[1:]
    while rest:
        arg = rest.pop(0)
        if not arg.startswith("-"):
            _read_target(intent, arg)
        elif arg in _EXTRAS:
            # --esn (a null string) is the one extra without a value
            name = _read_value(call, arg, rest)
            intent.extras[name] = "" if arg == "--esn" else _read_value(call, arg, rest)
        elif arg in _TARGET or arg in _WITH_VALUE:
            _read_option(call, intent, arg, _read_value(call, arg, rest))
    if intent == ActivityIntent():
        raise call.java_error("No intent supplied")
    return intent


def _read_value(call: DeviceCall, option: str, rest: list[str]) -> str:
    if not rest:
        raise call.missing_argument(option)
    return rest.pop(0)


def _read_option(call: DeviceCall, intent: ActivityIntent, option: str, value: str) -> None:
    if option == "-a":
        intent.action = value
    elif option == "-c":
        intent.categories.append(value)
    elif option == "-d":
        intent.data = value
    elif option == "-n":
        if "/" not in value:
            raise call.java_error(f"Bad component name: {value}")
        intent.component = value
    elif option == "-p":
        intent.package = value
    elif option == "-t":
        intent.mime_type = value


def _read_target(intent: ActivityIntent, text: str) -> None:
    if ":" in text:
        intent.data = text
    elif "/" in text:
        intent.component = text
    else:
        intent.package = text
        intent.action = intent.action or MAIN
        intent.categories = intent.categories or [LAUNCHER]


def resolve(call: DeviceCall, intent: ActivityIntent) -> str | None:
    """The component (`package/activity`) that an intent starts; None if it cannot be resolved."""
    if intent.component:
        package, _, activity = intent.component.partition("/")
        installed = call.phone.activity_of(package)
        requested = full_name(package, activity)
        if installed is None or requested != full_name(package, installed):
            return None
        return f"{package}/{installed}"
    if HOME in intent.categories or intent.action == "com.android.systemui.HOME":
        launcher = call.phone.launcher
        return f"{launcher.package}/{launcher.activity}"
    if intent.package and intent.action in (None, MAIN):
        installed = call.phone.activity_of(intent.package)
        return f"{intent.package}/{installed}" if installed else None
    found = intent.find_destination(call.phone.zone)
    if found is None or (intent.package and intent.package != found.package):
        return None
    installed = call.phone.activity_of(found.package)
    return f"{found.package}/{installed}" if installed else None


def full_name(package: str, activity: str) -> str:
    """The class name of an activity."""
    return package + activity if activity.startswith(".") else activity
