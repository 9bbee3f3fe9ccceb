"""Appium's locator strategies, evaluated in the page source."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lxml import etree

from simulated_phone.device_servers.appium.page_source import ROOT
from simulated_phone.device_servers.appium.webdriver_errors import invalid_selector
from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import find_nodes, matching

MAX_XPATH = 1000
"""Maximum length of an XPath expression, characters."""

MAX_PREDICATES = 3
"""Maximum depth of predicates within predicates: each level multiplies the time by the number of nodes.
It is one less where inner paths begin at the root again, or go over the whole page."""

UI_AUTOMATOR = "-android uiautomator"
"""Name of the strategy whose selectors may scroll; `ui_selector` parses them."""

_WIDE = re.compile(r"[\[(,=<>|+\s]//|(?:ancestor|descendant|following|preceding)(?:-or-self)?::")
_FULL_ID = re.compile(r"[A-Za-z_][\w.]*:[^/]+/\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Locator:
    """How an element is looked for.

    Args:
        strategy: "id", "xpath", "accessibility id", "class name" or "-android uiautomator".
        value: The expression.
    """

    strategy: str
    value: str


def find_located(scope: etree._Element, locator: Locator, package: str) -> list[etree._Element]:
    """Find the elements that a locator matches, in document order.

    Args:
        scope: The page source, or the element within which it is looked for.
        locator: Any but one of `UI_AUTOMATOR`.
        package: Package that completes a short id.

    Raises:
        WebDriverError: "invalid selector".
    """
    run = _STRATEGIES.get(locator.strategy)
    if run is None:
        names = ", ".join((*_STRATEGIES, UI_AUTOMATOR))
        raise invalid_selector(f"expected a locator strategy of {names}, got {locator.strategy!r}")
    return run(scope, locator.value, package)


def _by_id(scope: etree._Element, value: str, package: str) -> list[etree._Element]:
    name = value if _FULL_ID.fullmatch(value) else f"{package}:id/{value}"
    return find_nodes(scope, {"resourceId": name})


def _by_xpath(scope: etree._Element, value: str, _package: str) -> list[etree._Element]:
    """XPath 1.0 with `matches`, `ends-with`, `lower-case` and `upper-case` of later versions.

    As in Appium's server, the scope is the document: `//a` does not look outside it.
    """
    if len(value) > MAX_XPATH:
        raise invalid_selector(f"expected at most {MAX_XPATH} characters of XPath, got {len(value)}")
    depth = MAX_PREDICATES - bool(_WIDE.search(value))
    if _measure_depth(value) > depth:
        raise invalid_selector(f"expected at most {depth} predicates within each other: {value!r}")
    document = etree.fromstring(etree.tostring(scope))
    # kept, so that each element has one object, by which it is known
    copies = list(document.iter())
    try:
        found = document.xpath(value, extensions={(None, name): run for name, run in _FUNCTIONS.items()})
    except (etree.XPathError, ValueError) as error:
        raise invalid_selector(f"{error}: {value!r}") from None
    # attributes, texts and numbers are no elements, nor is the root of the page source
    matched = (
        {node for node in found if isinstance(node, etree._Element)} if isinstance(found, list) else set()
    )
    pairs = zip(copies, scope.iter(), strict=True)
    return [original for copy, original in pairs if copy in matched and copy.tag != ROOT]


def _measure_depth(expression: str) -> int:
    """Depth of brackets outside of strings."""
    depth = deepest = 0
    for sign in re.sub(r"'[^']*'|\"[^\"]*\"", "", expression):
        depth += (sign == "[") - (sign == "]")
        deepest = max(deepest, depth)
    return deepest


def _quote(value: object) -> str:
    """XPath's conversion of a function's argument: the first of a node set."""
    first = value[0] if isinstance(value, list) and value else "" if isinstance(value, list) else value
    return "".join(first.itertext()) if isinstance(first, etree._Element) else str(first)


def _matches(_context: object, value: object, pattern: object) -> bool:
    """XPath 2.0's `matches`: the pattern is found anywhere in the text."""
    return matching([_quote(value)], f"(?s:.*)(?:{_quote(pattern)})(?s:.*)")[0]


_FUNCTIONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "ends-with": lambda _, value, end: _quote(value).endswith(_quote(end)),
        "lower-case": lambda _, value: _quote(value).lower(),
        "matches": _matches,
        "upper-case": lambda _, value: _quote(value).upper(),
    }
)

_STRATEGIES: Mapping[str, Callable[[etree._Element, str, str], list[etree._Element]]] = MappingProxyType(
    {
        "accessibility id": lambda scope, value, _: find_nodes(scope, {"description": value}),
        "class name": lambda scope, value, _: find_nodes(scope, {"className": value}),
        "id": _by_id,
        "xpath": _by_xpath,
    }
)
