"""DroidRun's portal: the state of the phone, as its content provider and its HTTP server give it.

Answers have the form of the portal's versions 0.4 to 0.7: `{"status": "success", "result": ...}`.
"""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, fromstring

from simulated_phone.adb.helper_apps import HELPER_APPS
from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import bounds_of
from simulated_phone.screens.tree import ALL_WINDOWS

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState

AUTHORITIES = ("com.droidrun.portal", "com.mobilerun.portal")
"""Packages of the portal, and authorities of its provider."""

_WITHOUT_SERVICE = ("auth_token", "version")
_EDITABLE = "android.widget.EditText"
_FLAGS = (
    "clickable",
    "focusable",
    "focused",
    "selected",
    "checkable",
    "checked",
    "enabled",
    "scrollable",
    "password",
)


Record = dict[str, Any]
"""Answer of the portal: "status", and "result" or "error"."""


def query(device: DeviceState, path: str) -> Record:
    """Answer a query of the portal's content provider.

    Args:
        device: The phone's shared state.
        path: Path of the URI, such as "state_full".
    """
    name = path.partition("?")[0].strip("/")
    run = QUERIES.get(name)
    if run is None:
        return failure(f"Unknown endpoint: /{name}")
    if name not in _WITHOUT_SERVICE and not is_enabled(device):
        return failure("Accessibility service not available")
    try:
        return success(run(device))
    except PermissionError as error:
        return failure(str(error))


def success(result: object) -> Record:
    """The answer to what succeeded."""
    return {"status": "success", "result": result}


def failure(error: str) -> Record:
    """The answer to what failed."""
    return {"status": "error", "error": error}


def json_text(value: object) -> str:
    """JSON without spaces, as the portal writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def auth_token(device: DeviceState) -> str:
    """The token that the portal's HTTP server asks for, a function of the phone."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"portal of {device.phone.serial}"))


def is_enabled(device: DeviceState) -> bool:
    """Whether an installed portal's accessibility service is switched on."""
    on = device.phone.settings["secure"].get("enabled_accessibility_services", "").split(":")
    services = (device.installed[one].accessibility for one in AUTHORITIES if one in device.installed)
    return any(service in on for service in services)


def _version(device: DeviceState) -> str:
    versions = [device.installed[one].version for one in AUTHORITIES if one in device.installed]
    return versions[0] if versions else ""


def _clipboard(device: DeviceState) -> str:
    keyboards = {name for one in AUTHORITIES for name in HELPER_APPS[one].keyboards}
    if not device.clipboard or device.phone.current_ime not in keyboards:
        raise PermissionError("Clipboard is empty or access was denied")
    return device.clipboard


def _tree(device: DeviceState) -> Element:
    return fromstring(device.phone.tree(ALL_WINDOWS))  # noqa: S314 - the phone's own tree


def _box(node: Element) -> dict[str, int]:
    return dict(zip(("left", "top", "right", "bottom"), bounds_of(node.get("bounds", "")), strict=True))


def _describe_tree(device: DeviceState) -> dict[str, Any]:
    roots = [_describe_node(node) for node in _tree(device)]
    # the window of the app is the first one
    return roots[0] if roots else {}


def _describe_node(node: Element) -> dict[str, Any]:
    flags = {f"is{name.capitalize()}": node.get(name) == "true" for name in _FLAGS}
    return {
        "resourceId": node.get("resource-id", ""),
        "className": node.get("class", ""),
        "packageName": node.get("package", ""),
        "text": node.get("text", ""),
        "contentDescription": node.get("content-desc", ""),
        "hint": "",
        "boundsInScreen": _box(node),
        **flags,
        "isLongClickable": node.get("long-clickable") == "true",
        "isEditable": node.get("class") == _EDITABLE,
        "isVisibleToUser": True,
        "childCount": len(node),
        "children": [_describe_node(child) for child in node],
    }


def _list_elements(device: DeviceState) -> list[dict[str, Any]]:
    """The elements with text or an action, numbered from 1, without nesting."""
    found: list[dict[str, Any]] = []
    for node in _tree(device).iter("node"):
        text = node.get("text") or node.get("content-desc") or ""
        if text or node.get("clickable") == "true":
            box = _box(node)
            found.append(
                {
                    "index": len(found) + 1,
                    "resourceId": node.get("resource-id", ""),
                    "className": node.get("class", "").rpartition(".")[2],
                    "text": text or node.get("class", "").rpartition(".")[2],
                    "bounds": f"{box['left']}, {box['top']}, {box['right']}, {box['bottom']}",
                    "children": [],
                }
            )
    return found


def _describe_state(device: DeviceState) -> dict[str, Any]:
    package, activity = device.phone.foreground
    app = device.phone.apps.get(package)
    focus = device.phone.shown().focus
    return {
        "currentApp": app.label if app else package,
        "packageName": package,
        "activityName": activity,
        "keyboardVisible": focus is not None,
        "isEditable": focus is not None,
        "focusedElement": {
            "text": focus.text if focus else "",
            "className": _EDITABLE if focus else "",
            "resourceId": "",
        },
    }


def _describe_device(device: DeviceState) -> dict[str, Any]:
    width, height = device.phone.size
    return {
        "screen_bounds": {"width": width, "height": height},
        "screen_size": {"width": width, "height": height},
        "filtering_params": {"min_element_size": 5, "overlay_offset": 0},
        "display_metrics": {
            "density": device.phone.density / 160,
            "densityDpi": device.phone.density,
            "scaledDensity": device.phone.density / 160,
            "widthPixels": width,
            "heightPixels": height,
        },
    }


def _packages(device: DeviceState) -> list[dict[str, Any]]:
    return [
        {
            "packageName": app.package,
            "label": app.label,
            "versionName": "1.0.0",
            "versionCode": 1,
            "isSystemApp": app.package.startswith("com.android."),
        }
        for app in device.phone.apps.values()
    ]


QUERIES: Mapping[str, Callable[[DeviceState], Any]] = MappingProxyType(
    {
        "a11y_tree": lambda device: json_text(_list_elements(device)),
        "a11y_tree_full": lambda device: json_text(_describe_tree(device)),
        "auth_token": auth_token,
        "clipboard/get": _clipboard,
        "packages": _packages,
        "phone_state": lambda device: json_text(_describe_state(device)),
        "ping": lambda _: "pong",
        "screenshot": lambda device: base64.b64encode(device.phone.screenshot_png()).decode(),
        "state": lambda device: json_text(
            {"a11y_tree": _list_elements(device), "phone_state": _describe_state(device)}
        ),
        "state_full": lambda device: {
            "a11y_tree": _describe_tree(device),
            "phone_state": _describe_state(device),
            "device_context": _describe_device(device),
        },
        "version": _version,
    }
)
"""Path of a query -> what it gives."""
