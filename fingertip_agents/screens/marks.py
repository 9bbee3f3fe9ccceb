"""Numbers and grids drawn on a screenshot, for agents that answer with a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from fingertip_agents.screens.scale import Scale
from fingertip_dataset.pictures import write_jpeg
from fingertip_dataset.screen_decoder import open_resized
from fingertip_dataset.ui_tree.accessibility import Box

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

CELL = 120
"""Approximate side of a grid area, px: a finger's width on a screen 1080 px wide."""

_COLOURS = ("#d50000", "#1a4fd6", "#00702f", "#8e24aa", "#b34700")
_DIGITS, _GRID_DIGITS, _SMALLEST_DIGITS = 1 / 36, 1 / 48, 14


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedMark:
    """A numbered element.

    Attributes:
        box: Box of the element, device px.
        words: Label of the element on one line; "" for none.
    """

    box: Box
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedGrid:
    """A screen divided into areas of about `CELL` px, numbered from 1, row by row.

    >>> grid = NumberedGrid(size=(1080, 2400))
    >>> grid.columns, grid.rows, grid.area(10)
    (9, 20, Box(left=0, top=120, right=120, bottom=240))
    """

    size: tuple[int, int]

    @property
    def columns(self) -> int:
        """Number of areas per row."""
        return max(1, round(self.size[0] / CELL))

    @property
    def rows(self) -> int:
        """Number of areas per column."""
        return max(1, round(self.size[1] / CELL))

    def area(self, number: int) -> Box:
        """Box of an area, device px; `number` is 1 to `columns * rows`."""
        row, column = divmod(number - 1, self.columns)
        width, height = self.size
        return Box(
            left=column * width // self.columns,
            top=row * height // self.rows,
            right=(column + 1) * width // self.columns,
            bottom=(row + 1) * height // self.rows,
        )


def draw_numbers(screenshot: bytes, marks: Sequence[NumberedMark], scale: Scale) -> bytes:
    """Draw a frame and a number, counted from 1, on the box of each mark.

    The number is in the upper left corner of its box, or right of the numbers already drawn there.

    Args:
        screenshot: A PNG or JPEG file's bytes.
        marks: Marks in the order of their numbers.
        scale: Size of the screen and of the picture.

    Returns:
        A JPEG file's bytes.

    Raises:
        InputError: The screenshot is no picture.
    """
    from PIL import ImageDraw

    image = open_resized(screenshot, scale.shown)
    draw, font = ImageDraw.Draw(image), _load_font(image, _DIGITS)
    shown = [scale.box_in_picture(mark.box) for mark in marks]
    for number, box in enumerate(shown):
        edges = (box.left, box.top, box.right - 1, box.bottom - 1)
        draw.rectangle(edges, outline=_choose_colour(number), width=max(1, image.width // 360))
    taken: list[Box] = []
    for number, box in enumerate(shown):
        text = str(number + 1)
        place = _find_free_place(box, _measure_label(text, font), taken, image.size)
        _draw_label(draw, text, place, font, _choose_colour(number))
        taken.append(place)
    return write_jpeg(image)


def draw_grid(screenshot: bytes, grid: NumberedGrid, scale: Scale) -> bytes:
    """Draw the grid's lines and a number in each area; arguments and errors as in `draw_numbers`."""
    from PIL import ImageDraw

    image = open_resized(screenshot, scale.shown)
    draw, font = ImageDraw.Draw(image), _load_font(image, _GRID_DIGITS)
    for number in range(1, grid.columns * grid.rows + 1):
        box = scale.box_in_picture(grid.area(number))
        draw.rectangle((box.left, box.top, box.right, box.bottom), outline=_COLOURS[0])
        place = _place(box.left, box.top, _measure_label(str(number), font))
        _draw_label(draw, str(number), place, font, _COLOURS[0])
    return write_jpeg(image)


def _choose_colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _load_font(image: Image, digits: float) -> FreeTypeFont:
    from PIL import ImageFont

    # only with a size does Pillow return its bundled scalable font
    return cast("FreeTypeFont", ImageFont.load_default(max(_SMALLEST_DIGITS, round(image.width * digits))))


def _measure_label(text: str, font: FreeTypeFont) -> tuple[int, int]:
    size = round(font.size)
    return round(font.getlength(text)) + size // 3, size + size // 6


def _place(left: int, top: int, size: tuple[int, int]) -> Box:
    return Box(left=left, top=top, right=left + size[0], bottom=top + size[1])


def _find_free_place(box: Box, size: tuple[int, int], taken: Sequence[Box], picture: tuple[int, int]) -> Box:
    """Place of a box's number: its upper left corner, or right of the numbers already there."""
    across, down = size
    # above a low element, because inside it would hide the text
    top = box.top - down if box.height < 3 * down and box.top >= down else box.top
    place = _place(min(box.left, picture[0] - across), min(top, picture[1] - down), size)
    for other in sorted(taken, key=lambda other: other.left):
        if place.overlaps(other) and other.right + across <= picture[0]:
            place = _place(other.right, place.top, size)
    return place


def _draw_label(draw: ImageDraw, text: str, place: Box, font: FreeTypeFont, colour: str) -> None:
    """Draw a number in white on a coloured rectangle."""
    draw.rectangle((place.left, place.top, place.right - 1, place.bottom - 1), fill=colour)
    middle = ((place.left + place.right) / 2, (place.top + place.bottom) / 2)
    draw.text(middle, text, fill="white", font=font, anchor="mm")
