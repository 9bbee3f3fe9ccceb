"""`pm` and `cmd package`: installed apps, helper apps, permissions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.activity.intents import read_intent, resolve
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.package.package_details import find_version, list_packages, print_package
from simulated_phone.adb.commands.processes import uid_of
from simulated_phone.adb.helper_apps import HELPER_APPS, ApkError, read_apk

MAX_APK = 200 << 20
"""Largest size of an APK that is accepted, bytes."""

_SYSTEM = ("com.android.", "android")
_PERMISSION_MARK = "permission:"


async def pm(call: DeviceCall) -> None:
    """`pm list|path|dump|clear|grant|revoke|install|uninstall|resolve-activity|...`."""
    await call.run_subcommand(SUBCOMMANDS)


def _list(call: DeviceCall) -> None:
    kind = call.argument(1)
    if kind in ("packages", "package"):
        _list_packages(call)
    elif kind == "features":
        names = ("hardware.touchscreen.multitouch", "hardware.wifi", "software.input_methods")
        call.print("".join(f"feature:android.{name}\n" for name in names))
    elif kind == "users":
        call.print("Users:\n\tUserInfo{0:Owner:c13} running\n")
    elif kind == "instrumentation":
        for app in call.device.installed.values():
            if app.instrumentation:
                call.print(f"instrumentation:{app.instrumentation[0]} (target={app.instrumentation[1]})\n")
    elif kind not in ("libraries", "permissions", "permission-groups"):
        raise CommandError(f"Error: unknown list type '{kind}'", 255)


def _list_packages(call: DeviceCall) -> None:
    call.pop_option("--user")
    flags = [arg for arg in call.args if arg.startswith("-")]
    names = [arg for arg in call.args[2:] if not arg.startswith("-")]
    for package in list_packages(call):
        system = package.startswith(_SYSTEM) and package not in call.device.installed
        if ("-3" in flags and system) or ("-s" in flags and not system) or "-d" in flags:
            continue
        if all(name in package for name in names):
            path = _path(package) + "=" if "-f" in flags else ""
            uid = f" uid:{uid_of(package)}" if "-U" in flags else ""
            version = (
                f" versionCode:{find_version(call, package)[1]}" if "--show-versioncode" in flags else ""
            )
            call.print(f"package:{path}{package}{version}{uid}\n")


def _path(package: str) -> str:
    return f"/data/app/{package}/base.apk"


def _print_path(call: DeviceCall) -> None:
    call.pop_option("--user")
    if len(call.args) > 1 and call.args[1] in list_packages(call):
        call.print(f"package:{_path(call.args[1])}\n")
    else:
        call.code = 1


def _dump(call: DeviceCall) -> None:
    print_package(call, call.argument(1))


def _resolve(call: DeviceCall) -> None:
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


def _query(call: DeviceCall) -> None:
    call.pop_flag("--brief", "--components")
    intent = read_intent(call)
    if "android.intent.category.LAUNCHER" in intent.categories and not intent.package:
        found = [f"{package}/{call.phone.activity_of(package)}" for package in call.phone.packages()]
    else:
        target = resolve(call, intent)
        found = [target] if target else []
    call.print("".join(f"{target}\n" for target in found) or "No activities found\n")


def _read_known_package(call: DeviceCall) -> str:
    call.pop_option("--user")
    names = call.operands
    return names[0] if names and names[0] in list_packages(call) else ""


def _clear(call: DeviceCall) -> None:
    """`pm clear PACKAGE`: the app's state is as on a fresh phone."""
    package = _read_known_package(call)
    if not package:
        raise CommandError("Failed")
    if package in call.phone.apps:
        call.phone.clear_app(package)
    marks = call.phone.data["asked"]
    marks[:] = [mark for mark in marks if not mark.endswith(":" + package)]
    call.print("Success\n")


def _grant(call: DeviceCall) -> None:
    """`pm grant|revoke PACKAGE PERMISSION`: a granted app asks for no permission."""
    package = _read_known_package(call)
    if not package:
        name = call.args[1] if len(call.args) > 1 else "null"
        raise call.java_error(f"Unknown package: {name}")
    marks, mark = call.phone.data["asked"], _PERMISSION_MARK + package
    if call.args[0] == "grant" and mark not in marks:
        marks.append(mark)
    elif call.args[0] == "revoke" and mark in marks:
        marks.remove(mark)


def _do_nothing(_call: DeviceCall) -> None:
    """A setting of the package manager that changes nothing here."""


def _enable(call: DeviceCall) -> None:
    package = _read_known_package(call)
    if not package:
        raise call.java_error("Unknown package")
    if call.args[0] != "enable":
        raise call.java_error("Shell cannot change component state", "java.lang.SecurityException")
    call.print(f"Package {package} new state: enabled\n")


# ---- installing helper apps


async def _install(call: DeviceCall) -> None:
    """`pm install [OPTION ...] PATH`, or `-S SIZE` for an APK on the standard input."""
    size = call.pop_option("-S")
    for option in ("-i", "-p", "--user", "--abi", "--install-location", "--originating-uri"):
        call.pop_option(option)
    paths = [arg for arg in call.args[1:] if not arg.startswith("-") or arg == "-"]
    if size is not None:
        data = await _read(call, size)
    elif paths:
        entry = call.device.files.get(call.path(paths[0]))
        if entry is None:
            raise CommandError(f"Error: failed to open {paths[0]}: No such file or directory")
        data = bytes(entry.data)
    else:
        raise CommandError("Error: must either specify a package size or an APK file")
    _accept(call, data)


async def _read(call: DeviceCall, size: str) -> bytes:
    count = int(size) if size.isdecimal() and len(size) < 12 else -1
    if not 0 <= count <= MAX_APK:
        raise CommandError(f"Error: bad package size(s): {size}")
    data = bytearray()
    while len(data) < count and (part := await call.input.read()):
        data += part
    return bytes(data[:count])


def _accept(call: DeviceCall, data: bytes) -> None:
    try:
        manifest = read_apk(data)
    except ApkError as error:
        raise CommandError(f"Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse APK: {error}]") from None
    app = HELPER_APPS.get(manifest.package)
    if app is None:
        raise CommandError("Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]")
    call.device.installed[manifest.package] = replace(
        app, version=manifest.version or app.version, version_code=manifest.version_code
    )
    call.print("Success\n")


def _create_session(call: DeviceCall) -> None:
    number = len(call.device.install_sessions) + 1_000_001
    call.device.install_sessions[number] = bytearray()
    call.print(f"Success: created install session [{number}]\n")


def _find_session(call: DeviceCall, text: str) -> tuple[int, bytearray]:
    number = int(text) if text.isdecimal() and len(text) < 10 else 0
    if number not in call.device.install_sessions:
        raise call.java_error(f"Caller has no access to session {text}", "java.lang.SecurityException")
    return number, call.device.install_sessions[number]


async def _write_session(call: DeviceCall) -> None:
    """`pm install-write [-S SIZE] SESSION NAME [PATH|-]`."""
    size = call.pop_option("-S")
    args = [arg for arg in call.args[1:] if not arg.startswith("-") or arg == "-"]
    _, data = _find_session(call, args[0] if args else "")
    if len(args) > 2 and args[2] != "-":
        data += call.device.files.read(call.path(args[2]))
    else:
        data += await _read(call, size or "")
    call.print(f"Success: streamed {len(data)} bytes\n")


def _commit_session(call: DeviceCall) -> None:
    number, data = _find_session(call, call.argument(1))
    del call.device.install_sessions[number]
    _accept(call, bytes(data))


def _uninstall(call: DeviceCall) -> None:
    call.pop_option("--user")
    package = next(iter(call.operands), "")
    if package in call.device.installed:
        del call.device.installed[package]
        call.device.end_helper(package)
        call.print("Success\n")
    elif package in list_packages(call):
        raise CommandError("Failure [DELETE_FAILED_USER_RESTRICTED]")
    else:
        raise CommandError("Failure [DELETE_FAILED_INTERNAL_ERROR]")


SUBCOMMANDS: dict[str, Callable[[DeviceCall], Awaitable[None] | None]] = {
    "clear": _clear,
    "disable": _enable,
    "disable-user": _enable,
    "dump": _dump,
    "enable": _enable,
    "get-install-location": lambda call: call.print("0[auto]\n"),
    "grant": _grant,
    "install": _install,
    "install-abandon": _do_nothing,
    "install-commit": _commit_session,
    "install-create": _create_session,
    "install-write": _write_session,
    "list": _list,
    "path": _print_path,
    "query-activities": _query,
    "resolve-activity": _resolve,
    "revoke": _grant,
    "set-install-location": _do_nothing,
    "trim-caches": _do_nothing,
    "uninstall": _uninstall,
}
"""Subcommand -> implementation."""
