"""DroidRun's portal: what it does on the phone when its content provider or its HTTP server is asked to."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.commands.keys.keycodes import find_key_name
from simulated_phone.device_servers.portal.portal import Record, failure, is_enabled, query, success
from simulated_phone.machine.faults import NO_CLIPBOARD, NO_INPUT_INJECTION

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState

Values = Mapping[str, Any]

_SWIPE_MS, _MAX_SWIPE_MS = 300, 60_000
# actions of AccessibilityService
_GLOBAL_KEYS = MappingProxyType({1: "BACK", 2: "HOME", 3: "APP_SWITCH", 8: "SLEEP"})
_GLOBAL_PANELS = (4, 5)
_OVERLAY = ("overlay_offset", "overlay/offset", "overlay_visible", "overlay/set-visible")


def act(device: DeviceState, method: str, values: Values) -> Record:
    """Do what a method says.

    Args:
        device: The phone's shared state.
        method: Its name, such as "keyboard/input".
        values: Its parameters.
    """
    name = method.removeprefix("/").removeprefix("action/").removeprefix("action.").strip("/")
    run = ACTIONS.get(name)
    if run is None and name not in _OVERLAY:
        return failure(f"Unknown method: {name}")
    if not is_enabled(device):
        return failure("Accessibility service not available")
    # the phone shows no overlay
    return run(device, values) if run else success(True)


def flag(values: Values, name: str, default: bool) -> bool:
    """A truth value of the parameters, which may be a word."""
    return str(values.get(name, default)).lower() == "true"


def whole_number(values: Values, name: str, default: int) -> int:
    """A number of the parameters; one that is none is the default."""
    try:
        return round(float(values.get(name, default)))
    except (TypeError, ValueError, OverflowError):
        return default


def _decode(values: Values, name: str) -> str | None:
    try:
        return base64.b64decode(str(values.get(name, "")).strip(), validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def _type(device: DeviceState, values: Values) -> Record:
    text = _decode(values, "base64_text")
    if text is None:
        return failure("Invalid base64")
    if flag(values, "clear", True):
        device.phone.edit(lambda _: "")
    device.phone.type_text(text)
    return success(f"input done (clear={str(flag(values, 'clear', True)).lower()})")


def _clear(device: DeviceState, _values: Values) -> Record:
    device.phone.edit(lambda _: "")
    return success("Text cleared")


def _press(device: DeviceState, values: Values) -> Record:
    device.phone.press_key(find_key_name(str(whole_number(values, "key_code", 0))))
    return success("Key event sent")


def _tap(device: DeviceState, values: Values) -> Record:
    if NO_INPUT_INJECTION in device.phone.faults:
        return failure("Failed to perform tap")
    device.phone.tap(whole_number(values, "x", 0), whole_number(values, "y", 0))
    return success("Tap performed")


def _swipe_screen(device: DeviceState, values: Values) -> Record:
    if NO_INPUT_INJECTION in device.phone.faults:
        return failure("Failed to perform swipe")
    x1, y1, x2, y2 = (whole_number(values, name, 0) for name in ("startX", "startY", "endX", "endY"))
    ms = min(max(whole_number(values, "duration", _SWIPE_MS), 1), _MAX_SWIPE_MS)
    device.phone.swipe(x1, y1, x2, y2, ms)
    return success("Swipe performed")


def _press_global(device: DeviceState, values: Values) -> Record:
    action = whole_number(values, "action", 0)
    if action in _GLOBAL_PANELS:
        device.phone.open_panel()
    elif action in _GLOBAL_KEYS:
        device.phone.press_key(f"KEYCODE_{_GLOBAL_KEYS[action]}")
    else:
        return failure(f"Failed to perform global action {action}")
    return success(f"Global action {action} performed")


def _package(values: Values) -> str:
    return str(values.get("package") or values.get("packageName") or "")


def _start(device: DeviceState, values: Values) -> Record:
    package, activity = _package(values), str(values.get("activity") or "")
    if not package:
        return failure("Missing required param: 'package'")
    if flag(values, "stopBeforeLaunch", False):
        device.phone.stop(package)
    if not device.phone.start(f"{package}/{activity}" if activity else package):
        return failure(f"Could not create intent for {package}")
    return success(f"Started app {package}")


def _stop(device: DeviceState, values: Values) -> Record:
    if not _package(values):
        return failure("Missing required param: 'package'")
    device.phone.stop(_package(values))
    return success(f"Stop requested for {_package(values)}")


def _copy(device: DeviceState, values: Values) -> Record:
    text = _decode(values, "text_base64") if "text_base64" in values else str(values.get("text", ""))
    if text is None:
        return failure("Invalid base64")
    if NO_CLIPBOARD not in device.phone.faults:
        device.clipboard = text
    return success("Clipboard set")


ACTIONS: Mapping[str, Callable[[DeviceState, Values], Record]] = MappingProxyType(
    {
        "app": _start,
        "app/stop": _stop,
        "clear": _clear,
        "clipboard/get": lambda device, _: query(device, "clipboard/get"),
        "clipboard/set": _copy,
        "global": _press_global,
        "input": _type,
        "key": _press,
        "keyboard/clear": _clear,
        "keyboard/input": _type,
        "keyboard/key": _press,
        "packages": lambda device, _: query(device, "packages"),
        "screenshot": lambda device, _: query(device, "screenshot"),
        "state": lambda device, _: query(device, "state_full"),
        "swipe": _swipe_screen,
        "tap": _tap,
        "time": lambda device, _: success(round(device.phone.now.timestamp() * 1000)),
        "version": lambda device, _: query(device, "version"),
    }
)
"""Name of a method -> what it does."""
