"""Evaluation of uiautomator2's selectors in a tree: text, description, id, class, flags, child, sibling."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element, fromstring

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
    # imported here: most clients never send a pattern
    import pyarrow
    import pyarrow.compute

    length = sum(len(value) for value in values)
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"expected a pattern of at most {MAX_PATTERN} characters, got {len(pattern)}")
    if length > MAX_MATCHED:
        raise ValueError(f"expected at most {MAX_MATCHED} characters to match on the screen, got {length}")
    # alone first: "a)|(b" is not valid, and would be within the group
    pyarrow.compute.match_substring_regex(pyarrow.array([""]), pattern)
    whole = rf"\A(?:{pattern})\z"
    found: list[bool] = pyarrow.compute.match_substring_regex(
        pyarrow.array(values, pyarrow.string()), whole
    ).to_pylist()
    return found


_COMPARISONS: Mapping[str, Callable[[Sequence[str], str], Sequence[bool]]] = MappingProxyType(
    {
        "": lambda values, expected: [value == expected for value in values],
        "Contains": lambda values, expected: [expected in value for value in values],
        "Matches": matching,
        "StartsWith": lambda values, expected: [value.startswith(expected) for value in values],
    }
)


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
    nodes = _pick(_selected(list(root.iter("node")), selector), selector)
    steps = zip(selector.get("childOrSibling", ()), selector.get("childOrSiblingSelector", ()), strict=True)
    for step, inner in steps:
        groups = (_neighbours(node, parents, step) for node in nodes)
        # each node once: otherwise their number is multiplied at each step
        neighbours = list(dict.fromkeys(node for group in groups for node in group))
        nodes = _pick(_selected(neighbours, inner), inner)
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


def _selected(nodes: list[Element], selector: Mapping[str, Any]) -> list[Element]:
    for name, attribute in _FLAGS.items():
        if name in selector:
            nodes = [node for node in nodes if (node.get(attribute) == "true") == selector[name]]
    for name, attribute in _TEXTS.items():
        for suffix, compare in _COMPARISONS.items():
            if name + suffix in selector:
                values = [node.get(attribute, "") for node in nodes]
                found = compare(values, str(selector[name + suffix]))
                nodes = list(compress(nodes, found))
    return nodes
