"""JSON-RPC methods of uiautomator2's server, implemented on the simulated phone."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.commands.keys.keycodes import find_key_name
from simulated_phone.adb.commands.properties import SDK
from simulated_phone.adb.finger_path import LONG_PRESS_MS, FingerPath, touch_screen
from simulated_phone.device_servers.uiautomator2.uiautomator2_gestures import STEP_MS, ElementGestures
from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import SelectedNode, find
from simulated_phone.machine.faults import NO_CLIPBOARD
from simulated_phone.phone_errors import TreeUnavailableError
from simulated_phone.screens.tree import ACTIVE_WINDOW, ALL_WINDOWS
from simulated_phone.touch.fling import DRAG

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState

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
        device: The phone's shared state.
    """

    def __init__(self, device: DeviceState) -> None:
        phone = self._phone = device.phone
        self._device = device
        # how long the gesture of a call lasts, ms
        self._lasting = 0
        self._finger = FingerPath()
        self._gestures = ElementGestures(phone, self._one, lambda selector: bool(self._find(selector)))
        self._calls: Mapping[str, Callable[..., Any]] = {
            **self._gestures.calls(),
            "childByDescription": lambda *selectors: self._find_child(*selectors),
            "childByInstance": lambda *selectors: self._find_child(*selectors),
            "childByText": lambda *selectors: self._find_child(*selectors),
            "clearInputText": self._clear,
            "clearTextField": lambda selector: self._set_text(selector, ""),
            "clearLastToast": self._clear_toast,
            "clearLastTraversedText": lambda: None,
            "click": self._click,
            "count": lambda selector: len(self._find(selector)),
            "deviceInfo": self._device_info,
            "drag": self._drag,
            "dumpWindowHierarchy": self._dump,
            "exist": lambda selector: bool(self._find(selector)),
            "getClipboard": lambda: None if NO_CLIPBOARD in self._phone.faults else self._device.clipboard,
            "freezeRotation": self._freeze_rotation,
            "getLastToast": lambda: self._phone.toast or None,
            "getLastTraversedText": lambda: None,
            "getText": lambda selector: self._one(selector).text,
            "injectInputEvent": self._inject,
            "longClick": lambda selector: self._click(*self._one(selector).centre, ms=LONG_PRESS_MS + 200),
            "makeToast": lambda text, *_: self._phone.show_toast(str(text)),
            "objInfo": lambda selector: self._one(selector).info(),
            "objInfoOfAllInstances": lambda selector: [found.info() for found in self._find(selector)],
            "openNotification": self._open_panel,
            "openQuickSettings": self._open_panel,
            "pasteClipboard": lambda: self._phone.type_text(self._device.clipboard),
            "pressKey": self._press,
            "pressKeyCode": lambda code, *_: self._press(str(code)),
            "setClipboard": self._copy,
            "setOrientation": self._set_orientation,
            "setText": self._set_text,
            "sleep": lambda: self._press("SLEEP"),
            "swipe": self._swipe,
            "swipePoints": self._swipe_through,
            "takeScreenshot": self._screenshot,
            "wakeUp": lambda: self._press("WAKEUP"),
        }

    @property
    def methods(self) -> list[str]:
        """Names of the methods, sorted."""
        return sorted({*self._calls, "waitForExists", "waitUntilGone"})

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
        answer = self._calls[method](*params)
        lasting, self._lasting = self._lasting, 0
        await self._device.take_time(lasting)
        return answer

    async def _wait(self, selector: Mapping[str, Any], ms: int, *, exists: bool) -> bool:
        for _ in range(max(1, int(ms / 1000 / _POLL_SECONDS))):
            if bool(self._find(selector)) == exists:
                return True
            await asyncio.sleep(_POLL_SECONDS)
        return bool(self._find(selector)) == exists

    def _find(self, selector: Mapping[str, Any]) -> list[SelectedNode]:
        try:
            return find(self._phone.tree(ALL_WINDOWS), selector)
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

    def _dump(self, _compressed: object = None, _depth: object = None, active: object = False) -> str:
        # the third argument came with version 0.4 of the server: the root of the active window alone
        return self._phone.tree(ACTIVE_WINDOW if active else ALL_WINDOWS)

    def _screenshot(self, _scale: float = 1, quality: int = 80) -> str:
        data = io.BytesIO()
        self._phone.screenshot().save(data, "JPEG", quality=quality)
        return base64.b64encode(data.getvalue()).decode()

    def _click(self, x: Any, y: float | None = None, ms: int = 0) -> bool:  # noqa: ANN401 - JSON
        if isinstance(x, Mapping):
            x, y = self._one(x).centre
        # the parameters of the server are integers, so that a fraction is cut off
        point = int(x), int(y or 0)
        touch_screen(self._phone, point, point, ms)
        return True

    def _swipe(self, x1: Any, y1: Any, *rest: Any) -> bool:  # noqa: ANN401 - JSON
        if isinstance(x1, Mapping):
            # a selector, a direction, percent and steps; the server's own clients send points instead
            return self._gestures.swipe(x1, str(y1), *(float(number) for number in rest[:2]))
        x2, y2, steps = (*rest, 55)[:3]
        self._lasting = max(1, steps) * STEP_MS
        self._phone.swipe(int(x1), int(y1), int(x2), int(y2), self._lasting)
        return True

    def _swipe_through(self, numbers: list[float], steps: int) -> bool:
        points = [(int(x), int(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        ms = max(1, steps) * STEP_MS
        self._lasting = ms * (len(points) - 1)
        for number, (start, end) in enumerate(pairwise(points), 2):
            # the finger is lifted only at the end
            self._phone.swipe(*start, *end, ms, velocity=None if number == len(points) else DRAG)
        return True

    def _drag(self, x1: float, y1: float, x2: float, y2: float, steps: int = 55) -> bool:
        self._lasting = max(1, steps) * STEP_MS
        self._phone.swipe(int(x1), int(y1), int(x2), int(y2), self._lasting, velocity=DRAG)
        return True

    def _inject(self, action: int, x: float, y: float, *_meta: object) -> bool:
        point = round(x), round(y)
        if action == _DOWN:
            self._finger.down(*point, self._phone)
        elif action == _UP:
            self._finger.up(*point, self._phone)
        else:
            self._finger.move(*point, self._phone)
        return True

    def _open_panel(self) -> bool:
        # the phone has one panel for both, and no notifications in it
        self._phone.open_panel()
        return True

    def _clear_toast(self) -> None:
        self._phone.data["toast"] = None

    def _freeze_rotation(self, frozen: bool = True) -> None:
        self._phone.settings["system"]["accelerometer_rotation"] = "0" if frozen else "1"

    def _set_orientation(self, name: str) -> None:
        turns = {"n": "0", "l": "1", "u": "2", "r": "3"}
        if name[:1] not in turns:
            raise ValueError(f"expected natural, left, right or upsidedown, got {name!r}")
        self._freeze_rotation()
        self._phone.settings["system"]["user_rotation"] = turns[name[:1]]

    def _find_child(
        self, selector: Mapping[str, Any], inner: Mapping[str, Any], *_: object
    ) -> Mapping[str, Any]:
        steps = [*selector.get("childOrSibling", ()), "child"]
        selectors = [*selector.get("childOrSiblingSelector", ()), inner]
        joined = {**selector, "childOrSibling": steps, "childOrSiblingSelector": selectors}
        self._one(joined)
        return joined

    def _press(self, key: str) -> bool:
        self._phone.press_key(find_key_name(_KEYS.get(key, key)))
        return True

    def _copy(self, _label: str | None, text: str) -> None:
        if NO_CLIPBOARD not in self._phone.faults:
            self._device.clipboard = text

    def _clear(self) -> None:
        self._phone.edit(lambda _: "")

    def _set_text(self, selector: Mapping[str, Any], text: str) -> bool:
        self._phone.tap(*self._one(selector).centre)
        self._phone.edit(lambda _: "")
        self._phone.type_text(text)
        return True
