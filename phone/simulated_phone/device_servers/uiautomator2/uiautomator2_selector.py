"""Evaluation of uiautomator2's selectors in a tree: text, description, id, class, flags, child, sibling."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from types import MappingProxyType
from typing import Any

from lxml import etree

from android_shell.linear_regex import compile_linear

MAX_PATTERN = 200
"""Maximum length of a pattern in characters."""

MAX_MATCHED = 10_000
"""Maximum length of the texts of a screen that a pattern is compared with, in characters together."""

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
_BOUNDS = re.compile(r"-?\d+")


def matching(values: Sequence[str], pattern: str) -> list[bool]:
    """Whether each text as a whole matches a pattern, in time linear in their length.

    Args:
        values: Texts, at most `MAX_MATCHED` characters together.
        pattern: A regular expression in RE2's syntax, at most `MAX_PATTERN` characters: no look-around and no
            back-references, which Android has and which can take exponential time.

    Raises:
        ValueError: The pattern is not valid, or it or the texts are too long.
    """
    length = sum(len(value) for value in values)
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"expected a pattern of at most {MAX_PATTERN} characters, got {len(pattern)}")
    if length > MAX_MATCHED:
        raise ValueError(f"expected at most {MAX_MATCHED} characters to match on the screen, got {length}")
    try:
        compiled = compile_linear(pattern)
    except ValueError as error:
        raise ValueError(f"Invalid regular expression: {error}") from None
    return [compiled.fullmatch(value) is not None for value in values]


_COMPARISONS: Mapping[str, Callable[[Sequence[str], str], Sequence[bool]]] = MappingProxyType(
    {
        "": lambda values, expected: [value == expected for value in values],
        "Contains": lambda values, expected: [expected in value for value in values],
        "Matches": matching,
        "StartsWith": lambda values, expected: [value.startswith(expected) for value in values],
    }
)


def bounds_of(text: str) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a dump's bounds, px.

    >>> bounds_of("[0,10][20,30]")
    (0, 10, 20, 30)
    """
    left, top, right, bottom = (int(number) for number in _BOUNDS.findall(text))
    return left, top, right, bottom


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedNode:
    """A node of a tree.

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
        return bounds_of(self.attributes["bounds"])

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
    nodes = find_nodes(parse_tree(tree), selector)
    return [SelectedNode(attributes=dict(node.attrib), children=len(node)) for node in nodes]


def parse_tree(tree: str) -> etree._Element:
    """The root of a dump, "hierarchy"."""
    return etree.fromstring(tree.encode())


def find_nodes(root: etree._Element, selector: Mapping[str, Any]) -> list[etree._Element]:
    """Find the elements below a root that match a selector, in document order.

    Args:
        root: An element whose descendants have the attributes of a dump; their tags do not matter.
        selector: The selector, in uiautomator2's format.
    """
    nodes = _pick(_select_by(_below(root), selector), selector)
    steps = zip(selector.get("childOrSibling", ()), selector.get("childOrSiblingSelector", ()), strict=True)
    for step, inner in steps:
        groups = (_find_neighbours(node, step) for node in nodes)
        # each node once: otherwise their number is multiplied at each step
        neighbours = list(dict.fromkeys(node for group in groups for node in group))
        nodes = _pick(_select_by(neighbours, inner), inner)
    return nodes


def _below(node: etree._Element) -> list[etree._Element]:
    return [other for other in node.iter(etree.Element) if other is not node]


def _find_neighbours(node: etree._Element, step: str) -> list[etree._Element]:
    parent = node.getparent()
    if step != "sibling":
        return _below(node)
    return [] if parent is None else [other for other in parent if other is not node]


def _pick(nodes: list[etree._Element], selector: Mapping[str, Any]) -> list[etree._Element]:
    if "instance" in selector:
        return nodes[selector["instance"] : selector["instance"] + 1]
    return nodes


def _select_by(nodes: list[etree._Element], selector: Mapping[str, Any]) -> list[etree._Element]:
    for name, attribute in _FLAGS.items():
        if name in selector:
            nodes = [node for node in nodes if (node.get(attribute) == "true") == selector[name]]
    for name, attribute in _TEXTS.items():
        for suffix, compare in _COMPARISONS.items():
            if name + suffix in selector:
                values = [node.get(attribute, "") for node in nodes]
                found = compare(values, str(selector[name + suffix]))
                nodes = list(compress(nodes, found))
    if "index" in selector:
        nodes = [node for node in nodes if node.get("index") == str(selector["index"])]
    return nodes
