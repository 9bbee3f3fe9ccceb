"""DroidRun's portal: its HTTP server, which `content insert .../toggle_socket_server` starts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from simulated_phone.device_servers.http_server import HttpRequest, read_request, write_response
from simulated_phone.device_servers.portal.portal import (
    Record,
    auth_token,
    failure,
    is_enabled,
    json_text,
    query,
    success,
)
from simulated_phone.device_servers.portal.portal_actions import act, flag, whole_number
from simulated_phone.phone_errors import PhoneError

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

PORT = 8080
"""Port of the phone on which the server listens, unless another is set."""

_BEARER = "Bearer "


def switch_server(device: DeviceState, package: str, values: Mapping[str, Any]) -> Record:
    """Start or stop the server, as the values `enabled` and `port` say.

    Args:
        device: The phone's shared state.
        package: Package of the portal, with which the server ends.
        values: The bound values.
    """
    port, on = whole_number(values, "port", PORT), flag(values, "enabled", True)
    if not 1024 <= port <= 65535:
        return failure(f"Invalid port: {port}")
    device.end_helper(package)
    if on:
        if port in device.listeners:
            return failure(f"Port {port} is in use")
        device.listeners[port] = partial(_serve, device)
        device.helpers[package] = lambda: _forget(device, port)
    return success(f"HTTP server {'enabled' if on else 'disabled'} on port {port}")


def _forget(device: DeviceState, port: int) -> None:
    device.listeners.pop(port, None)


async def _serve(device: DeviceState, stream: Stream) -> None:
    """Answer the single request of a connection."""
    request = await read_request(stream)
    path = request.path.partition("?")[0]
    sent = request.headers.get("authorization", "").removeprefix(_BEARER).strip()
    if path != "/ping" and sent != auth_token(device):
        await write_response(stream, json_text(failure("Unauthorized")).encode(), status=401)
    elif request.method == "GET" and path == "/screenshot" and is_enabled(device):
        await write_response(stream, device.phone.screenshot_png(), kind="image/png")
    else:
        await write_response(stream, json_text(_answer(device, request, path)).encode())


def _answer(device: DeviceState, request: HttpRequest, path: str) -> Record:
    try:
        if request.method == "GET":
            return query(device, request.path)
        if request.method == "POST":
            return act(device, path, _values(request))
    except (PhoneError, ValueError) as error:
        return failure(f"Internal server error: {error}")
    return failure(f"Method not allowed: {request.method}")


def _values(request: HttpRequest) -> Mapping[str, Any]:
    """The parameters, as JSON or as a form."""
    if not request.body.lstrip().startswith(b"{"):
        return dict(parse_qsl(request.body.decode("utf-8", "replace")))
    values = request.json()
    return values if isinstance(values, Mapping) else {}
