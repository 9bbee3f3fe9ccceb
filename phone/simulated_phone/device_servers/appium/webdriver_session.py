"""The session of Appium's uiautomator2 server: its elements, settings and commands."""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lxml import etree

from simulated_phone.adb.commands.keys.keycodes import find_key_name
from simulated_phone.adb.finger_path import touch_screen
from simulated_phone.device_servers.appium import device_facts
from simulated_phone.device_servers.appium.found_elements import EDITABLE, Elements
from simulated_phone.device_servers.appium.input_actions import InputActions, element_id
from simulated_phone.device_servers.appium.locators import Locator
from simulated_phone.device_servers.appium.mobile_gestures import MobileGestures
from simulated_phone.device_servers.appium.page_source import ATTRIBUTES, page_source, source_text
from simulated_phone.device_servers.appium.webdriver_errors import (
    WebDriverError,
    invalid_argument,
    invalid_state,
    no_element,
    unknown_command,
)
from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import bounds_of
from simulated_phone.machine.faults import NO_CLIPBOARD

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState

DEFAULT_SETTINGS: Mapping[str, Any] = MappingProxyType(
    {
        "actionAcknowledgmentTimeout": 3000,
        "allowInvisibleElements": False,
        "disableIdLocatorAutocompletion": False,
        "elementResponseAttributes": "",
        "enableMultiWindows": False,
        "enableNotificationListener": True,
        "enforceXPath1": False,
        "ignoreUnimportantViews": False,
        "keyInjectionDelay": 0,
        "limitXPathContextScope": True,
        "normalizeTagNames": False,
        "scrollAcknowledgmentTimeout": 200,
        "serverPort": 6790,
        "shouldUseCompactResponses": True,
        "snapshotMaxDepth": 70,
        "waitForIdleTimeout": 10_000,
        "waitForSelectorTimeout": 10_000,
    }
)
"""Settings of a new session; only `waitForIdleTimeout` has an effect."""

_ALERT_BUTTON = re.compile(r".+:id/(permission_\w+_button|button[123])")
_ENTER = "\\n"  # the two characters
_ROTATIONS = MappingProxyType({"PORTRAIT": "0", "LANDSCAPE": "1"})

Values = Mapping[str, Any]
Command = Callable[..., Any]


class WebDriverSession:
    """A session: elements, settings, and the commands on the phone.

    Args:
        device: The phone's shared state.
        identifier: Its id.
        capabilities: What the driver asked for.
    """

    def __init__(self, device: DeviceState, identifier: str, capabilities: Values) -> None:
        self.identifier = identifier
        self.capabilities = dict(capabilities)
        self.settings: dict[str, Any] = dict(DEFAULT_SETTINGS)
        self._phone = device.phone
        self._device = device
        package = next((str(value) for key, value in capabilities.items() if key.endswith("appPackage")), "")
        self._elements = Elements(device.phone, package)
        self._gestures = MobileGestures(device.phone, self._box)

    @property
    def commands(self) -> Mapping[tuple[str, str], Command]:
        """Method and path below the session -> command; it takes the body's values and the path's parts."""
        return {**self._queries(), **self._actions()}

    def _queries(self) -> Mapping[tuple[str, str], Command]:
        return {
            ("GET", ""): lambda _: {"lastScrollData": None},
            ("GET", "alert/text"): self._alert_text,
            ("GET", "appium/device/apps"): lambda _: device_facts.apps(self._phone),
            ("GET", "appium/device/battery_info"): lambda _: device_facts.battery_info(self._phone),
            ("GET", "appium/device/declared_orientation"): self._orientation,
            ("GET", "appium/device/display_density"): lambda _: self._phone.density,
            ("GET", "appium/device/info"): lambda _: device_facts.device_info(self._phone),
            ("GET", "appium/device/pixel_ratio"): lambda _: self._phone.density / 160,
            ("GET", "appium/device/system_bars"): lambda _: {
                "statusBar": device_facts.status_bar_height(self._phone)
            },
            ("GET", "appium/element/:id/first_visible"): self._first_child,
            ("GET", "appium/settings"): lambda _: self.settings,
            ("GET", "element/:id/attribute/:name"): self._attribute,
            ("GET", "element/:id/location"): lambda _, one: self._rectangle(one, "x", "y"),
            ("GET", "element/:id/name"): lambda _, one: self._elements.node(one).get("content-desc", ""),
            ("GET", "element/:id/rect"): lambda _, one: self._rectangle(one, "x", "y", "width", "height"),
            ("GET", "element/:id/screenshot"): self._element_screenshot,
            ("GET", "element/:id/size"): lambda _, one: self._rectangle(one, "width", "height"),
            ("GET", "element/:id/text"): lambda _, one: self._elements.node(one).get("text", ""),
            ("GET", "element/active"): lambda _: self._elements.find_focused(),
            ("GET", "orientation"): self._orientation,
            ("GET", "rotation"): lambda _: {"x": 0, "y": 0, "z": self._phone.rotation * 90},
            ("GET", "screenshot"): lambda _: base64.b64encode(self._phone.screenshot_png()).decode(),
            ("GET", "screenshot/:id"): self._element_screenshot,
            ("GET", "source"): lambda _: source_text(page_source(self._phone)),
            ("GET", "window/:handle/size"): lambda *_: dict(
                zip(("width", "height"), self._phone.size, strict=True)
            ),
        }

    def _actions(self) -> Mapping[tuple[str, str], Command]:
        return {
            ("POST", "actions"): lambda values: InputActions(self._phone, self._centre).perform(
                values.get("actions")
            ),
            ("POST", "alert/accept"): lambda values: self._answer_alert(values, accept=True),
            ("POST", "alert/dismiss"): lambda values: self._answer_alert(values, accept=False),
            ("POST", "appium/device/get_clipboard"): self._clipboard,
            ("POST", "appium/device/long_press_keycode"): self._press,
            ("POST", "appium/device/open_notifications"): lambda _: self._phone.open_panel(),
            ("POST", "appium/device/press_keycode"): self._press,
            ("POST", "appium/device/set_clipboard"): self._copy,
            ("POST", "appium/element/:id/scroll_to/:id2"): lambda _, *ids: self._elements.scroll_back(*ids),
            ("POST", "appium/gestures/:name"): self._gesture,
            ("POST", "appium/list_displays"): lambda _: device_facts.displays(self._phone),
            ("POST", "appium/list_windows"): lambda _: device_facts.windows(self._phone),
            ("POST", "appium/reset_ax_cache"): lambda _: None,
            ("POST", "appium/settings"): self._update_settings,
            ("POST", "back"): lambda _: self._phone.press_key("KEYCODE_BACK"),
            ("POST", "element"): self._find_one,
            ("POST", "element/:id/clear"): self._clear,
            ("POST", "element/:id/click"): self._click,
            ("POST", "element/:id/value"): self._set_value,
            ("POST", "elements"): lambda values: self._find(values),
            ("POST", "gestures/scroll_to"): self._scroll_to,
            ("POST", "keys"): self._keys,
            ("POST", "orientation"): self._turn,
            ("POST", "rotation"): self._rotate,
        }

    # ---- elements

    def _find(self, values: Values) -> list[dict[str, str]]:
        strategy, value = values.get("strategy"), values.get("selector")
        if not isinstance(strategy, str) or not isinstance(value, str):
            raise invalid_argument("expected a strategy and a selector")
        return self._elements.find(Locator(strategy=strategy, value=value), str(values.get("context") or ""))

    def _find_one(self, values: Values) -> dict[str, str]:
        found = self._find(values)
        if not found:
            raise no_element()
        return found[0]

    def _box(self, identifier: str) -> tuple[int, int, int, int]:
        return bounds_of(self._elements.node(identifier).get("bounds", ""))

    def _centre(self, identifier: str) -> tuple[int, int]:
        left, top, right, bottom = self._box(identifier)
        return (left + right) // 2, (top + bottom) // 2

    def _rectangle(self, identifier: str, *names: str) -> dict[str, int]:
        left, top, right, bottom = self._box(identifier)
        record = {"x": left, "y": top, "width": right - left, "height": bottom - top}
        return {name: record[name] for name in names}

    def _attribute(self, _values: Values, identifier: str, name: str) -> str | None:
        node = self._elements.node(identifier)
        if name.lower() not in ATTRIBUTES:
            raise unknown_command(f"an element has no attribute {name!r}: {', '.join(ATTRIBUTES)}")
        return node.get(ATTRIBUTES[name.lower()])

    def _first_child(self, _values: Values, identifier: str) -> dict[str, str]:
        self._elements.node(identifier)
        found = self._elements.find(Locator(strategy="xpath", value="/*/*"), identifier)
        if not found:
            raise no_element()
        return found[0]

    def _element_screenshot(self, _values: Values, identifier: str) -> str:
        data = io.BytesIO()
        self._phone.screenshot().crop(self._box(identifier)).save(data, "PNG")
        return base64.b64encode(data.getvalue()).decode()

    def _click(self, _values: Values, identifier: str) -> None:
        point = self._centre(identifier)
        touch_screen(self._phone, point, point, 0)

    def _focus(self, identifier: str) -> None:
        """Give a text field the focus, for which it is tapped."""
        node = self._elements.node(identifier)
        if node.get("class") != EDITABLE:
            raise invalid_state(f"{node.get('class')} takes no text")
        if node.get("focused") != "true":
            self._click({}, identifier)
        if self._phone.shown().focus is None:
            # some fields take the focus at the second touch; the server itself sets text without one
            self._click({}, identifier)
        if self._phone.shown().focus is None:
            raise invalid_state("the field did not get the focus")

    def _clear(self, _values: Values, identifier: str) -> None:
        self._focus(identifier)
        self._phone.edit(lambda _: "")

    def _set_value(self, values: Values, identifier: str) -> None:
        text = _text(values)
        self._focus(identifier)
        if values.get("replace"):
            self._phone.edit(lambda _: "")
        self._type(text)

    def _keys(self, values: Values) -> None:
        text = _text(values)
        self._elements.find_focused()
        self._type(text)

    def _type(self, text: str) -> None:
        self._phone.type_text(text.removesuffix(_ENTER))
        if text.endswith(_ENTER):
            self._phone.enter()

    # ---- gestures, keys

    def _gesture(self, values: Values, name: str) -> object:
        run = self._gestures.calls.get(name)
        if run is None:
            raise unknown_command(f"the simulated phone does not answer the gesture {name!r}")
        return run(values)

    def _scroll_to(self, values: Values) -> None:
        params = values.get("params")
        if not isinstance(params, Mapping):
            raise invalid_argument("expected params with a strategy and a selector")
        origin = values.get("origin")
        locator = Locator(strategy=str(params.get("strategy")), value=str(params.get("selector")))
        self._elements.scroll_to(element_id(origin) if origin else "", locator)

    def _press(self, values: Values) -> None:
        code = values.get("keycode")
        if not isinstance(code, int | str) or not str(code).isdecimal():
            raise invalid_argument(f"expected the number of a key, got {code!r}")
        self._phone.press_key(find_key_name(str(code)))

    # ---- display, clipboard, settings

    def _orientation(self, _values: Values) -> str:
        return "LANDSCAPE" if self._phone.rotation % 2 else "PORTRAIT"

    def _turn(self, values: Values) -> None:
        name = str(values.get("orientation")).upper()
        if name not in _ROTATIONS:
            raise invalid_argument(f"expected an orientation of {', '.join(_ROTATIONS)}, got {name!r}")
        self._set_rotation(_ROTATIONS[name])

    def _rotate(self, values: Values) -> None:
        angle = values.get("z")
        if values.get("x") or values.get("y") or angle not in (0, 90, 180, 270):
            raise invalid_argument("expected x 0, y 0 and z of 0, 90, 180 or 270 degrees")
        self._set_rotation(str(angle // 90))

    def _set_rotation(self, turns: str) -> None:
        self._phone.settings["system"]["accelerometer_rotation"] = "0"
        self._phone.settings["system"]["user_rotation"] = turns

    def _clipboard(self, _values: Values) -> str:
        text = "" if NO_CLIPBOARD in self._phone.faults else self._device.clipboard
        return base64.b64encode(text.encode()).decode()

    def _copy(self, values: Values) -> None:
        try:
            text = base64.b64decode(str(values.get("content") or ""), validate=True).decode()
        except (binascii.Error, ValueError):
            raise invalid_argument("expected the content in Base64") from None
        if NO_CLIPBOARD not in self._phone.faults:
            self._device.clipboard = text

    def _update_settings(self, values: Values) -> dict[str, Any]:
        settings = values.get("settings")
        if not isinstance(settings, Mapping):
            raise invalid_argument("expected settings")
        # as the server does, those that it does not know are ignored
        self.settings.update({name: value for name, value in settings.items() if name in self.settings})
        return self.settings

    # ---- alerts

    def _alert_buttons(self) -> list[etree._Element]:
        nodes = page_source(self._phone).iter()
        found = [node for node in nodes if _ALERT_BUTTON.fullmatch(node.get("resource-id", ""))]
        if not found:
            raise WebDriverError("no alert is on the screen", "no such alert", 404)
        return found

    def _alert_text(self, _values: Values) -> str:
        buttons = self._alert_buttons()
        package = buttons[0].get("package")
        texts = [
            node.get("text", "")
            for node in page_source(self._phone).iter()
            if node.get("package") == package and not _ALERT_BUTTON.fullmatch(node.get("resource-id", ""))
        ]
        return "\n".join(text for text in texts if text.strip())

    def _answer_alert(self, values: Values, *, accept: bool) -> None:
        buttons, label = self._alert_buttons(), values.get("buttonLabel")
        if label is not None:
            buttons = [node for node in buttons if node.get("text") == label]
            if not buttons:
                raise invalid_state(f"the alert has no button {label!r}")
        denying = [node for node in buttons if "deny" in node.get("resource-id", "")]
        chosen = buttons[0] if accept or label is not None else (denying or buttons)[-1]
        left, top, right, bottom = bounds_of(chosen.get("bounds", ""))
        self._phone.tap((left + right) // 2, (top + bottom) // 2)


def _text(values: Values) -> str:
    """The text of a request, given as text or as single characters."""
    text = values.get("text")
    if text is None and isinstance(values.get("value"), list):
        text = "".join(map(str, values["value"]))
    if not isinstance(text, str):
        raise invalid_argument("expected a text")
    return text
