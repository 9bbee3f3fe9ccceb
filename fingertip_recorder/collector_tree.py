"""Conversion of a phone's accessibility trees to the dialect of the release's collector."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

from fingertip_dataset.ui_tree.tree_xml import TreeTarget, read_tree, tree_parser

_NAMES = {
    "text": "text",
    "content-desc": "content_desc",
    "content_desc": "content_desc",
    "hint": "hint",
    "resource-id": "view_id",
    "view_id": "view_id",
    "class": "class",
    "package": "package",
    "bounds": "bounds",
    "clickable": "clickable",
    "enabled": "enabled",
    "visible": "visible",
    "scrollable": "scrollable",
    "editable": "editable",
}
_FOREIGN = ('content-desc="', 'resource-id="', "content-desc='", "resource-id='")
_ESCAPES = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def release_dialect(xml: str) -> str:
    """Convert a tree to the attribute names of the release's collector (`content_desc`, `view_id`, ...).

    Attributes that a uiautomator dump lacks (`hint`, `visible`, `editable`) are not added, and those that
    the collector does not write (`focused`, `checked`, ...) are left out. A tree already in the collector's
    dialect is returned unchanged.

    Raises:
        AccessibilityTreeError: The tree cannot be parsed.

    >>> release_dialect('<hierarchy><node text="a" resource-id="b:id/c" focused="true" /></hierarchy>')
    '<hierarchy><node text="a" view_id="b:id/c"></node></hierarchy>'
    """
    if not any(mark in xml for mark in _FOREIGN):
        return xml
    writer = _Writer()
    read_tree(xml, tree_parser(writer))
    writer.check(has_nodes=writer.nodes > 0)
    return "".join(writer.parts)


class _Writer(TreeTarget):
    """Parser target that writes each element with the collector's attribute names."""

    def reset(self) -> None:
        super().reset()
        self.parts: list[str] = []
        self.nodes = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "node":
            self.nodes += 1
            attributes = {_NAMES[name]: value for name, value in attributes.items() if name in _NAMES}
        elif self.root is None:
            self.root = tag
        written = "".join(f' {name}="{escape(value, _ESCAPES)}"' for name, value in attributes.items())
        self.parts.append(f"<{tag}{written}>")

    def end(self, tag: str) -> None:
        self.parts.append(f"</{tag}>")
