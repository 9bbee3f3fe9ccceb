"""The row of a list."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.layouts.widgets import IMAGE, LAYOUT, TEXT, Widget
from simulated_phone.screens.nodes import ActionRef, Glyph, Node, PixelBox, Words
from simulated_phone.screens.theme import GREY, INK, Theme


@dataclass(frozen=True, slots=True)
class ListRow(Widget):
    """A list row: widget at the left, title and subtitle; text, "›" or a widget at the right.

    `lead` is the width of the widget at the left; without it the `room` that a cover or icon has.
    """

    title: str
    subtitle: str = ""
    _: KW_ONLY
    leading: Widget | None = None
    trailing: Widget | str | None = None
    tap: ActionRef | None = None
    hold: ActionRef | None = None
    view_id: str = ""
    color: str = INK
    bold: bool = False
    size: int = 16
    lines: int = 1
    lead: float | None = None
    trail: float = 56
    pad: float = 16

    @property
    def _lead(self) -> float:
        room: float = getattr(self.leading, "room", 48) if self.lead is None else self.lead
        return room

    def height(self, width: int, theme: Theme) -> int:
        """Height of its content with a margin, at least 54 dp."""
        text = fonts.line_height(theme.px(self.size))
        if self.subtitle:
            left, right = self._find_text_span(PixelBox(0, 0, width, 0), theme)
            size = theme.px(13)
            text += fonts.line_height(size) * len(fonts.wrap(self.subtitle, size, right - left, self.lines))
        inner = max(text, *(w.height(theme.px(self._lead), theme) for w in (self.leading,) if w), 0)
        return max(theme.px(theme.skin.row), inner + theme.px(theme.skin.row_pad))

    def _find_text_span(self, box: PixelBox, theme: Theme) -> tuple[int, int]:
        left, right = box.left + theme.px(self.pad), box.right - theme.px(self.pad)
        if self.leading:
            left += theme.px(self._lead + 12)
        if isinstance(self.trailing, str):
            text = "" if self.trailing == "›" else self.trailing.removesuffix("›")
            size = min(fonts.text_width(text, theme.px(13)) + 2, (right - left) // 2) if text else 0
            right -= size + (theme.px(20) if self.trailing.endswith("›") else 0) + theme.px(8)
        elif self.trailing is not None:
            right -= theme.px(self.trail + 8)
        return left, max(left, right)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the parts as nodes of their own; the row takes the tap."""
        left, right = self._find_text_span(box, theme)
        nodes: list[Node] = []
        if self.leading:
            width = theme.px(self._lead)
            height = min(self.leading.height(width, theme), box.height)
            at = PixelBox(
                box.left + theme.px(self.pad), box.top, box.left + theme.px(self.pad) + width, box.bottom
            )
            nodes.append(self.leading.place(at.middle(width, height), theme))
        nodes += self._place_texts(box, left, right, theme)
        nodes += self._place_trailing(box, right, theme)
        return Node(
            box=box,
            kind=LAYOUT,
            view_id=self.view_id,
            tap=self.tap,
            hold=self.hold,
            children=tuple(nodes),
        )

    def _place_texts(self, box: PixelBox, left: int, right: int, theme: Theme) -> list[Node]:
        size, small = theme.px(self.size), theme.px(13)
        line = fonts.line_height(size)
        under = 0
        if self.subtitle:
            under = fonts.line_height(small) * len(fonts.wrap(self.subtitle, small, right - left, self.lines))
        top = box.top + (box.height - line - under) // 2
        at = PixelBox(left, top, right, top + line)
        title = Words(box=at, text=self.title, size=size, color=theme.ink(self.color), bold=self.bold)
        nodes = [Node(box=at, kind=TEXT, text=self.title, view_id="title", marks=(title,))]
        if self.subtitle:
            at = PixelBox(left, top + line, right, top + line + under)
            words = Words(box=at, text=self.subtitle, size=small, color=theme.ink(GREY), lines=self.lines)
            nodes.append(Node(box=at, kind=TEXT, text=self.subtitle, view_id="summary", marks=(words,)))
        return nodes

    def _place_trailing(self, box: PixelBox, right: int, theme: Theme) -> list[Node]:
        end = box.right - theme.px(self.pad)
        if isinstance(self.trailing, str):
            nodes: list[Node] = []
            if self.trailing.endswith("›"):
                side = theme.px(16)
                arrow = PixelBox(end - side, box.top, end, box.bottom).middle(side, side)
                mark = Glyph(box=arrow, name="chevron", color=theme.ink("chevron"))
                nodes.append(Node(box=arrow, kind=IMAGE, marks=(mark,)))
                end -= theme.px(20)
            if text := self.trailing.removesuffix("›"):
                line = fonts.line_height(theme.px(13))
                at = PixelBox(right + theme.px(8), box.top, end, box.bottom)
                at = at.middle(at.width, line)
                words = Words(box=at, text=text, size=theme.px(13), color=theme.ink(GREY), align="right")
                nodes.append(Node(box=at, kind=TEXT, text=text, marks=(words,)))
            return nodes
        if self.trailing is None:
            return []
        width = theme.px(self.trail)
        height = min(self.trailing.height(width, theme), box.height)
        return [
            self.trailing.place(PixelBox(end - width, box.top, end, box.bottom).middle(width, height), theme)
        ]
