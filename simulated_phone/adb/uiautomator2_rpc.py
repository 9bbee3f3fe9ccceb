"""JSON-RPC methods of uiautomator2's server, implemented on the simulated phone."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.commands.input import LONG_PRESS_MS
from simulated_phone.adb.commands.keycodes import key_name
from simulated_phone.adb.commands.properties import SDK
from simulated_phone.adb.uiautomator2_selector import SelectedNode, find
from simulated_phone.phone_errors import TreeUnavailableError

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

STEP_MS = 5
"""Duration of one step of a swipe, as in UiDevice."""

NO_METHOD, NO_OBJECT = -32601, -32002
"""Error codes: unknown method, object not on the screen."""

_KEYS = {"recent": "APP_SWITCH", "delete": "DEL", "center": "DPAD_CENTER"}
_DOWN, _UP = 0, 1
_POLL_SECONDS = 0.1


class CallError(Exception):
    """A failed call; `code` is the JSON-RPC error code."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class Uiautomator2Calls:
    """Implementation of the methods.

    Args:
        phone: The phone.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._clipboard = ""
        self._finger: list[tuple[int, int]] = []
        self._calls: Mapping[str, Callable[..., Any]] = {
            "clearInputText": self._clear,
            "clearTextField": lambda selector: self._set_text(selector, ""),
            "click": self._click,
            "count": lambda selector: len(self._find(selector)),
            "deviceInfo": self._device_info,
            "drag": self._swipe,
            "dumpWindowHierarchy": self._dump,
            "exist": lambda selector: bool(self._find(selector)),
            "getClipboard": lambda: self._clipboard,
            "getText": lambda selector: self._one(selector).text,
            "injectInputEvent": self._inject,
            "objInfo": lambda selector: self._one(selector).info(),
            "objInfoOfAllInstances": lambda selector: [found.info() for found in self._find(selector)],
            "pasteClipboard": lambda: self._phone.type_text(self._clipboard),
            "pressKey": self._press,
            "pressKeyCode": lambda code, *_: self._press(str(code)),
            "setClipboard": self._copy,
            "setText": self._set_text,
            "sleep": lambda: self._press("SLEEP"),
            "swipe": self._swipe,
            "swipePoints": self._swipe_points,
            "takeScreenshot": self._screenshot,
            "wakeUp": lambda: self._press("WAKEUP"),
        }

    async def call(self, method: str, params: list[Any]) -> Any:  # noqa: ANN401 - JSON
        """Call one method.

        Args:
            method: Name of the method.
            params: JSON values.

        Returns:
            A JSON value.

        Raises:
            CallError: The method is unknown, or the object is not on the screen.
        """
        if method in ("waitForExists", "waitUntilGone"):
            return await self._wait(*params, exists=method == "waitForExists")
        if method not in self._calls:
            raise CallError(f"the simulated phone does not answer {method}", NO_METHOD)
        # a table, not getattr: a caller cannot reach other attributes
        return self._calls[method](*params)

    async def _wait(self, selector: Mapping[str, Any], ms: int, *, exists: bool) -> bool:
        for _ in range(max(1, int(ms / 1000 / _POLL_SECONDS))):
            if bool(self._find(selector)) == exists:
                return True
            await asyncio.sleep(_POLL_SECONDS)
        return bool(self._find(selector)) == exists

    def _find(self, selector: Mapping[str, Any]) -> list[SelectedNode]:
        try:
            return find(self._phone.tree("uiautomator"), selector)
        except TreeUnavailableError:
            return []

    def _one(self, selector: Mapping[str, Any]) -> SelectedNode:
        found = self._find(selector)
        if not found:
            raise CallError("androidx.test.uiautomator.UiObjectNotFoundException", NO_OBJECT)
        return found[0]

    def _device_info(self) -> dict[str, Any]:
        width, height = self._phone.size
        return {
            "currentPackageName": self._phone.foreground[0],
            "displayHeight": height,
            "displayRotation": self._phone.rotation,
            "displayWidth": width,
            "productName": "phone",
            "screenOn": self._phone.screen_on,
            "sdkInt": SDK,
        }

    def _dump(self, *_options: object) -> str:
        return self._phone.tree("uiautomator")

    def _screenshot(self, _scale: float = 1, quality: int = 80) -> str:
        data = io.BytesIO()
        self._phone.screenshot().save(data, "JPEG", quality=quality)
        return base64.b64encode(data.getvalue()).decode()

    def _click(self, x: float, y: float, ms: int = 0) -> bool:
        if ms >= LONG_PRESS_MS:
            self._phone.long_press(round(x), round(y), ms)
        else:
            self._phone.tap(round(x), round(y))
        return True

    def _swipe(self, x1: float, y1: float, x2: float, y2: float, steps: int = 55) -> bool:
        self._phone.swipe(round(x1), round(y1), round(x2), round(y2), max(1, steps) * STEP_MS)
        return True

    def _swipe_points(self, numbers: list[float], steps: int) -> bool:
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        for (x1, y1), (x2, y2) in pairwise(points):
            self._swipe(x1, y1, x2, y2, steps)
        return True

    def _inject(self, action: int, x: float, y: float, *_meta: object) -> bool:
        if action == _DOWN:
            self._finger = []
        self._finger.append((round(x), round(y)))
        if action == _UP:
            (x1, y1), (x2, y2) = self._finger[0], self._finger[-1]
            if (x1, y1) == (x2, y2):
                self._phone.tap(x1, y1)
            else:
                self._phone.swipe(x1, y1, x2, y2)
        return True

    def _press(self, key: str) -> bool:
        self._phone.press_key(key_name(_KEYS.get(key, key)))
        return True

    def _copy(self, _label: str | None, text: str) -> None:
        self._clipboard = text

    def _clear(self) -> None:
        self._phone.edit(lambda _: "")

    def _set_text(self, selector: Mapping[str, Any], text: str) -> bool:
        self._phone.tap(*self._one(selector).centre)
        self._phone.edit(lambda _: "")
        self._phone.type_text(text)
        return True
