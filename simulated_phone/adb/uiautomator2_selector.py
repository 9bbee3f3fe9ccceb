"""uiautomator2's selectors, looked up in a tree: text, description, id, class, flags, child and sibling."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element, fromstring

_TEXTS = MappingProxyType(
    {
        "text": "text",
        "className": "class",
        "description": "content-desc",
        "packageName": "package",
        "resourceId": "resource-id",
    }
)
_FLAGS = MappingProxyType(
    {
        name.replace("-c", "C"): name
        for name in (
            "checkable",
            "checked",
            "clickable",
            "enabled",
            "focusable",
            "focused",
            "long-clickable",
            "scrollable",
            "selected",
        )
    }
)
_COMPARISONS: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "": lambda value, wanted: value == wanted,
        "Contains": lambda value, wanted: wanted in value,
        "Matches": lambda value, wanted: re.fullmatch(wanted, value) is not None,
        "StartsWith": lambda value, wanted: value.startswith(wanted),
    }
)
_BOUNDS = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedNode:
    """One node of a tree.

    Args:
        attributes: As in the dump.
        children: How many nodes are right under it.
    """

    attributes: Mapping[str, str]
    children: int

    @property
    def text(self) -> str:
        """What it says."""
        return self.attributes.get("text", "")

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in pixels."""
        left, top, right, bottom = (int(number) for number in _BOUNDS.findall(self.attributes["bounds"]))
        return left, top, right, bottom

    @property
    def centre(self) -> tuple[int, int]:
        """The middle of its box in pixels."""
        left, top, right, bottom = self.bounds
        return (left + right) // 2, (top + bottom) // 2

    def info(self) -> dict[str, Any]:
        """The object as uiautomator2 wants it."""
        box = dict(zip(("left", "top", "right", "bottom"), self.bounds, strict=True))
        flags = {name: self.attributes.get(attribute) == "true" for name, attribute in _FLAGS.items()}
        return flags | {
            "bounds": box,
            "childCount": self.children,
            "className": self.attributes.get("class", ""),
            "contentDescription": self.attributes.get("content-desc", ""),
            "packageName": self.attributes.get("package", ""),
            "resourceName": self.attributes.get("resource-id", ""),
            "text": self.text,
            "visibleBounds": box,
        }


def find(tree: str, selector: Mapping[str, Any]) -> list[SelectedNode]:
    """The nodes that a selector means, in the order of the tree.

    Args:
        tree: A dump in uiautomator's dialect.
        selector: The conditions, as uiautomator2 sends them.
    """
    root = fromstring(tree)  # noqa: S314 - the phone's own tree
    parents = {child: parent for parent in root.iter() for child in parent}
    nodes = _pick([node for node in root.iter("node") if _fits(node, selector)], selector)
    steps = zip(selector.get("childOrSibling", ()), selector.get("childOrSiblingSelector", ()), strict=True)
    for step, inner in steps:
        around = (_near(node, parents, step) for node in nodes)
        nodes = _pick([node for near in around for node in near if _fits(node, inner)], inner)
    return [SelectedNode(attributes=node.attrib, children=len(node)) for node in nodes]


def _near(node: Element, parents: Mapping[Element, Element], step: str) -> Iterator[Element]:
    if step == "sibling":
        yield from (other for other in parents[node] if other is not node)
    else:
        yield from (other for other in node.iter("node") if other is not node)


def _pick(nodes: list[Element], selector: Mapping[str, Any]) -> list[Element]:
    if "instance" in selector:
        return nodes[selector["instance"] : selector["instance"] + 1]
    return nodes


def _fits(node: Element, selector: Mapping[str, Any]) -> bool:
    for name, attribute in _TEXTS.items():
        value = node.get(attribute, "")
        for how, compare in _COMPARISONS.items():
            if name + how in selector and not compare(value, str(selector[name + how])):
                return False
    return all(
        (node.get(attribute) == "true") == selector[name]
        for name, attribute in _FLAGS.items()
        if name in selector
    )
