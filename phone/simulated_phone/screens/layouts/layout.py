"""Layout widgets: column, row, grid, card, and the scrolled body of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace

from simulated_phone.screens.layouts.feed import FeedBlock, add_feed
from simulated_phone.screens.layouts.widgets import LAYOUT, Widget
from simulated_phone.screens.nodes import ActionRef, Fill, Mark, Node, PixelBox, ScrollArea
from simulated_phone.screens.theme import PAPER, KeptRows, Theme


@dataclass(frozen=True, slots=True)
class ColumnLayout(Widget):
    """A column of widgets, `gap` dp apart, `pad` dp from the box's left and right."""

    children: Sequence[Widget]
    _: KW_ONLY
    gap: float = 0
    pad: float = 0

    def height(self, width: int, theme: Theme) -> int:
        """Sum of the children's heights and the gaps."""
        inner = width - 2 * theme.px(self.pad)
        gaps = theme.px(self.gap) * max(0, len(self.children) - 1)
        return sum(child.height(inner, theme) for child in self.children) + gaps

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the children from the top, each at its own height."""
        pad, gap = theme.px(self.pad), theme.px(self.gap)
        nodes, y = [], box.top
        for child in self.children:
            height = child.height(box.width - 2 * pad, theme)
            nodes.append(child.place(PixelBox(box.left + pad, y, box.right - pad, y + height), theme))
            y += height + gap
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@dataclass(frozen=True, slots=True)
class RowLayout(Widget):
    """A row of widgets; `widths` are in dp, children with None share the remaining width equally."""

    children: Sequence[Widget]
    widths: Sequence[float | None] = ()
    _: KW_ONLY
    gap: float = 8
    pad: float = 0
    tap: ActionRef | None = None
    hold: ActionRef | None = None
    view_id: str = ""
    description: str = ""

    def _list_spans(self, left: int, right: int, theme: Theme) -> list[tuple[int, int]]:
        gap, widths = theme.px(self.gap), self.widths or [None] * len(self.children)
        fixed = [None if width is None else theme.px(width) for width in widths]
        free = right - left - gap * (len(fixed) - 1) - sum(width or 0 for width in fixed)
        shares = max(1, fixed.count(None))
        spans, x = [], left
        for width in fixed:
            width = max(0, free // shares) if width is None else width
            spans.append((x, x + width))
            x += width + gap
        return spans

    def height(self, width: int, theme: Theme) -> int:
        """Height of the highest child."""
        pad = theme.px(self.pad)
        spans = self._list_spans(pad, width - pad, theme)
        return max(child.height(b - a, theme) for child, (a, b) in zip(self.children, spans, strict=True))

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the children, each centred vertically."""
        pad, nodes = theme.px(self.pad), []
        for child, (left, right) in zip(
            self.children, self._list_spans(box.left + pad, box.right - pad, theme), strict=True
        ):
            height = min(box.height, child.height(right - left, theme))
            top = box.top + (box.height - height) // 2
            nodes.append(child.place(PixelBox(left, top, right, top + height), theme))
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
    """A grid of widgets with `columns` equal cells in each row."""

    children: Sequence[Widget]
    columns: int
    _: KW_ONLY
    gap: float = 8
    pad: float = 0

    def _list_rows(self) -> ColumnLayout:
        rows: list[Widget] = []
        for start in range(0, len(self.children), self.columns):
            cells: list[Widget] = list(self.children[start : start + self.columns])
            cells += [_Empty()] * (self.columns - len(cells))
            rows.append(RowLayout(cells, gap=self.gap))
        return ColumnLayout(rows, gap=self.gap, pad=self.pad)

    def height(self, width: int, theme: Theme) -> int:
        """Sum of the rows' heights and the gaps."""
        return self._list_rows().height(width, theme)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the rows from the top."""
        rows = list(self._list_rows().place(box, theme).children)
        if len(self.children) % self.columns:
            rows[-1] = replace(rows[-1], children=rows[-1].children[: len(self.children) % self.columns])
        return Node(box=box, kind="android.widget.GridView", children=tuple(rows))


@dataclass(frozen=True, slots=True)
class _Empty(Widget):
    """An empty cell of a grid's last row."""

    def height(self, width: int, theme: Theme) -> int:
        return 0

    def place(self, box: PixelBox, theme: Theme) -> Node:
        return Node(box=box)


@dataclass(frozen=True, slots=True)
class Card(Widget):
    """A column of widgets on a plate with round corners; with `tap` the whole card is one button.

    The corners are those of the phone's design unless `radius` gives others.
    """

    children: Sequence[Widget]
    _: KW_ONLY
    color: str = PAPER
    to: str | None = None
    pad: float = 14
    margin: float = 0
    gap: float = 4
    radius: float | None = None
    tap: ActionRef | None = None
    hold: ActionRef | None = None
    view_id: str = ""
    description: str = ""

    def _inner(self, width: int, theme: Theme) -> int:
        return width - 2 * theme.px(self.margin) - 2 * theme.px(self.pad)

    def height(self, width: int, theme: Theme) -> int:
        """Height of the children plus padding."""
        content = ColumnLayout(self.children, gap=self.gap).height(self._inner(width, theme), theme)
        return content + 2 * theme.px(self.pad)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the plate with the children on it."""
        plate = box.inset(theme.px(self.margin), 0)
        content = ColumnLayout(self.children, gap=self.gap).place(plate.inset(theme.px(self.pad)), theme)
        skin = theme.skin
        radius = skin.card if self.radius is None else min(self.radius, skin.field)
        to = skin.plate(self.to) if self.to else None
        fill: Mark = Fill(box=plate, color=skin.plate(self.color), to=to, radius=theme.px(radius))
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
    """A column that scrolls if it is higher than its box; a focused field is scrolled into view."""

    name: str
    children: Sequence[Widget]
    _: KW_ONLY
    gap: float = 0
    pad: float = 0
    bottom: float = 16

    def height(self, width: int, theme: Theme) -> int:
        """Height of the whole content."""
        return ColumnLayout(self.children, gap=self.gap, pad=self.pad).height(width, theme) + theme.px(
            self.bottom
        )

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the visible part of the content; children outside the box are not laid out."""
        pad, gap = theme.px(self.pad), theme.px(self.gap)
        kept = theme.kept_rows.get(self.name)
        if kept is not None and kept.width != box.width:
            kept = None
        rows_of_list = add_feed(self.name, self.children, theme)
        same = _compare_rows(kept, rows_of_list)
        heights, spans, y = [], [], 0
        for number, child in enumerate(rows_of_list):
            height = (
                kept.heights[number] if kept and same[number] else child.height(box.width - 2 * pad, theme)
            )
            heights.append(height)
            spans.append((child, y, y + height))
            y += height + gap
        extent = max(0, y - gap * bool(spans) + theme.px(self.bottom) - box.height)
        offset = min(theme.scroll.get(self.name, 0), extent)
        if theme.focus is not None:
            offset = self._find_offset_with_focus(box, theme, offset, extent)
        nodes: list[Node | None] = []
        rows: dict[int, tuple[PixelBox, PixelBox, Node | None]] = {}
        for number, (child, top, bottom) in enumerate(spans):
            if bottom > offset and top < offset + box.height:
                up = box.top - offset
                at = PixelBox(box.left + pad, up + top, box.right - pad, up + bottom)
                row = kept.nodes.get(number) if kept and same[number] else None
                if row is None or row[0] != at or row[1] != box:
                    row = (at, box, _clip(child.place(at, theme), box))
                rows[number] = row
                nodes += row[2].children if row[2] and isinstance(child, FeedBlock) else [row[2]]
        endless = rows_of_list is not self.children
        if theme.new_rows is not None:
            theme.new_rows[self.name] = KeptRows(box.width, tuple(rows_of_list), heights, rows)
        return Node(
            box=box,
            kind="androidx.recyclerview.widget.RecyclerView",
            view_id=self.name,
            scroll=ScrollArea(name=self.name, offset=offset, extent=extent, endless=endless),
            children=tuple(node for node in nodes if node is not None),
        )

    def _find_offset_with_focus(self, box: PixelBox, theme: Theme, offset: int, extent: int) -> int:
        """The scroll offset nearest to `offset` at which the focused field is visible."""
        rows = add_feed(self.name, self.children, theme)
        content = ColumnLayout(rows, gap=self.gap, pad=self.pad).place(box, theme)
        for node in content.walk():
            if node.focused:
                offset = max(offset, min(extent, node.box.bottom + theme.px(8) - box.bottom))
                offset = min(offset, max(0, node.box.top - box.top))
        return offset


def _compare_rows(kept: KeptRows | None, children: Sequence[Widget]) -> list[bool]:
    """Whether each row is equal to the kept one at its place."""
    if kept is None:
        return []
    same = [old == new for old, new in zip(kept.widgets, children, strict=False)]
    return same + [False] * (len(children) - len(same))


def _clip(node: Node, view: PixelBox) -> Node | None:
    """Clip a node to the view; None if it is entirely outside."""
    at = node.box.clip(view)
    if at.empty:
        return None
    if at == node.box:
        return node
    children = tuple(cut for child in node.children if (cut := _clip(child, view)) is not None)
    return replace(node, box=at, children=children)
