"""Evaluation of uiautomator2's selectors in a tree: text, description, id, class, flags, child, sibling."""

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
        "": lambda value, expected: value == expected,
        "Contains": lambda value, expected: expected in value,
        "Matches": lambda value, expected: re.fullmatch(expected, value) is not None,
        "StartsWith": lambda value, expected: value.startswith(expected),
    }
)
_BOUNDS = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedNode:
    """One node of a tree.

    Args:
        attributes: Attributes of the dump.
        children: Number of direct children.
    """

    attributes: Mapping[str, str]
    children: int

    @property
    def text(self) -> str:
        """The node's text."""
        return self.attributes.get("text", "")

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom, px."""
        left, top, right, bottom = (int(number) for number in _BOUNDS.findall(self.attributes["bounds"]))
        return left, top, right, bottom

    @property
    def centre(self) -> tuple[int, int]:
        """Centre of its box, px."""
        left, top, right, bottom = self.bounds
        return (left + right) // 2, (top + bottom) // 2

    def info(self) -> dict[str, Any]:
        """The object's information, in uiautomator2's format."""
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
    """Find the nodes that match a selector, in the order of the tree.

    Args:
        tree: A dump in the dialect of `uiautomator dump`.
        selector: The selector, in uiautomator2's format.
    """
    root = fromstring(tree)  # noqa: S314 - the phone's own tree
    parents = {child: parent for parent in root.iter() for child in parent}
    nodes = _pick([node for node in root.iter("node") if _matches(node, selector)], selector)
    steps = zip(selector.get("childOrSibling", ()), selector.get("childOrSiblingSelector", ()), strict=True)
    for step, inner in steps:
        neighbours = (_neighbours(node, parents, step) for node in nodes)
        matching = (node for group in neighbours for node in group if _matches(node, inner))
        # each node once: otherwise their number is multiplied at each step
        nodes = _pick(list(dict.fromkeys(matching)), inner)
    return [SelectedNode(attributes=node.attrib, children=len(node)) for node in nodes]


def _neighbours(node: Element, parents: Mapping[Element, Element], step: str) -> Iterator[Element]:
    if step == "sibling":
        yield from (other for other in parents[node] if other is not node)
    else:
        yield from (other for other in node.iter("node") if other is not node)


def _pick(nodes: list[Element], selector: Mapping[str, Any]) -> list[Element]:
    if "instance" in selector:
        return nodes[selector["instance"] : selector["instance"] + 1]
    return nodes


def _matches(node: Element, selector: Mapping[str, Any]) -> bool:
    for name, attribute in _TEXTS.items():
        value = node.get(attribute, "")
        for suffix, compare in _COMPARISONS.items():
            if name + suffix in selector and not compare(value, str(selector[name + suffix])):
                return False
    return all(
        (node.get(attribute) == "true") == selector[name]
        for name, attribute in _FLAGS.items()
        if name in selector
    )
