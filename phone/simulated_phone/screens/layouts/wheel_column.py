"""Wheel pickers as Android's NumberPicker: three values in a column, of which the middle one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace

from simulated_phone.language.language import gettext
from simulated_phone.screens.layouts.widgets import BUTTON, EDIT, TEXT, Widget
from simulated_phone.screens.nodes import (
    ActionValue,
    Fill,
    Mark,
    Node,
    PixelBox,
    TextEntry,
    WheelArea,
    Words,
)
from simulated_phone.screens.theme import GREY, INK, Theme

ROW_DP = 48
"""Height of a row."""
INPUT_ID = "android:id/numberpicker_input"


def field_of(name: str) -> str:
    """The name of the text field in the middle of the wheel of that name."""
    return f"wheel_{name}"


@dataclass(frozen=True, slots=True)
class WheelColumn(Widget):
    """Wheel of values: a swipe turns it and it comes to rest on a row, a tap on a neighbour turns it by one.

    A tap on the middle selects its value for typing, where it is `typed`. What a turn does is the handler
    "turn" with the wheel's name and the value.

    Args:
        name: The page's argument that has the chosen value.
        title: Description of the wheel, and hint of its text field.
        values: The values, from top to bottom.
        labels: What is shown for each.
        chosen: Index of the chosen one.
        wraps: Whether the first value follows the last one.
        typed: Whether a value can be typed.
        view_id: Resource id.
        room: Width, dp, where there is room.
    """

    name: str
    _: KW_ONLY
    title: str
    values: Sequence[ActionValue]
    labels: Sequence[str]
    chosen: int
    wraps: bool = True
    typed: bool = True
    view_id: str = ""
    room: float = 76

    def height(self, width: int, theme: Theme) -> int:
        """Three rows."""
        return 3 * theme.px(ROW_DP)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the value above, the chosen one between two lines, and the one below."""
        row = theme.px(ROW_DP)
        wheel = WheelArea(
            name=self.name, values=tuple(self.values), index=self.chosen, row=row, wraps=self.wraps
        )
        tops = [box.top + row * number for number in range(3)]
        above, middle, below = (PixelBox(box.left, top, box.right, top + row) for top in tops)
        nodes = [self._neighbour(wheel, -1, above, theme), self._middle(wheel, middle, theme)]
        nodes.append(self._neighbour(wheel, 1, below, theme))
        line = max(1, theme.px(1.5))
        edge = theme.plate(theme.accent)
        marks = tuple(
            Fill(box=PixelBox(box.left, y, box.right, y + line), color=edge)
            for y in (middle.top, middle.bottom - line)
        )
        return Node(
            box=box,
            kind="android.widget.NumberPicker",
            description=self.title,
            view_id=self.view_id,
            wheel=wheel,
            marks=marks,
            children=tuple(node for node in nodes if node is not None),
        )

    def _neighbour(self, wheel: WheelArea, rows: int, box: PixelBox, theme: Theme) -> Node | None:
        index = wheel.turned(rows)
        if index == self.chosen:
            return None
        text = self.labels[index]
        return Node(
            box=box,
            kind=BUTTON,
            text=text,
            tap=wheel.action(index),
            marks=(_words(box, text, 16, GREY, theme),),
        )

    def _middle(self, wheel: WheelArea, box: PixelBox, theme: Theme) -> Node:
        name, text = field_of(self.name), self.labels[self.chosen]
        focused = self.typed and theme.focus == name
        if focused:
            text = theme.fields.get(name, "")
        marks: list[Mark] = [_words(box, text, 20, INK, theme, bold=True)]
        entry = TextEntry(name=name, enter=gettext("完成"), replaces=wheel.action(self.chosen))
        return Node(
            box=box,
            kind=EDIT,
            text=text,
            hint=self.title,
            view_id=INPUT_ID,
            entry=entry if self.typed else None,
            focused=focused,
            marks=tuple(marks),
        )


@dataclass(frozen=True, slots=True)
class WheelRow(Widget):
    """Several wheels in a row, in the middle of the box; `between` is written after the first one."""

    columns: Sequence[WheelColumn]
    _: KW_ONLY
    kind: str = "android.widget.LinearLayout"
    view_id: str = ""
    between: str = ""

    def height(self, width: int, theme: Theme) -> int:
        """Height of the wheels in px."""
        return 3 * theme.px(ROW_DP)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the wheels from left to right."""
        gap = theme.px(16)
        gaps = gap * (len(self.columns) - 1)
        wanted = [theme.px(column.room) for column in self.columns]
        # a margin is left free, so that a finger can move the page
        free = max(1, box.width - 2 * theme.px(12) - gaps)
        widths = [max(1, width * min(free, sum(wanted)) // sum(wanted)) for width in wanted]
        left = box.left + (box.width - sum(widths) - gaps) // 2
        nodes: list[Node] = []
        for column, width in zip(self.columns, widths, strict=True):
            at = PixelBox(left, box.top, left + width, box.bottom)
            nodes.append(column.place(at, theme))
            if self.between and column is self.columns[0]:
                space = PixelBox(at.right, box.top, at.right + gap, box.bottom)
                mark = _words(space, self.between, 20, INK, theme, bold=True)
                line = space.middle(gap, theme.px(ROW_DP))
                nodes.append(
                    Node(
                        box=line,
                        kind=TEXT,
                        text=self.between,
                        view_id="android:id/divider",
                        marks=(replace(mark, box=line),),
                    )
                )
            left += width + gap
        return Node(box=box, kind=self.kind, view_id=self.view_id, children=tuple(nodes))


def _words(box: PixelBox, text: str, size: int, color: str, theme: Theme, *, bold: bool = False) -> Words:
    return Words(box=box, text=text, size=theme.px(size), color=theme.ink(color), align="center", bold=bold)
