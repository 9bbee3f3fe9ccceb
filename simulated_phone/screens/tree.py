"""Accessibility trees as XML, in the dialects of `uiautomator dump` and of the dataset's collector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulated_phone.screens.nodes import Node, PixelBox

DIALECTS = ("uiautomator", "release")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
)


def write_tree(windows: Sequence[tuple[str, Node]], frame: PixelBox, rotation: int, dialect: str) -> str:
    """Write windows, each as a top node of one hierarchy; bounds are clipped to the frame.

    Args:
        windows: (package, root node) of each window.
        frame: The display.
        rotation: Quarter turns, 0-3.
        dialect: "uiautomator" for the attributes of `uiautomator dump`, "release" for those of
            FingerTip-20K's collector (`content_desc`, `view_id`, `hint`, `visible`, `editable`).

    Raises:
        ValueError: The dialect is unknown.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"expected a dialect of {DIALECTS}, got {dialect!r}")
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    parts = [head, f'<hierarchy rotation="{rotation}">']
    for place, (package, root) in enumerate(windows):
        parts.extend(_lines(root, package, frame, dialect == "release", place))
    parts.append("</hierarchy>")
    return "".join(parts)


def _lines(node: Node, package: str, frame: PixelBox, release: bool, index: int) -> Iterator[str]:
    write = _release if release else _standard
    visible = [child for child in node.children if not child.box.clip(frame).empty]
    opening = f"<node {write(node, package, frame, index)}"
    if not visible:
        yield f"{opening} />"
        return
    yield f"{opening}>"
    for place, child in enumerate(visible):
        yield from _lines(child, package, frame, release, place)
    yield "</node>"


def _id(node: Node, package: str) -> str:
    return f"{package}:id/{node.view_id}" if node.view_id else ""


def _bounds(node: Node, frame: PixelBox) -> str:
    box = node.box.clip(frame)
    return f"[{box.left},{box.top}][{box.right},{box.bottom}]"


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _attributes(pairs: Sequence[tuple[str, str]]) -> str:
    return " ".join(f'{name}="{value.translate(_ESCAPES)}"' for name, value in pairs)


def _release(node: Node, package: str, frame: PixelBox, index: int) -> str:
    return _attributes(
        (
            ("text", "" if node.password else node.text),
            ("content_desc", node.description),
            ("hint", node.hint),
            ("view_id", _id(node, package)),
            ("class", node.kind),
            ("package", package),
            ("bounds", _bounds(node, frame)),
            ("clickable", _boolean(node.clickable)),
            ("enabled", _boolean(node.enabled)),
            ("visible", "true"),
            ("scrollable", _boolean(_scrolls(node))),
            ("editable", _boolean(node.entry is not None)),
        )
    )


def _standard(node: Node, package: str, frame: PixelBox, index: int) -> str:
    text = "•" * len(node.text) if node.password else node.text or (node.hint if node.entry else "")
    return _attributes(
        (
            ("index", str(index)),
            ("text", text),
            ("resource-id", _id(node, package)),
            ("class", node.kind),
            ("package", package),
            ("content-desc", node.description),
            ("checkable", _boolean(node.checkable)),
            ("checked", _boolean(node.checked)),
            ("clickable", _boolean(node.clickable)),
            ("enabled", _boolean(node.enabled)),
            ("focusable", _boolean(node.clickable)),
            ("focused", _boolean(node.focused)),
            ("scrollable", _boolean(_scrolls(node))),
            ("long-clickable", _boolean(node.hold is not None)),
            ("password", _boolean(node.password)),
            ("selected", _boolean(node.selected)),
            ("bounds", _bounds(node, frame)),
        )
    )


def _scrolls(node: Node) -> bool:
    return node.scroll is not None and node.scroll.extent > 0
