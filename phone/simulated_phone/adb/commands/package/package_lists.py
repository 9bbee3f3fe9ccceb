"""Lines that `pm list`, `cmd package query-activities` and `resolve-activity` print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.activity.intents import LAUNCHER, full_name, read_intent, resolve
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.package.package_details import (
    find_path,
    find_version,
    is_system,
    list_packages,
)
from simulated_phone.adb.commands.processes import uid_of
from simulated_phone.adb.commands.properties import SDK

LIST_OPTIONS = "-3 -U -a -d -e -f -i -l -s -u --show-versioncode --uid= --user="
"""Options of `pm list`."""

FEATURES = (
    "android.hardware.bluetooth",
    "android.hardware.camera",
    "android.hardware.faketouch",
    "android.hardware.location",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    "android.hardware.touchscreen.multitouch",
    "android.hardware.wifi",
    "android.software.input_methods",
)
"""Features of the phone."""

_OPENGL = "reqGlEsVersion=0x30002"
_LIBRARIES = (
    "android.ext.shared",
    "android.test.base",
    "android.test.mock",
    "android.test.runner",
    "org.apache.http.legacy",
)
_MATCH = "priority=0 preferredOrder=0 match=0x{match:x} specificIndex=-1 isDefault={default}\n"
_MAIN, _DEFAULT = 0x100000, 0x108000


def print_list(call: DeviceCall) -> None:
    """`pm list packages|features|users|instrumentation|libraries [FILTER]`."""
    kind = call.argument(1)
    if kind not in LISTS:
        raise CommandError(
            "Error: didn't specify type of data to list"
            if not kind
            else f"Error: unknown list type '{kind}'",
            255,
        )
    LISTS[kind](call)


def _print_packages(call: DeviceCall) -> None:
    call.pop_option("--user")
    wanted = call.pop_option("--uid")
    flags = {arg for arg in call.args if arg.startswith("-")}
    names = [arg for arg in call.args[2:] if not arg.startswith("-")]
    for package in list_packages(call):
        system = is_system(call, package)
        if ("-3" in flags and system) or ("-s" in flags and not system) or "-d" in flags:
            continue
        if wanted not in (None, str(uid_of(package))) or not all(name in package for name in names):
            continue
        path = f"{find_path(package)}=" if "-f" in flags else ""
        version = f" versionCode:{find_version(call, package)[1]}" if "--show-versioncode" in flags else ""
        installer = "  installer=null" if "-i" in flags else ""
        uid = f" uid:{uid_of(package)}" if "-U" in flags or wanted else ""
        call.print(f"package:{path}{package}{version}{installer}{uid}\n")


def _print_instrumentation(call: DeviceCall) -> None:
    for app in call.device.installed.values():
        if app.instrumentation and call.argument(2) in ("", app.instrumentation[1]):
            call.print(f"instrumentation:{app.instrumentation[0]} (target={app.instrumentation[1]})\n")


LISTS: Mapping[str, Callable[[DeviceCall], None]] = MappingProxyType(
    {
        "features": lambda call: call.print("".join(f"feature:{name}\n" for name in (_OPENGL, *FEATURES))),
        "instrumentation": _print_instrumentation,
        "libraries": lambda call: call.print("".join(f"library:{name}\n" for name in _LIBRARIES)),
        "package": _print_packages,
        "packages": _print_packages,
        "users": lambda call: call.print("Users:\n\tUserInfo{0:Owner:c13} running\n"),
    }
)
"""Kind of a list -> what prints it."""


def print_feature(call: DeviceCall) -> None:
    """`pm has-feature NAME`: exit code 0 if the phone has it."""
    if not call.operands:
        raise CommandError("Error: expected FEATURE argument", 255)
    known = call.operands[0] in FEATURES
    call.print(f"{str(known).lower()}\n")
    call.code = int(not known)


def query_activities(call: DeviceCall) -> None:
    """`cmd package query-activities [--brief] [--components] INTENT`."""
    brief, bare = call.pop_flag("--brief"), call.pop_flag("--components")
    call.pop_option("--query-flags")
    intent = read_intent(call)
    if LAUNCHER in intent.categories and not (intent.package or intent.component):
        found = [f"{package}/{call.phone.activity_of(package)}" for package in call.phone.packages()]
    else:
        target = resolve(call, intent)
        found = [target] if target else []
    if not found:
        call.print("No activities found\n")
    elif bare:
        call.print("".join(f"{target}\n" for target in found))
    else:
        call.print(f"{len(found)} activities found:\n")
        for number, target in enumerate(found):
            call.print(f"  Activity #{number}:\n{_describe(target, brief=brief, default=False, indent=4)}")


def resolve_activity(call: DeviceCall) -> None:
    """`cmd package resolve-activity [--brief] [--components] INTENT`."""
    brief, bare = call.pop_flag("--brief"), call.pop_flag("--components")
    call.pop_option("--query-flags")
    target = resolve(call, read_intent(call))
    if target is None:
        call.print("No activity found\n")
    elif bare:
        call.print(f"{target}\n")
    else:
        call.print(_describe(target, brief=brief, default=True, indent=0))


def _describe(target: str, *, brief: bool, default: bool, indent: int) -> str:
    """The record of an activity that an intent leads to, in Android's form."""
    package, _, activity = target.partition("/")
    match = _MATCH.format(match=_DEFAULT if default else _MAIN, default=str(default).lower())
    if brief:
        text = f"{match}{target}\n"
    else:
        uid, path = uid_of(package), find_path(package)
        text = (
            f"{match}ActivityInfo:\n"
            f"  name={full_name(package, activity)}\n  packageName={package}\n"
            "  enabled=true exported=true directBootAware=false\n"
            f"  taskAffinity={package} targetActivity=null persistableMode=PERSIST_ROOT_ONLY\n"
            "  launchMode=2 flags=0x0 privateFlags=0x0 theme=0x0\n"
            "  ApplicationInfo:\n"
            f"    packageName={package}\n    processName={package}\n    taskAffinity={package}\n"
            f"    uid={uid} flags=0x0 privateFlags=0x0 theme=0x0\n"
            f"    sourceDir={path}\n    dataDir=/data/user/0/{package}\n"
            f"    enabled=true minSdkVersion=21 targetSdkVersion={SDK} versionCode=1\n"
        )
    return "".join(f"{' ' * indent}{line}\n" for line in text.splitlines())
