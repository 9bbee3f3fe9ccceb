"""Elements that a session has found: finding them, and finding them again when they are used."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lxml import etree

from simulated_phone.device_servers.appium.locators import UI_AUTOMATOR, Locator, find_located
from simulated_phone.device_servers.appium.page_source import page_source, path_of
from simulated_phone.device_servers.appium.ui_selector import Argument, Scrolling, Selector, parse
from simulated_phone.device_servers.appium.webdriver_errors import (
    invalid_argument,
    invalid_selector,
    no_element,
    stale_element,
)
from simulated_phone.device_servers.uiautomator2.uiautomator2_gestures import ElementGestures
from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import SelectedNode, find_nodes

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

EDITABLE = "android.widget.EditText"
"""Class of the elements that take text."""

ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf"
"""Key of an element's id in the W3C's protocol."""

OLD_ELEMENT_KEY = "ELEMENT"
"""Key of an element's id in the protocol before it."""

MAX_ELEMENTS = 500
"""Largest number of elements that a session keeps; the oldest are forgotten."""

_ELEMENT = "element"  # key of a selector that is an element's id
_KIND = ("class", "package", "resource-id", "content-desc")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundElement:
    """An element as it was when it was found.

    Args:
        path: Its place in the page source.
        attributes: Its attributes.
        locator: What found it.
    """

    path: tuple[int, ...]
    attributes: dict[str, str]
    locator: Locator

    def is_like(self, node: etree._Element) -> bool:
        """Whether a node is of the same kind, whatever its text."""
        return all(node.get(name, "") == self.attributes.get(name, "") for name in _KIND)

    def is_same(self, node: etree._Element) -> bool:
        """Whether a node is of the same kind and has the same text, unless it can be edited."""
        text = self.attributes.get("text", "")
        return self.is_like(node) and (
            node.get("text", "") == text or self.attributes.get("class") == EDITABLE
        )

    @property
    def has_a_name(self) -> bool:
        """Whether it can be distinguished from others wherever it is."""
        return any(self.attributes.get(name) for name in ("text", "resource-id", "content-desc"))


class Elements:
    """The elements of a session.

    Args:
        phone: The phone.
        package: The session's app, whose package completes short ids; "" for that which is shown.
    """

    def __init__(self, phone: Phone, package: str) -> None:
        self._phone = phone
        self._package = package
        self._found: dict[str, FoundElement] = {}
        self._gestures = ElementGestures(phone, self._one, lambda selector: bool(self._select(selector)))

    def find(self, locator: Locator, context: str = "") -> list[dict[str, str]]:
        """Find all elements that a locator matches.

        Args:
            locator: The locator; one of `UI_AUTOMATOR` may scroll the screen.
            context: Id of the element within which it is looked for.

        Returns:
            References, in document order.

        Raises:
            WebDriverError: The locator is wrong, or the context is not on the screen.
        """
        if locator.strategy == UI_AUTOMATOR:
            nodes = self._by_ui_automator(locator.value, context)
        else:
            nodes = self._located(self._scope(context), locator)
        return [self._make_reference(node, locator) for node in nodes]

    def node(self, identifier: str) -> etree._Element:
        """The element as it is now on the screen.

        Raises:
            WebDriverError: It is unknown, or no longer on the screen.
        """
        found = self._find_known(identifier)
        root = page_source(self._phone)
        node = _at(root, found.path)
        if node is not None and found.is_same(node):
            return node
        if found.has_a_name:
            same = [one for one in root.iter() if found.is_same(one)]
            if len(same) == 1:
                return same[0]
        # another text of the same view
        if node is not None and found.is_like(node) and self._still_located(root, node, found.locator):
            return node
        raise stale_element(identifier)

    def find_focused(self) -> dict[str, str]:
        """A reference to the element that has the focus.

        Raises:
            WebDriverError: None has it.
        """
        nodes = find_nodes(page_source(self._phone), {"focused": True})
        if not nodes:
            raise no_element("no element has the focus")
        return self._make_reference(nodes[0], Locator(strategy="xpath", value="//*[@focused='true']"))

    def scroll_to(self, container: str, target: Locator) -> None:
        """Scroll an element, or the first that can be scrolled, until the target is on the screen.

        Raises:
            WebDriverError: It is not found.
        """
        keys = {"accessibility id": "description", "class name": "className"}
        if target.strategy == UI_AUTOMATOR:
            statement = parse(target.value)[0]
            if isinstance(statement, Scrolling):
                raise invalid_selector("expected a UiSelector to scroll to, got a UiScrollable")
            selector = statement
        elif target.strategy in keys:
            selector = {keys[target.strategy]: target.value}
        else:
            raise invalid_argument(f"expected {', '.join(keys)} or {UI_AUTOMATOR}, got {target.strategy!r}")
        self._scroll({_ELEMENT: container} if container else {"scrollable": True}, selector)

    def scroll_back(self, container: str, identifier: str) -> None:
        """Scroll an element until another one, which was found before, is on the screen again.

        Raises:
            WebDriverError: It is unknown, has no text or description, or is not found.
        """
        keys = {"text": "text", "content-desc": "description", "resource-id": "resourceId"}
        known = self._find_known(identifier).attributes
        selector = {key: known[name] for name, key in keys.items() if known.get(name)}
        if not selector:
            raise invalid_argument("the element has no text, description or id by which it could be found")
        self._scroll({_ELEMENT: container}, selector)

    def _scroll(self, container: Selector, target: Selector) -> None:
        if not self._gestures.calls()["scrollTo"](container, target):
            raise no_element()

    def _find_known(self, identifier: str) -> FoundElement:
        if identifier not in self._found:
            raise no_element(f"the session has not found an element {identifier!r}")
        return self._found[identifier]

    def _scope(self, context: str) -> etree._Element:
        return self.node(context) if context else page_source(self._phone)

    def _located(self, scope: etree._Element, locator: Locator) -> list[etree._Element]:
        return find_located(scope, locator, self._package or self._phone.foreground[0])

    def _still_located(self, root: etree._Element, node: etree._Element, locator: Locator) -> bool:
        if locator.strategy == UI_AUTOMATOR:
            selectors = [one for one in parse(locator.value) if not isinstance(one, Scrolling)]
            return any(node in find_nodes(root, one) for one in selectors)
        return node in self._located(root, locator)

    def _make_reference(self, node: etree._Element, locator: Locator) -> dict[str, str]:
        attributes = {str(name): str(value) for name, value in node.attrib.items()}
        found = FoundElement(path=path_of(node), attributes=attributes, locator=locator)
        kind = [attributes.get(name, "") for name in (*_KIND, "text")]
        # the same element has the same id
        identifier = str(uuid.uuid5(uuid.NAMESPACE_OID, repr((found.path, kind))))
        self._found.pop(identifier, None)
        self._found[identifier] = found
        while len(self._found) > MAX_ELEMENTS:
            del self._found[next(iter(self._found))]
        return {OLD_ELEMENT_KEY: identifier, ELEMENT_KEY: identifier}

    # ---- UiSelector and UiScrollable

    def _by_ui_automator(self, expression: str, context: str) -> list[etree._Element]:
        """The elements of the first statement that has any."""
        for statement in parse(expression):
            if isinstance(statement, Scrolling):
                nodes = self._scroll_to(statement)
            else:
                nodes = find_nodes(self._scope(context), statement)
            if nodes:
                return nodes
        return []

    def _select(self, selector: Selector) -> list[SelectedNode]:
        if _ELEMENT in selector:
            nodes = [self.node(selector[_ELEMENT])]
        else:
            nodes = find_nodes(page_source(self._phone), selector)
        return [SelectedNode(attributes=dict(node.attrib), children=len(node)) for node in nodes]

    def _one(self, selector: Selector) -> SelectedNode:
        found = self._select(selector)
        if not found:
            raise no_element("no element on the screen can be scrolled")
        return found[0]

    def _scroll_to(self, scrolling: Scrolling) -> list[etree._Element]:
        """Call the methods of a UiScrollable; the elements of the last that names one, or the container."""
        vertical, target = True, scrolling.container
        gestures = self._gestures.calls()
        for name, arguments in scrolling.calls:
            if name in ("setAsVerticalList", "setAsHorizontalList"):
                vertical = name == "setAsVerticalList"
            elif name in _SETTINGS:
                continue
            elif name in _UNTIL:
                target = _UNTIL[name](scrolling.container, arguments)
                gestures["scrollTo"](scrolling.container, target, vertical)
            elif name in _MOVES:
                gestures[name](scrolling.container, vertical)
            else:
                raise invalid_selector(f"UiScrollable has no method {name} that the phone answers")
        return find_nodes(page_source(self._phone), target)


def _text(arguments: tuple[Argument, ...], number: int) -> str:
    if len(arguments) <= number or not isinstance(arguments[number], str):
        raise invalid_selector("expected a text as an argument of UiScrollable's method")
    return str(arguments[number])


def _pattern(arguments: tuple[Argument, ...]) -> dict[str, Any]:
    if not arguments or not isinstance(arguments[0], dict):
        raise invalid_selector("expected a UiSelector as an argument of UiScrollable's method")
    return dict(arguments[0])


def _find_child(container: Selector, pattern: dict[str, Any], more: dict[str, Any]) -> Selector:
    """A child of the container that matches a pattern and has the text within it."""
    steps = [*container.get("childOrSibling", ()), "child"]
    selectors = [*container.get("childOrSiblingSelector", ()), {**pattern, **more}]
    return {**container, "childOrSibling": steps, "childOrSiblingSelector": selectors}


_SETTINGS = ("setMaxSearchSwipes", "setSwipeDeadZonePercentage")
_MOVES = (
    "flingBackward",
    "flingForward",
    "flingToBeginning",
    "flingToEnd",
    "scrollBackward",
    "scrollForward",
    "scrollToBeginning",
    "scrollToEnd",
)
_UNTIL: Mapping[str, Callable[[Selector, tuple[Argument, ...]], Selector]] = {
    "scrollIntoView": lambda _, arguments: _pattern(arguments),
    "scrollTextIntoView": lambda _, arguments: {"text": _text(arguments, 0)},
    "scrollDescriptionIntoView": lambda _, arguments: {"description": _text(arguments, 0)},
    "getChildByText": lambda container, arguments: _find_child(
        container, _pattern(arguments), {"text": _text(arguments, 1)}
    ),
    "getChildByDescription": lambda container, arguments: _find_child(
        container, _pattern(arguments), {"description": _text(arguments, 1)}
    ),
}


def _at(root: etree._Element, path: tuple[int, ...]) -> etree._Element | None:
    node = root
    for place in path:
        if place >= len(node):
            return None
        node = node[place]
    return node
