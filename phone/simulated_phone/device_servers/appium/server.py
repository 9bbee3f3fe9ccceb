"""HTTP front end of Appium's uiautomator2 server: paths, the session, and errors as the protocol has them."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from simulated_phone.device_servers.appium import device_facts
from simulated_phone.device_servers.appium.webdriver_errors import (
    WebDriverError,
    invalid_argument,
    unknown_command,
)
from simulated_phone.device_servers.appium.webdriver_session import Command, WebDriverSession
from simulated_phone.device_servers.http_server import HttpRequest, read_request, write_response
from simulated_phone.machine.faults import MOVING_SCREEN, NO_INPUT_INJECTION
from simulated_phone.phone_errors import PhoneError, TreeUnavailableError

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

PORT = 6790
"""Port of the phone on which the server listens."""

_MAX_IDLE_MS = 60_000
_INJECTS = re.compile(
    r"actions|back|keys|alert/\w+|element/[^/]+/(click|clear|value)"
    r"|(appium/)?gestures/\w+|appium/device/(long_)?press_keycode"
)
_NEEDS_TREE = ("source", "element", "elements")


class AppiumServer:
    """The server, with at most one session.

    Args:
        device: The phone's shared state.
        version: The server's version, as installed.
        end: Ends the server; called when its session is deleted.
    """

    def __init__(self, device: DeviceState, version: str, end: Callable[[], None]) -> None:
        self._device = device
        self._version = version
        self._end = end
        self._session: WebDriverSession | None = None

    async def serve(self, stream: Stream) -> None:
        """Answer the single request of a connection."""
        request = await read_request(stream)
        status, record = await self.answer(request)
        await write_response(stream, json.dumps(record).encode(), status=status)

    async def answer(self, request: HttpRequest) -> tuple[int, dict[str, Any]]:
        """Status and JSON of a request's response."""
        # paths may have a prefix, such as Appium's old /wd/hub
        path = request.path.partition("?")[0].removeprefix("/wd/hub").strip("/")
        parts = [unquote(part) for part in path.split("/")]
        status, session = 200, parts[1] if parts[0] == "session" and len(parts) > 1 else None
        try:
            value = await self._value(request, parts)
        except WebDriverError as error:
            status, value = error.status, _error(error)
        except TreeUnavailableError as error:
            status, value = 500, _error(WebDriverError(f"the screen gives no tree: {error}"))
        except (PhoneError, LookupError, TypeError, ValueError) as error:
            status, value = 400, _error(invalid_argument(f"{type(error).__name__}: {error}"))
        if isinstance(value, Mapping) and "sessionId" in value:
            session = value["sessionId"]
        return status, {"sessionId": session or "None", "value": value}

    async def _value(self, request: HttpRequest, parts: list[str]) -> object:
        body = request.json()
        if not isinstance(body, Mapping):
            raise invalid_argument("expected a JSON object")
        match request.method, parts:
            case "GET", ["status"]:
                build = {"version": self._version, "versionCode": 1}
                return {"ready": True, "message": "the simulated phone answers", "build": build}
            case "GET", ["appium", "device", "apps"]:
                return device_facts.apps(self._device.phone)
            case "GET", ["sessions"]:
                return [{"id": self._session.identifier}] if self._session else []
            case "POST", ["session"]:
                return self._create(body)
            case _, ["session", identifier, *rest]:
                return await self._run(request, self._find_known(identifier), rest, body)
        raise unknown_command(f"the simulated phone does not answer {request.method} /{'/'.join(parts)}")

    def _create(self, body: Mapping[str, Any]) -> dict[str, Any]:
        capabilities = body.get("capabilities")
        if not isinstance(capabilities, Mapping):
            raise WebDriverError("expected capabilities", "session not created")
        first = capabilities.get("firstMatch") or [{}]
        merged = {**(capabilities.get("alwaysMatch") or {}), **first[0]}
        self._session = WebDriverSession(self._device, str(uuid.uuid4()), merged)
        return {"sessionId": self._session.identifier, "capabilities": merged}

    def _find_known(self, identifier: str) -> WebDriverSession:
        if self._session is None or self._session.identifier != identifier:
            raise WebDriverError(f"session {identifier} is not known", "invalid session id", 404)
        return self._session

    async def _run(
        self, request: HttpRequest, session: WebDriverSession, rest: list[str], body: Mapping[str, Any]
    ) -> object:
        if request.method == "DELETE" and not rest:
            self._session = None
            # after the response is sent
            asyncio.get_running_loop().call_soon(self._end)
            return None
        command, arguments = _find(session.commands, request.method, rest)
        if request.method == "POST" and _INJECTS.fullmatch("/".join(rest)):
            self._device.touch()
            if NO_INPUT_INJECTION in self._device.phone.faults:
                raise WebDriverError("injecting input events requires the permission INJECT_EVENTS")
        if rest and rest[0] in _NEEDS_TREE:
            await self._wait_for_idle(session)
        return command(body, *arguments)

    async def _wait_for_idle(self, session: WebDriverSession) -> None:
        """Wait as long as the session's setting says while the screen moves, and go on."""
        phone = self._device.phone
        ms = session.settings["waitForIdleTimeout"]
        if MOVING_SCREEN in phone.faults and phone.foreground[0] != phone.launcher.package:
            await asyncio.sleep(min(max(float(ms), 0), _MAX_IDLE_MS) / 1000)


def _find(
    commands: Mapping[tuple[str, str], Command], method: str, rest: list[str]
) -> tuple[Command, list[str]]:
    """The command of a path, and the parts that stand for its names; a plain path is preferred."""
    plain = commands.get((method, "/".join(rest)))
    if plain is not None:
        return plain, []
    for (one, pattern), command in commands.items():
        names = pattern.split("/")
        pairs = list(zip(names, rest, strict=False))
        if one == method and len(names) == len(rest) and all(a[:1] == ":" or a == b for a, b in pairs):
            return command, [b for a, b in pairs if a[:1] == ":"]
    raise unknown_command(f"the simulated phone does not answer {method} /{'/'.join(rest)}")


def _error(error: WebDriverError) -> dict[str, str]:
    return {"error": error.error, "message": str(error), "stacktrace": ""}
