"""Installed packages, and what `dumpsys package` and `pm dump` say about one."""

from __future__ import annotations

from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.processes import uid_of
from simulated_phone.adb.commands.properties import SDK

_INSTALLED = "2025-01-01 08:00:00"


def list_packages(call: DeviceCall) -> list[str]:
    """All installed packages, sorted: apps, keyboards and helper apps."""
    keyboards = (name.partition("/")[0] for name in call.phone.imes)
    return sorted({*call.phone.packages(), *keyboards, *call.device.installed})


def find_version(call: DeviceCall, package: str) -> tuple[str, int]:
    """Name and code of an installed package's version."""
    helper = call.device.installed.get(package)
    return (helper.version, helper.version_code) if helper else ("1.0.0", 1)


def find_path(package: str) -> str:
    """Return the path of a package's APK."""
    return f"/data/app/{package}/base.apk"


def is_system(call: DeviceCall, package: str) -> bool:
    """Whether a package came with the phone."""
    return package.startswith(("com.android.", "android")) and package not in call.device.installed


def print_package(call: DeviceCall, package: str) -> None:
    """Print a package's record."""
    if package not in list_packages(call):
        call.print(f"Unable to find package: {package}\n")
        return
    version, code = find_version(call, package)
    activity = call.phone.activity_of(package)
    if activity:
        call.print(
            "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n"
            f"        5c0ffee {package}/{activity} filter 5c0ffed\n"
            '          Action: "android.intent.action.MAIN"\n'
            '          Category: "android.intent.category.LAUNCHER"\n\n'
        )
    call.print(
        f"Packages:\n  Package [{package}] (5c0ffee):\n    userId={uid_of(package)}\n"
        f"    codePath=/data/app/{package}\n"
        f"    versionCode={code} minSdk=21 targetSdk={SDK}\n"
        f"    versionName={version}\n    flags=[ HAS_CODE ]\n    pkgFlags=[ HAS_CODE ]\n"
        f"    firstInstallTime={_INSTALLED}\n    lastUpdateTime={_INSTALLED}\n"
        "    User 0: ceDataInode=1 installed=true hidden=false suspended=false stopped=false enabled=0\n"
    )
    if activity:
        call.print(f"    {package}/{activity}\n")
