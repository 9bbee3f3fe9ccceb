"""DroidBot's app: the screen's elements, sent to the host after each change while its service is enabled.

A message is six bytes (two that hosts ignore and the length, big-endian) and text: `AccEvent >>> ` with JSON.
"""

from __future__ import annotations

import asyncio
import json
import struct
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, fromstring

from simulated_phone.adb.helper_apps import HELPER_APPS
from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import bounds_of
from simulated_phone.phone_errors import TreeUnavailableError

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

DROIDBOT = "io.github.ylimit.droidbotapp"
"""Package of DroidBot's app."""

DROIDBOT_PORT = 7336
"""Port on which it listens."""

POLL_SECONDS = 0.1
"""Interval at which a connection looks for a changed screen, seconds."""

_EVENT = "AccEvent >>> "
_EDITABLE = "android.widget.EditText"
_FLAGS = ("checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "selected")


def is_listening(device: DeviceState) -> bool:
    """Whether the app is installed and its accessibility service enabled."""
    enabled = device.phone.settings["secure"].get("enabled_accessibility_services", "").split(":")
    return DROIDBOT in device.installed and HELPER_APPS[DROIDBOT].accessibility in enabled


async def send_events(device: DeviceState, stream: Stream) -> None:
    """Send the elements now and after each change, until the host disconnects."""
    shown: object = None
    while not stream.closed:
        screen = device.phone.screen()
        if screen is not shown:
            shown = screen
            await stream.write(_pack_message(device))
        await asyncio.sleep(POLL_SECONDS)


def _pack_message(device: DeviceState) -> bytes:
    try:
        windows = list(fromstring(device.phone.tree()))  # noqa: S314 - the phone's own tree
    except TreeUnavailableError:
        windows = []
    # the window of the app is the first one
    body = json.dumps({"root_node": _describe_view(windows[0]) if windows else None}, ensure_ascii=False)
    text = f"{_EVENT}{body}".encode()
    return struct.pack(">BBI", 1, 0, len(text)) + text


def _describe_view(node: Element) -> dict[str, Any]:
    children = list(node)
    return {
        "class": node.get("class"),
        "package": node.get("package"),
        "resource_id": node.get("resource-id") or None,
        "text": node.get("text") or None,
        "content_description": node.get("content-desc") or None,
        "bounds": list(bounds_of(node.get("bounds", ""))),
        "visible": True,
        "editable": node.get("class") == _EDITABLE,
        "is_password": node.get("password") == "true",
        "long_clickable": node.get("long-clickable") == "true",
        **{name: node.get(name) == "true" for name in _FLAGS},
        "child_count": len(children),
        "children": [_describe_view(child) for child in children],
    }
