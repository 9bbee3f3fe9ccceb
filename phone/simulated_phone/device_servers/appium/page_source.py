"""Appium's page source: a dump of the screen in which each element is named by its class."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from lxml import etree

from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import parse_tree
from simulated_phone.screens.tree import ALL_WINDOWS

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

ROOT = "hierarchy"
"""Tag of the root, which is no element."""

_ORDER = (
    "index",
    "package",
    "class",
    "text",
    "content-desc",
    "resource-id",
    "checkable",
    "checked",
    "clickable",
    "enabled",
    "focusable",
    "focused",
    "long-clickable",
    "password",
    "scrollable",
    "selected",
    "bounds",
)
_LEFT_OUT_IF_EMPTY = ("content-desc", "resource-id")

ATTRIBUTES = MappingProxyType(
    {name.lower(): name for name in (*_ORDER, "displayed")}
    | {
        "classname": "class",
        "contentdescription": "content-desc",
        "longclickable": "long-clickable",
        "name": "text",
        "resourceid": "resource-id",
    }
)
"""Names by which a client asks for an attribute, in lower case -> name in the page source."""


def page_source(phone: Phone) -> etree._Element:
    """The root of the page source, `hierarchy`.

    Raises:
        TreeUnavailableError: The phone gives no tree.
    """
    dump = parse_tree(phone.tree(ALL_WINDOWS))
    width, height = phone.size
    root = etree.Element(ROOT, {"index": "0", "class": ROOT, "rotation": str(phone.rotation)})
    root.set("width", str(width))
    root.set("height", str(height))
    root.extend(_make_element(node) for node in dump)
    return root


def source_text(root: etree._Element) -> str:
    """The page source as XML."""
    etree.indent(root)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True).decode()


def path_of(node: etree._Element) -> tuple[int, ...]:
    """Positions among the children of each parent, from the root to the node."""
    path: list[int] = []
    parent = node.getparent()
    while parent is not None:
        path.insert(0, parent.index(node))
        node, parent = parent, parent.getparent()
    return tuple(path)


def _make_element(node: etree._Element) -> etree._Element:
    found = etree.Element(_tag(node.get("class", "")))
    for name in _ORDER:
        value = node.get(name, "")
        if value or name not in _LEFT_OUT_IF_EMPTY:
            found.set(name, value)
    # a dump holds visible nodes only
    found.set("displayed", "true")
    found.extend(_make_element(child) for child in node)
    return found


def _tag(name: str) -> str:
    """The class name as an XML name: inner classes are separated by a point."""
    tag = re.sub(r"[^\w.\-]", "_", re.sub(r"[$@#&.]+", ".", name).strip("."))
    return tag if re.match(r"[^\W\d]", tag) else "android.view.View"
