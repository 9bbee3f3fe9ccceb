"""Accessibility trees as untidy as those of real apps, made from the tidy tree of a page.

Real trees have wrappers, silent nodes, pages under the shown one, neighbouring pages whose clipped bounds are
inverted, and web views. Only the app's window is in them, as in a plain `uiautomator dump`. What is added
depends on the phone, the page and the shape of a node, never on its texts or its place in a list, so nothing
flickers while a page scrolls or changes. The picture stays as it is, and so do all touchable elements with
their first texts: the centre of a touchable box still touches its element.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, get_args
from zlib import crc32

from simulated_phone.phone_errors import PhoneSetupError
from simulated_phone.screens.nodes import Node, PixelBox

TreeKind = Literal["clean", "rough"]
"""Kind of accessibility trees of a phone."""

_FRAME, _LINEAR, _VIEW = "android.widget.FrameLayout", "android.widget.LinearLayout", "android.view.View"
_IMAGE, _GROUP, _WEB = "android.widget.ImageView", "android.view.ViewGroup", "android.webkit.WebView"
_SPACE, _TEXT = "android.widget.Space", "android.widget.TextView"
_SMALLEST = 16
"""Width and height from which a box may be some px off, px."""


def find_tree_kind(name: str) -> TreeKind:
    """The kind of trees of that name.

    Raises:
        PhoneSetupError: There is none.
    """
    kinds: dict[str, TreeKind] = {kind: kind for kind in get_args(TreeKind)}
    if name not in kinds:
        raise PhoneSetupError(f"expected trees of {' or '.join(kinds)}, got {name!r}")
    return kinds[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStyle:
    """How untidy the tree of a page is.

    Attributes:
        seed: What decides about each shape of a node.
        chain: Number of wrappers around the page.
        split: Share of the buttons whose text is a node in them.
        flat: Share of the layouts whose parts lie in the layout around them.
        wrapped: Share of the touchable rows inside a wrapper with the same bounds.
        empty: Number of nodes without width.
        background: Share of the page's height, from above, with a silent picture behind it.
        covers: Whether the page under it stays in the tree.
        hidden: Number of neighbouring pages, out of sight at the right, whose bounds are empty or inverted.
        web: Whether the content is a web view: no ids, one class, and bounds some px off.
    """

    seed: str
    chain: int
    split: float
    flat: float
    wrapped: float
    empty: int
    background: float
    covers: bool
    hidden: int
    web: bool

    def holds(self, node: Node, what: str, share: float) -> bool:
        """Whether something is true for the nodes of this shape, which it is for this share of the shapes."""
        return random.Random(f"{self.seed} {what} {_shape(node)}").random() < share  # noqa: S311


def draw_page_style(seed: int, package: str, page: str) -> PageStyle:
    """The style of a page; the same for the same phone, app and page."""
    name = f"trees {seed} {package} {page}"
    rng = random.Random(name)  # noqa: S311 - no secret
    heavy = rng.random() < 0.21
    return PageStyle(
        seed=name,
        chain=rng.choice((3, 3, 4)) + 2 * heavy,
        split=rng.choice((0.0, 0.5, 1.0)),
        flat=rng.choice((0.0, 0.3, 0.6)),
        wrapped=rng.choice((0.2, 0.5, 0.8)),
        empty=rng.choice((0, 1, 2, 3)),
        background=rng.choice((0.0, 0.2, 0.25, 0.3, 0.3, 1.0)),
        covers=heavy,
        hidden=rng.choice((2, 3, 4)) if heavy else 0,
        web=rng.random() < 0.12,
    )


def roughen(root: Node, below: Node | None, style: PageStyle, frame: PixelBox) -> Node:
    """The tree of a page as a real app would have it.

    Args:
        root: The page.
        below: The page under it, if there is one.
        style: How untidy the tree is.
        frame: The display.
    """
    pages = [_roughen_node(below, style)] if below is not None and style.covers else []
    if style.background:
        height = round(style.background * root.box.height)
        pages.append(Node(box=root.box._replace(bottom=root.box.top + height), kind=_IMAGE))
    pages.append(_roughen_node(root, style))
    pages += [_make_hidden_page(root, frame, number + 1) for number in range(style.hidden)]
    edge = root.box._replace(right=root.box.left)
    pages += [Node(box=edge, kind=_FRAME, hidden=True)] * style.empty
    node = Node(box=root.box, kind=_GROUP, children=tuple(pages))
    for number in range(style.chain):
        last = number == style.chain - 1
        bar = _build_navigation_background(root.box, frame) if last else ()
        kind = (_FRAME, _LINEAR, _FRAME)[number % 3]
        node = Node(box=frame if last else root.box, kind=kind, children=(node, *bar))
    return node


def _build_navigation_background(box: PixelBox, frame: PixelBox) -> tuple[Node, ...]:
    if box.bottom >= frame.bottom:
        return ()
    at = frame._replace(top=box.bottom)
    return (Node(box=at, kind=_VIEW, view_id="navigationBarBackground", hidden=True),)


def _roughen_node(node: Node, style: PageStyle, *, web: bool = False) -> Node:
    """A node with its children as a real app would have them; `web` inside a web view."""
    row = _touchable(node) and bool(node.children)
    children = list(_list_parts(node, style))
    if row:
        children = _join_texts(children, poor=web)
    elif node.scroll is None:
        children = list(_join_leaves(children))
    if row:
        children = [child for child in children if not _is_silent(child)] or children
    inside = web or (style.web and node.scroll is not None)
    made = replace(node, children=tuple(_roughen_node(child, style, web=inside) for child in children))
    if _can_split(node) and style.holds(node, "split", style.split):
        made = _split(node)
    if web:
        return _make_web_node(made, style)
    if inside:
        return replace(made, kind=_WEB, children=(Node(box=node.box, kind=_WEB, children=made.children),))
    if row and style.holds(node, "wrapper", style.wrapped):
        return Node(box=node.box, kind=_FRAME, children=(made,))
    return made


def _list_parts(node: Node, style: PageStyle) -> Iterator[Node]:
    """The children, without spaces, and without containers that only hold one part or that are flat."""
    for child in node.children:
        useful = _touchable(child) or _moves(child) or child.text or child.description
        if not useful and child.children and _is_left_out(child, style):
            yield from _list_parts(child, style)
        elif child.kind != _SPACE:
            yield child


def _is_left_out(node: Node, style: PageStyle) -> bool:
    """Whether a layout's parts lie in the layout around it, as in the flat layouts of many apps."""
    return len(node.children) == 1 or (node.kind == _LINEAR and style.holds(node, "flat", style.flat))


def _is_silent(node: Node) -> bool:
    return not (node.children or node.text or node.description or node.checkable or _touchable(node))


def _can_split(node: Node) -> bool:
    """Whether the text of a touchable node could be a node of its own."""
    plain = not (node.children or node.entry or node.checkable or node.hint)
    return plain and _touchable(node) and bool(node.text)


def _split(node: Node) -> Node:
    words = Node(box=node.box, kind=_TEXT, text=node.text, enabled=node.enabled)
    return replace(node, kind=_GROUP, text="", children=(words,))


def _moves(node: Node) -> bool:
    return node.scroll is not None or node.wheel is not None or node.turns


def _touchable(node: Node) -> bool:
    return node.clickable or node.hold is not None or node.entry is not None


def _shape(node: Node) -> str:
    """Properties that the rows of one list have in common."""
    return f"{node.kind} {node.view_id} {' '.join(child.kind for child in node.children)}"


def _join_texts(children: Sequence[Node], *, poor: bool) -> list[Node]:
    """The children of a row, with one text node for all the row's texts, or without the others if `poor`."""
    inside = [inner for child in children for inner in child.walk()]
    speaking = [node for node in inside if _is_text(node)]
    if len(speaking) < 2 or any(map(_touchable, inside)):
        return list(children)
    first = next((leaf for leaf in speaking if leaf.text), speaking[0])
    others = speaking[:0] if poor else speaking
    return [made for child in children if (made := _keep_first_text(child, first, others)) is not None]


def _join_leaves(children: Sequence[Node]) -> Iterator[Node]:
    """Children, of which text nodes one after another are one node."""
    run: list[Node] = []
    for child in chain(children, [None]):
        if child is not None and _is_text(child) and not _touchable(child):
            run.append(child)
            continue
        if run:
            yield _add_texts(run[0], run) if len(run) > 1 else run[0]
            run = []
        if child is not None:
            yield child


def _is_text(node: Node) -> bool:
    return not node.children and bool(node.text or node.description)


def _keep_first_text(node: Node, first: Node, speaking: Sequence[Node]) -> Node | None:
    """A part of a row in which only its first text is written; None if nothing is left of it."""
    if node is first:
        return _add_texts(first, speaking)
    if _is_text(node):
        return replace(node, text="", description="") if node.kind == _IMAGE else None
    children = tuple(
        made for child in node.children if (made := _keep_first_text(child, first, speaking)) is not None
    )
    return replace(node, children=children) if children or not node.children else None


def _add_texts(first: Node, speaking: Sequence[Node]) -> Node:
    """The first text node, with the other nodes' texts in its description."""
    texts = [text for node in speaking for text in (node.text, node.description) if text]
    own = first.text or first.description
    others = [text for text in dict.fromkeys(texts) if text != own]
    if first.text:
        return replace(first, description=", ".join(others))
    return replace(first, description=", ".join([own, *others]))


def _make_hidden_page(root: Node, frame: PixelBox, number: int) -> Node:
    """A page out of sight: the silent shape of this one, `number` pages further right, clipped."""
    shift = number * frame.width

    # Android clips only the right edge, so boxes beyond it are inverted
    def move_node(node: Node) -> Node:
        left, top, right, bottom = node.box
        box = PixelBox(left + shift, top, min(right + shift, frame.right), bottom)
        children = tuple(map(move_node, node.children))
        # apps that were built for release have such ids
        name = node.view_id or f"{crc32(_shape(node).encode()) % 0x1000:03x}"
        return Node(box=box, kind=node.kind, view_id=name, tap=node.tap, children=children, hidden=True)

    return move_node(root)


def _make_web_node(node: Node, style: PageStyle) -> Node:
    """A node inside a web view: without id and class, some px off."""
    kind = node.kind if node.entry is not None or node.checkable else _VIEW
    return replace(node, box=_shift_edges(node, style), kind=kind, view_id="")


def _shift_edges(node: Node, style: PageStyle) -> PixelBox:
    """A box whose edges are up to 3 px off; its centre moves by less."""
    left, top, right, bottom = node.box
    if node.box.empty or min(right - left, bottom - top) < _SMALLEST:
        return node.box
    rng = random.Random(f"{style.seed} off {_shape(node)}")  # noqa: S311
    return PixelBox(*(edge + rng.randint(-3, 3) for edge in node.box))
