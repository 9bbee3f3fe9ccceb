"""Checks of a phone for track 2, with a fix for each problem."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_client import DEADLINE, AdbClient, find_adb
from execution_runner.devices.adb_keyboard import ADB_KEYBOARD, read_enabled_keyboards
from execution_runner.devices.held_settings import restore_left_settings
from execution_runner.devices.screenshots import is_black, read_png_size
from execution_runner.devices.window_state import read_window_state
from fingertip_dataset.errors import (
    ConnectionDroppedError,
    DeviceError,
    DeviceLockedError,
    DeviceNotFoundError,
    DeviceOfflineError,
    DeviceUnauthorizedError,
    InputRefusedError,
    NoTreeError,
    SeveralDevicesError,
    TruncatedScreenshotError,
)
from fingertip_dataset.missing_packages import write_install

_CONNECT = {
    DeviceNotFoundError: (
        "On the phone: Settings > About phone, tap the build number seven times; then Settings > Developer "
        "options > USB debugging on. Plug in a cable that carries data, and choose file transfer if asked. "
        "Without a cable: Developer options > Wireless debugging, `adb pair HOST:PORT` with the code "
        "that it shows, then --device HOST:PORT with the other port that it shows."
    ),
    SeveralDevicesError: "Name one of them: --device SERIAL.",
    DeviceUnauthorizedError: (
        "Unlock the phone and accept the dialog 'Allow USB debugging?', with 'Always allow from this "
        "computer'. If no dialog comes: Developer options > Revoke USB debugging authorizations, and plug it "
        "in again."
    ),
    DeviceOfflineError: "Unplug the phone and plug it in again; if that does not help, restart it.",
}
_CONNECT_WIRELESS = {
    DeviceNotFoundError: (
        "`adb connect {0}` connects it once the phone and this computer are on one network and Developer "
        "options > Wireless debugging is on, which shows the address; its port changes with each start. "
        "Before the first time: `adb pair HOST:PORT` with the code that the phone shows. A phone on a cable: "
        "`adb tcpip 5555` first, then port 5555."
    ),
    DeviceOfflineError: "`adb disconnect {0}`, then `adb connect {0}`; if that does not help, restart it.",
}
"""Fixes of a phone at an address, which is filled in, where they differ from `_CONNECT`."""

_SWITCHES = {
    ("xiaomi", "redmi", "poco", "blackshark"): "'USB debugging (Security settings)', which wants a SIM and a "
    "Mi account, and restart the phone",
    ("oppo", "realme", "oneplus"): "'Disable permission monitoring' (禁止权限监控)",
    ("vivo", "iqoo"): "'USB security permissions' (USB 安全权限)",
    ("huawei", "honor"): "'Allow ADB debugging in charge only mode'",
}
_IPV4 = re.compile(r"\d{1,3}(\.\d{1,3}){3}")
_APK = "https://github.com/senzhk/ADBKeyBoard"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCheck:
    """The result of one check.

    Attributes:
        name: Name of the check.
        ok: Whether the check passed.
        found: Finding, in words.
        mend: How to fix the problem; "" if the check passed.
    """

    name: str
    ok: bool
    found: str
    mend: str = ""


_Finding = tuple[str, str]
"""The finding of a check, in words, and how to fix the problem; "" if the check passed."""


def examine(
    serial: str | None = None,
    apps: Sequence[str] = (),
    *,
    adb: Path | None = None,
    server_port: int | None = None,
) -> Iterator[DeviceCheck]:
    """Runs the checks of a phone in order; ends early if later checks cannot run.

    Turns the display on, dismisses a lock screen without a secret, and restores settings that a killed run
    left changed. Changes nothing else.

    Args:
        serial: As `adb devices` lists it; None for the only phone.
        apps: Packages that must be installed.
        adb: The program; None for `find_adb()`.
        server_port: TCP port of the adb server; None for the default.
    """
    try:
        program = adb or find_adb()
        yield _make_check("adb", _read_version(program))
    except DeviceError as error:
        yield _make_check("adb", error.message, f"Install adb, or: {write_install('adbutils', 'phone')}.")
        return
    try:
        device = AdbDevice(AdbClient.find(serial, adb=program, server_port=server_port))
        yield _make_check("phone", _read_model(device.client))
    except DeviceError as error:
        mend = _connect_fix(serial, error, "Unplug the phone, plug it in again, and try `adb devices`.")
        yield _make_check("phone", error.message, mend)
        return
    try:
        if restore_left_settings(device.client):
            yield _make_check("settings", "restored: a run was killed and had changed them")
    except DeviceError as error:
        yield _make_check("settings", error.message, "Run this check again.")
    for name, work in (
        ("input", _check_input), ("lock", _check_lock), ("screenshot", _check_screenshot),
        ("tree", _check_tree), ("keyboard", _check_keyboard), ("wireless", _check_wireless),
    ):  # fmt: skip
        yield _check(name, work, device)
    for package in apps:
        yield _check(f"app {package}", partial(_check_app, package), device)


def _make_check(name: str, found: str, mend: str = "") -> DeviceCheck:
    return DeviceCheck(name=name, ok=not mend, found=found, mend=mend)


def _connect_fix(serial: str | None, error: DeviceError, other: str) -> str:
    """How a phone is connected; `other` for an error of another kind."""
    if serial is not None and _IPV4.fullmatch(serial):
        serial += ":PORT"
    if serial is not None and ":" in serial and type(error) in _CONNECT_WIRELESS:
        return _CONNECT_WIRELESS[type(error)].format(serial)
    return _CONNECT.get(type(error), other)


def _check(name: str, work: Callable[[AdbDevice], _Finding], device: AdbDevice) -> DeviceCheck:
    """Runs a check, again if the connection drops; any other error of the phone is a failed check as well."""
    try:
        try:
            return _make_check(name, *work(device))
        except ConnectionDroppedError:
            device.client.wait_until_ready()
            return _make_check(name, *work(device))
    except DeviceError as error:
        serial = device.client.serial
        mend = _connect_fix(serial, error, "Try again; if the problem remains, restart the phone.")
        return _make_check(name, error.message, mend)


def _read_version(adb: Path) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - a list of words, no shell
            [adb, "version"], capture_output=True, timeout=DEADLINE, check=True, text=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise DeviceError(f"{adb} did not print its version: {type(error).__name__}") from None
    return f"{' '.join(done.stdout.partition('Installed')[0].split())} at {adb}".strip()


def _read_model(client: AdbClient) -> str:
    names = ("ro.product.manufacturer", "ro.product.model", "ro.build.version.release")
    maker, model, version = (client.read("getprop", name).strip() or "unknown" for name in names)
    return f"{client.serial}: {maker} {model}, Android {version}"


def _check_input(device: AdbDevice) -> _Finding:
    try:
        # an injected key needs the permission; this one does nothing
        device.client.shell("input", "keyevent", "KEYCODE_UNKNOWN")
    except InputRefusedError:
        brand = device.client.read("getprop", "ro.product.brand").strip().casefold()
        switch = next(
            (text for brands, text in _SWITCHES.items() if brand in brands),
            "the setting for input by a computer: 'USB debugging (Security settings)' or similar",
        )
        mend = f"On the phone: Settings > Developer options, switch on {switch}."
        return "the phone refuses touches from a computer", mend
    return "touches and keys are accepted", ""


def _check_lock(device: AdbDevice) -> _Finding:
    try:
        power = _read_service(device.client, "power", "mWakefulness=")
        window = _read_service(device.client, "window", "mCurrentFocus=")
        if read_window_state(window).locked or "mWakefulness=Awake" not in power:
            device.wake()
    except DeviceLockedError:
        mend = (
            "Unlock the phone by hand before each run, or switch its screen lock off: no PIN is ever typed."
        )
        return "the screen is locked with a secret", mend
    except InputRefusedError:
        mend = "Fix the input first; until then wake and unlock the phone by hand."
        return "the phone cannot be woken", mend
    return "awake, and not locked", ""


def _read_service(client: AdbClient, name: str, sign: str) -> str:
    """Return a description of the phone's own: one without the sign is no answer, and no fact."""
    output = client.read("dumpsys", name)
    if sign not in output:
        raise DeviceError(f"{client.serial} did not describe its {name}, but said {output.strip()[:80]!r}")
    return output


def _check_screenshot(device: AdbDevice) -> _Finding:
    try:
        png = device.screenshot()
    except TruncatedScreenshotError as error:
        mend = "Use another cable or port; over Wi-Fi, move closer or use a cable."
        return error.message, mend
    width, height = read_png_size(png)
    found = f"{width}x{height}, {'landscape' if width > height else 'upright'}"
    if is_black(png):
        mend = (
            "Switch the display on, and leave the app in front if it forbids screenshots. A foldable may "
            "show its other display: open it."
        )
        return f"{found}, entirely black", mend
    if width > height:
        mend = "Hold the phone upright and switch its automatic rotation off: the data are of upright phones."
        return found, mend
    return found, ""


def _check_tree(device: AdbDevice) -> _Finding:
    try:
        xml = device.dump()
    except NoTreeError as error:
        mend = (
            "Open a page without animations, end other test tools on the phone, or restart it. Without a "
            "tree a run continues with screenshots alone, and every touch needs consent. --device "
            "uiautomator2:SERIAL with pip install uiautomator2 often has a tree if plain adb has none."
        )
        return error.message, mend
    return f"{xml.count('<node')} elements", ""


def _check_keyboard(device: AdbDevice) -> _Finding:
    package = ADB_KEYBOARD.partition("/")[0]
    if ADB_KEYBOARD in read_enabled_keyboards(device.client):
        return "ADBKeyBoard is installed and switched on", ""
    if package not in device.client.list_apps():
        mend = (
            f"Chinese text needs it: take the APK from {_APK}, `adb install` it, then `adb shell ime enable "
            f"{ADB_KEYBOARD}`. Your own keyboard is restored after each text. Or use --device "
            "uiautomator2:SERIAL."
        )
        return "ADBKeyBoard is not installed", mend
    mend = (
        f"`adb shell ime enable {ADB_KEYBOARD}`; on phones that refuse that (OPPO): Settings > Additional "
        "settings > Keyboard & input method, switch on ADB Keyboard."
    )
    return "ADBKeyBoard is installed, but not switched on", mend


def _check_wireless(device: AdbDevice) -> _Finding:
    if not device.client.wireless:
        return "no: by cable, which is most reliable", ""
    return "yes: keep the phone near, and its battery charged", ""


def _check_app(package: str, device: AdbDevice) -> _Finding:
    if package in device.client.list_apps():
        return "installed", ""
    mend = "Install it on the phone from its store, open it once, and sign in: no task does that."
    return "not installed", mend
