"""The drawn steps of a week."""

from __future__ import annotations

from dataclasses import dataclass

from simulated_phone.language.language import messages
from simulated_phone.screens.layouts.widgets import IMAGE, Widget
from simulated_phone.screens.nodes import Fill, Mark, Node, PixelBox, Words
from simulated_phone.screens.theme import GREY, INK, Theme

_ = messages(__name__)


@dataclass(frozen=True, slots=True)
class DayBars(Widget):
    """A bar for each day, with its number above and its name below."""

    values: tuple[int, ...]
    names: tuple[str, ...]

    def height(self, width: int, theme: Theme) -> int:
        """A fixed 190 dp."""
        return theme.px(190)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the bars; the highest value takes the whole height."""
        marks: list[Mark] = []
        grey, ink = theme.ink(GREY), theme.ink(INK)
        step, line, room = box.width // len(self.values), theme.px(18), box.height - theme.px(44)
        for place, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            left = box.left + place * step
            high = max(theme.px(4), room * value // max(self.values))
            bar = PixelBox(left, box.bottom - line - high, left + step, box.bottom - line)
            color = (theme.plate if place == len(self.values) - 1 else theme.tint)(theme.accent)
            marks.append(Fill(box=bar.middle(theme.px(24), bar.height), color=color, radius=theme.px(6)))
            above = bar._replace(top=bar.top - line, bottom=bar.top)
            marks.append(Words(box=above, text=str(value), size=theme.px(11), color=grey, align="center"))
            below = bar._replace(top=bar.bottom, bottom=box.bottom)
            marks.append(Words(box=below, text=name, size=theme.px(12), color=ink, align="center"))
        words = _("，").join(
            _("{name}{value}步").format(name=name, value=value)
            for name, value in zip(self.names, self.values, strict=True)
        )
        return Node(box=box, kind=IMAGE, description=words, marks=tuple(marks))
