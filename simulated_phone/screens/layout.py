"""Widgets that hold widgets: column, row, grid, card, wrapped chips, and the scrolled body of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace

from simulated_phone.screens.nodes import ActionRef, Fill, Mark, Node, PixelBox, ScrollArea
from simulated_phone.screens.theme import PAPER, Theme
from simulated_phone.screens.widgets import LAYOUT, Widget


@dataclass(frozen=True, slots=True)
class ColumnLayout(Widget):
    """Widgets under each other, `gap` dp apart, `pad` dp from the box's left and right."""

    children: Sequence[Widget]
    _: KW_ONLY
    gap: float = 0
    pad: float = 0

    def height(self, width: int, look: Theme) -> int:
        """The sum of its children."""
        inner = width - 2 * look.px(self.pad)
        gaps = look.px(self.gap) * max(0, len(self.children) - 1)
        return sum(child.height(inner, look) for child in self.children) + gaps

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Each child at its height, from the top."""
        pad, gap = look.px(self.pad), look.px(self.gap)
        nodes, y = [], box.top
        for child in self.children:
            height = child.height(box.width - 2 * pad, look)
            nodes.append(child.place(PixelBox(box.left + pad, y, box.right - pad, y + height), look))
            y += height + gap
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@dataclass(frozen=True, slots=True)
class RowLayout(Widget):
    """Widgets beside each other. `widths`: dp of each child, None shares the rest equally."""

    children: Sequence[Widget]
    widths: Sequence[float | None] = ()
    _: KW_ONLY
    gap: float = 8
    pad: float = 0
    tap: ActionRef | None = None
    hold: ActionRef | None = None
    view_id: str = ""
    description: str = ""

    def _spans(self, left: int, right: int, look: Theme) -> list[tuple[int, int]]:
        gap, widths = look.px(self.gap), self.widths or [None] * len(self.children)
        fixed = [None if width is None else look.px(width) for width in widths]
        free = right - left - gap * (len(fixed) - 1) - sum(width or 0 for width in fixed)
        shares = max(1, fixed.count(None))
        spans, x = [], left
        for width in fixed:
            width = max(0, free // shares) if width is None else width
            spans.append((x, x + width))
            x += width + gap
        return spans

    def height(self, width: int, look: Theme) -> int:
        """The highest child."""
        pad = look.px(self.pad)
        spans = self._spans(pad, width - pad, look)
        return max(child.height(b - a, look) for child, (a, b) in zip(self.children, spans, strict=True))

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Each child centred in the row's height."""
        pad, nodes = look.px(self.pad), []
        for child, (left, right) in zip(
            self.children, self._spans(box.left + pad, box.right - pad, look), strict=True
        ):
            height = min(box.height, child.height(right - left, look))
            top = box.top + (box.height - height) // 2
            nodes.append(child.place(PixelBox(left, top, right, top + height), look))
        return Node(
            box=box,
            kind=LAYOUT,
            tap=self.tap,
            hold=self.hold,
            view_id=self.view_id,
            description=self.description,
            children=tuple(nodes),
        )


@dataclass(frozen=True, slots=True)
class GridLayout(Widget):
    """Widgets in rows of `columns` equal cells."""

    children: Sequence[Widget]
    columns: int
    _: KW_ONLY
    gap: float = 8
    pad: float = 0

    def _rows(self) -> ColumnLayout:
        rows: list[Widget] = []
        for start in range(0, len(self.children), self.columns):
            cells: list[Widget] = list(self.children[start : start + self.columns])
            cells += [_Empty()] * (self.columns - len(cells))
            rows.append(RowLayout(cells, gap=self.gap))
        return ColumnLayout(rows, gap=self.gap, pad=self.pad)

    def height(self, width: int, look: Theme) -> int:
        """The sum of its rows."""
        return self._rows().height(width, look)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Rows under each other."""
        rows = list(self._rows().place(box, look).children)
        if len(self.children) % self.columns:
            rows[-1] = replace(rows[-1], children=rows[-1].children[: len(self.children) % self.columns])
        return Node(box=box, kind="android.widget.GridView", children=tuple(rows))


@dataclass(frozen=True, slots=True)
class _Empty(Widget):
    """The cell of a grid's last row that nothing is in."""

    def height(self, width: int, look: Theme) -> int:
        return 0

    def place(self, box: PixelBox, look: Theme) -> Node:
        return Node(box=box)


@dataclass(frozen=True, slots=True)
class Card(Widget):
    """Widgets on a plate with round corners; with `tap` the whole card is one button."""

    children: Sequence[Widget]
    _: KW_ONLY
    color: str = PAPER
    to: str | None = None
    pad: float = 14
    margin: float = 0
    gap: float = 4
    radius: float = 14
    tap: ActionRef | None = None
    hold: ActionRef | None = None
    view_id: str = ""
    description: str = ""

    def _inner(self, width: int, look: Theme) -> int:
        return width - 2 * look.px(self.margin) - 2 * look.px(self.pad)

    def height(self, width: int, look: Theme) -> int:
        """Its children and the padding."""
        content = ColumnLayout(self.children, gap=self.gap).height(self._inner(width, look), look)
        return content + 2 * look.px(self.pad)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The plate, then the children on it."""
        plate = box.inset(look.px(self.margin), 0)
        content = ColumnLayout(self.children, gap=self.gap).place(plate.inset(look.px(self.pad)), look)
        fill: Mark = Fill(box=plate, color=self.color, to=self.to, radius=look.px(self.radius))
        return Node(
            box=plate,
            kind="android.widget.FrameLayout",
            tap=self.tap,
            hold=self.hold,
            view_id=self.view_id,
            description=self.description,
            marks=(fill,),
            children=content.children,
        )


@dataclass(frozen=True, slots=True)
class ScrollLayout(Widget):
    """A column that scrolls up and down when it is higher than its box. A focused field is kept in sight."""

    name: str
    children: Sequence[Widget]
    _: KW_ONLY
    gap: float = 0
    pad: float = 0
    bottom: float = 16

    def height(self, width: int, look: Theme) -> int:
        """The whole content."""
        return ColumnLayout(self.children, gap=self.gap, pad=self.pad).height(width, look) + look.px(
            self.bottom
        )

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The part of the content that the scroll position shows; what is out of sight is not laid out."""
        pad, gap = look.px(self.pad), look.px(self.gap)
        spans, y = [], 0
        for child in self.children:
            height = child.height(box.width - 2 * pad, look)
            spans.append((child, y, y + height))
            y += height + gap
        extent = max(0, y - gap * bool(spans) + look.px(self.bottom) - box.height)
        offset = min(look.scroll.get(self.name, 0), extent)
        if look.focus is not None:
            offset = self._seen(box, look, offset, extent)
        nodes = []
        for child, top, bottom in spans:
            if bottom > offset and top < offset + box.height:
                up = box.top - offset
                whole = child.place(PixelBox(box.left + pad, up + top, box.right - pad, up + bottom), look)
                nodes.append(_clip(whole, box))
        return Node(
            box=box,
            kind="androidx.recyclerview.widget.RecyclerView",
            view_id=self.name,
            scroll=ScrollArea(name=self.name, offset=offset, extent=extent),
            children=tuple(node for node in nodes if node is not None),
        )

    def _seen(self, box: PixelBox, look: Theme, offset: int, extent: int) -> int:
        """The nearest scroll position at which the focused field is in sight."""
        content = ColumnLayout(self.children, gap=self.gap, pad=self.pad).place(box, look)
        for node in content.walk():
            if node.focused:
                offset = max(offset, min(extent, node.box.bottom + look.px(8) - box.bottom))
                offset = min(offset, max(0, node.box.top - box.top))
        return offset


def _clip(node: Node, view: PixelBox) -> Node | None:
    """The node cut at the view; None when nothing of it is seen."""
    at = node.box.clip(view)
    if at.empty:
        return None
    if at == node.box:
        return node
    children = tuple(cut for child in node.children if (cut := _clip(child, view)) is not None)
    return replace(node, box=at, children=children)
