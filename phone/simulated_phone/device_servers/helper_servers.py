"""Servers of helper apps that listen while the app's keyboard or accessibility service is on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from simulated_phone.device_servers.droidbot_app import DROIDBOT_PORT, is_listening, send_events
from simulated_phone.device_servers.http_server import read_request, write_response

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

YOSEMITE = "com.netease.nie.yosemite"
"""Package of Airtest's app."""

YOSEMITE_PORT = 8181
"""Port on which the keyboard of Airtest's app says whether it is ready."""


def find_helper_server(device: DeviceState, port: int) -> Callable[[Stream], Awaitable[None]] | None:
    """Return the server of a helper app on a port; None if nothing listens there now."""
    if port == YOSEMITE_PORT and device.phone.current_ime.startswith(f"{YOSEMITE}/"):
        return _start_input
    if port == DROIDBOT_PORT and is_listening(device):
        return partial(send_events, device)
    return None


async def _start_input(stream: Stream) -> None:
    """`GET /ime_onStartInput`: the keyboard is ready as soon as it is selected."""
    request = await read_request(stream)
    if request.path == "/ime_onStartInput":
        await write_response(stream, b"ime_onStartInput=ok", kind="text/plain")
    else:
        await write_response(stream, b"not found", status=404, kind="text/plain")
