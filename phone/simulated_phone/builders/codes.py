"""Square codes that a till or a gate scans."""

from __future__ import annotations

import random
from dataclasses import KW_ONLY, dataclass

from simulated_phone.screens.layouts.widgets import IMAGE, Widget
from simulated_phone.screens.nodes import Fill, Mark, Node, PixelBox
from simulated_phone.screens.theme import WHITE, Exact, Theme

BLACK = Exact("#1c1d21")
CELLS, CORNER = 25, 7
"""Cells of a side, and of a side of the marks in three corners."""


@dataclass(frozen=True, slots=True)
class SquareCode(Widget):
    """A drawn square code of a text, in the middle of its box; it cannot be scanned."""

    text: str
    _: KW_ONLY
    room: float = 180

    def height(self, width: int, theme: Theme) -> int:
        """Height of the code: its `room` in px."""
        return theme.px(self.room)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the cells that are dark, those of a row side by side as one."""
        step = max(1, min(box.width, box.height) // CELLS)
        at = box.middle(step * CELLS, step * CELLS)
        rng = random.Random(self.text)  # noqa: S311 - a picture, not a secret
        # black on white in every design, as scanners want it
        marks: list[Mark] = [Fill(box=at.inset(-step), color=WHITE)] if theme.skin.dark else []
        for row in range(CELLS):
            start = None
            for column in range(CELLS + 1):
                dark = column < CELLS and rng.random() < 0.5 and not _in_corner(row, column)
                if dark and start is None:
                    start = column
                elif not dark and start is not None:
                    y = at.top + row * step
                    span = PixelBox(at.left + start * step, y, at.left + column * step, y + step)
                    marks.append(Fill(box=span, color=BLACK))
                    start = None
        for x, y in ((0, 0), (0, CELLS - CORNER), (CELLS - CORNER, 0)):
            left, top = at.left + x * step, at.top + y * step
            corner = PixelBox(left, top, left + CORNER * step, top + CORNER * step)
            colors = (BLACK, WHITE, BLACK)
            marks += [Fill(box=corner.inset(cut * step), color=color) for cut, color in enumerate(colors)]
        return Node(box=box, kind=IMAGE, description=f"{self.text}", marks=tuple(marks))


def _in_corner(row: int, column: int) -> bool:
    near = range(-1, CORNER + 1)
    ends = (row in near or CELLS - 1 - row in near, column in near or CELLS - 1 - column in near)
    return all(ends) and not (CELLS - 1 - row in near and CELLS - 1 - column in near)
