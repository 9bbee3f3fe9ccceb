"""Accessibility trees as XML, in the dialects of `uiautomator dump` and of the dataset's collector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from simulated_phone.screens.nodes import Node, PixelBox

ACTIVE_WINDOW, ALL_WINDOWS, RELEASE = DIALECTS = ("uiautomator", "windows", "release")
"""Trees of `uiautomator dump`, which has the active window alone; of clients that ask for all windows, with
the same attributes; and of the dataset's collector."""

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
)


def write_tree(windows: Sequence[tuple[str, Node]], frame: PixelBox, rotation: int, dialect: str) -> str:
    """Write windows, each as a top node of one hierarchy; bounds are clipped to the frame.

    Args:
        windows: (package, root node) of each window.
        frame: The display.
        rotation: Quarter turns, 0-3.
        dialect: "uiautomator" and "windows" for the attributes of `uiautomator dump`, "release" for those of
            FingerTip-20K's collector (`content_desc`, `view_id`, `hint`, `visible`, `editable`).

    Raises:
        ValueError: The dialect is unknown.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"expected a dialect of {DIALECTS}, got {dialect!r}")
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    parts = [head, f'<hierarchy rotation="{rotation}">']
    for place, (package, root) in enumerate(windows):
        parts.append(_keep_text(root, package, frame, dialect == RELEASE, place))
    parts.append("</hierarchy>")
    return "".join(parts)


def _keep_text(node: Node, package: str, frame: PixelBox, release: bool, index: int) -> str:
    """The text of a node, written once: most windows and rows of a list stay from screen to screen."""
    key = (package, frame, release, index)
    kept = node.tree_text
    if kept is not None and kept[0] == key:
        return kept[1]
    text = _write_text(node, package, frame, release, index)
    object.__setattr__(node, "tree_text", (key, text))
    return text


def _write_text(node: Node, package: str, frame: PixelBox, release: bool, index: int) -> str:
    write = _release if release else _write_standard
    left, top, right, bottom = frame
    visible = [
        child
        for child in node.children
        if (
            (box := child.box)[0] < right
            and box[2] > left
            and box[1] < bottom
            and box[3] > top
            and box[0] < box[2]
            and box[1] < box[3]
        )
        or child.hidden
    ]
    opening = f"<node {write(node, package, frame, index)}"
    if not visible:
        return f"{opening} />"
    inner = _write_text if node.scroll is None else _keep_text
    parts = [inner(child, package, frame, release, place) for place, child in enumerate(visible)]
    return f"{opening}>{''.join(parts)}</node>"


def _write_id(node: Node, package: str) -> str:
    if ":" in node.view_id:
        # a part of the system's own widgets has its id in every app
        return node.view_id
    return f"{package}:id/{node.view_id}" if node.view_id else ""


def _write_bounds(node: Node, frame: PixelBox) -> str:
    left, top, right, bottom = node.box
    outside = left < frame.left or top < frame.top or right > frame.right or bottom > frame.bottom
    if outside and not node.hidden:
        left, top, right, bottom = node.box.clip(frame)
    return f"[{left},{top}][{right},{bottom}]"


def _boolean(value: bool) -> str:
    return "true" if value else "false"


@lru_cache(maxsize=4096)
def _escaped(value: str) -> str:
    return value.translate(_ESCAPES)


def _release(node: Node, package: str, frame: PixelBox, index: int) -> str:
    return (
        f'text="{"" if node.password else _escaped(node.text)}"'
        f' content_desc="{_escaped(node.description)}"'
        f' hint="{_escaped(node.hint)}"'
        f' view_id="{_escaped(_write_id(node, package))}"'
        f' class="{_escaped(node.kind)}"'
        f' package="{_escaped(package)}"'
        f' bounds="{_write_bounds(node, frame)}"'
        f' clickable="{_boolean(node.clickable)}"'
        f' enabled="{_boolean(node.enabled)}"'
        f' visible="{_boolean(not node.hidden)}"'
        f' scrollable="{_boolean(_scrolls(node))}"'
        f' editable="{_boolean(node.entry is not None)}"'
    )


def _write_standard(node: Node, package: str, frame: PixelBox, index: int) -> str:
    text = "•" * len(node.text) if node.password else node.text or (node.hint if node.entry else "")
    clickable = _boolean(node.clickable)
    return (
        f'index="{index}"'
        f' text="{_escaped(text)}"'
        f' resource-id="{_escaped(_write_id(node, package))}"'
        f' class="{_escaped(node.kind)}"'
        f' package="{_escaped(package)}"'
        f' content-desc="{_escaped(node.description)}"'
        f' checkable="{_boolean(node.checkable)}"'
        f' checked="{_boolean(node.checked)}"'
        f' clickable="{clickable}"'
        f' enabled="{_boolean(node.enabled)}"'
        f' focusable="{clickable}"'
        f' focused="{_boolean(node.focused)}"'
        f' scrollable="{_boolean(_scrolls(node))}"'
        f' long-clickable="{_boolean(node.hold is not None)}"'
        f' password="{_boolean(node.password)}"'
        f' selected="{_boolean(node.selected)}"'
        f' bounds="{_write_bounds(node, frame)}"'
    )


def _scrolls(node: Node) -> bool:
    return node.turns or node.wheel is not None or (node.scroll is not None and node.scroll.extent > 0)
