"""`pm` and `cmd package`: installed apps, helper apps, permissions."""

from __future__ import annotations

from dataclasses import replace

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.activity.intents import INTENT_OPTIONS
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.package.package_details import find_path, list_packages, print_package
from simulated_phone.adb.commands.package.package_lists import (
    LIST_OPTIONS,
    print_feature,
    print_list,
    query_activities,
    resolve_activity,
)
from simulated_phone.adb.commands.subcommand import Subcommand, take_options
from simulated_phone.adb.helper_apps import HELPER_APPS, ApkError, read_apk
from simulated_phone.machine.faults import PERMISSION

MAX_APK = 200 << 20
"""Largest size of an APK that is accepted, bytes."""


async def pm(call: DeviceCall) -> None:
    """`pm list|path|dump|clear|grant|revoke|install|uninstall|resolve-activity|...`."""
    await call.run_subcommand(SUBCOMMANDS)


def _print_path(call: DeviceCall) -> None:
    call.pop_option("--user")
    if len(call.args) > 1 and call.args[1] in list_packages(call):
        call.print(f"package:{find_path(call.args[1])}\n")
    else:
        call.code = 1


def _dump(call: DeviceCall) -> None:
    print_package(call, call.argument(1))


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
    marks, mark = call.phone.data["asked"], PERMISSION + package
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


_USER = "--user="
_INSTALL = (
    "-r -t -d -g -f -l -R -S= -i= -p= --user= --abi= --install-location= --originating-uri= --dont-kill "
    "--instant --full --bypass-low-target-sdk-block --skip-verification --no-incremental --fastdeploy"
)
_RESOLVE = f"{INTENT_OPTIONS} --user= --brief --components --query-flags="

SUBCOMMANDS: dict[str, Subcommand] = {
    "clear": take_options(_clear, _USER),
    "disable": take_options(_enable, _USER),
    "disable-user": take_options(_enable, _USER),
    "dump": take_options(_dump),
    "enable": take_options(_enable, _USER),
    "get-install-location": take_options(lambda call: call.print("0[auto]\n")),
    "get-max-users": take_options(lambda call: call.print("Maximum supported users: 4\n")),
    "grant": take_options(_grant, _USER),
    "has-feature": take_options(print_feature),
    "install": take_options(_install, _INSTALL),
    "install-abandon": take_options(_do_nothing),
    "install-commit": take_options(_commit_session),
    "install-create": take_options(_create_session, _INSTALL),
    "install-write": take_options(_write_session, "-S="),
    "list": take_options(print_list, LIST_OPTIONS),
    "path": take_options(_print_path, _USER),
    "query-activities": take_options(query_activities, _RESOLVE, java=True),
    "resolve-activity": take_options(resolve_activity, _RESOLVE, java=True),
    "revoke": take_options(_grant, _USER),
    "set-install-location": take_options(_do_nothing),
    "trim-caches": take_options(_do_nothing),
    "uninstall": take_options(_uninstall, "-k --user="),
}
"""Subcommand -> implementation."""
