"""Messages of a conversation: text on a plate beside its sender's picture."""

from __future__ import annotations

from dataclasses import dataclass

from simulated_phone.language.language import messages
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.layouts.lists import Cover
from simulated_phone.screens.layouts.widgets import LAYOUT, TEXT, Widget
from simulated_phone.screens.nodes import Fill, Mark, Node, PixelBox, Words
from simulated_phone.screens.theme import INK, PAPER, WHITE, Theme

_ = messages(__name__)

TRANSFER, MINE = "#f2994a", "#95e57c"
"""Hues of money that was sent, and of the phone's owner."""


@dataclass(frozen=True, slots=True)
class Bubble(Widget):
    """A message: sender's picture and text on a plate, at the right if the phone's owner sent it."""

    name: str
    text: str
    mine: bool
    fen: int = 0

    def _wrap_words(self, look: Theme, width: int) -> tuple[tuple[str, ...], int]:
        size = look.px(16)
        room = width - look.px(150)
        lines = fonts.wrap(self.text, size, room, 6)
        return lines, max(fonts.text_width(line, size) for line in lines)

    def height(self, width: int, look: Theme) -> int:
        """Height in px of the text lines and the plate around them."""
        lines, _unused = self._wrap_words(look, width)
        under = look.px(18) if self.fen else 0
        return max(look.px(44), len(lines) * fonts.line_height(look.px(16)) + look.px(20) + under)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Lay out the sender's picture and the plate."""
        _unused, wide = self._wrap_words(look, box.width)
        side, gap, pad = look.px(40), look.px(8), look.px(12)
        wide = max(wide + 2 * pad + 2, look.px(150) if self.fen else 0)
        if self.mine:
            surface = PixelBox(box.right - side, box.top, box.right, box.top + side)
            plate = PixelBox(surface.left - gap - wide, box.top, surface.left - gap, box.bottom)
        else:
            surface = PixelBox(box.left, box.top, box.left + side, box.top + side)
            plate = PixelBox(surface.right + gap, box.top, surface.right + gap + wide, box.bottom)
        cover = Cover(_("我") if self.mine else self.name, room=40, subject="face").place(surface, look)
        return Node(box=box, kind=LAYOUT, children=(cover, self._place_plate(plate, look)))

    def _place_plate(self, plate: PixelBox, look: Theme) -> Node:
        color = TRANSFER if self.fen else MINE if self.mine else PAPER
        ink = WHITE if self.fen else look.ink(INK)
        at = plate.inset(look.px(12), look.px(10))
        if self.fen:
            at = at._replace(bottom=at.bottom - look.px(18))
        size = look.px(16)
        marks: list[Mark] = [
            Fill(box=plate, color=look.plate(color), radius=look.px(8)),
            Words(box=at, text=self.text, size=size, color=ink, lines=6),
        ]
        if self.fen:
            low = at._replace(top=at.bottom, bottom=plate.bottom - look.px(6))
            marks.append(Words(box=low, text=_("转账"), size=look.px(12), color=ink))
        return Node(box=plate, kind=TEXT, text=self.text, view_id="bubble", marks=tuple(marks))
