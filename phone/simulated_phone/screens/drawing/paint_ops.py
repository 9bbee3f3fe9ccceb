"""Carrying out drawing operations: parts of screens copied or blended into an array."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from PIL import Image

from simulated_phone.screens.drawing.blocks import DARKER, Pixels, list_marks
from simulated_phone.screens.drawing.display_list import Box, Piece
from simulated_phone.screens.drawing.paint import paint_mark

Operation: TypeAlias = tuple[int, int, int, int, Pixels | None, Piece | None]
"""One operation: left, top, right and bottom of the box that it changes, px, a block and a piece.

The block is the box's new pixels, shape (height, width, 3); height 1 for a colour that fills it. It is None
for a piece that is blended with what is there. With neither block nor piece all that is drawn so far is
darkened. A plain tuple, as there are very many.
"""


def paint_region(pixels: Pixels, found: Iterable[Operation], region: Box) -> None:
    """Carry out operations.

    Args:
        pixels: The pixels of the region, to be changed.
        found: The operations, the lowest first; they cover the region.
        region: The part of the screen that the pixels are.
    """
    low_x, low_y, high_x, high_y = region
    # comparisons in place of boxes, as this is done for every piece of every screen
    for left, top, right, bottom, block, piece in found:
        if left >= high_x or right <= low_x or top >= high_y or bottom <= low_y:
            continue
        if block is not None and left >= low_x and top >= low_y and right <= high_x and bottom <= high_y:
            pixels[top - low_y : bottom - low_y, left - low_x : right - low_x] = block
            continue
        first_x, end_x = left if left > low_x else low_x, right if right < high_x else high_x
        first_y, end_y = top if top > low_y else low_y, bottom if bottom < high_y else high_y
        part = pixels[first_y - low_y : end_y - low_y, first_x - low_x : end_x - low_x]
        if piece is not None:
            _blend(part, piece, first_x, first_y)
        elif block is None:
            part[...] = DARKER[part]
        elif len(block) == 1:
            part[...] = block[:, first_x - left : end_x - left]
        else:
            part[...] = block[first_y - top : end_y - top, first_x - left : end_x - left]


def _blend(part: Pixels, piece: Piece, left: int, top: int) -> None:
    """Draw a piece on what is there, which has more than one colour, and whose corner is at (left, top)."""
    picture = Image.fromarray(part)
    for mark in list_marks(piece):
        paint_mark(picture, mark, left, top)
    part[...] = np.asarray(picture)
