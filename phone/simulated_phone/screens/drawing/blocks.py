"""Blocks: parts of screens as pixels, drawn once and then copied; nothing but their arguments decides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from simulated_phone.screens.drawing import fonts, icons
from simulated_phone.screens.drawing.display_list import IconMark, MarkGroup, Piece, TextLine
from simulated_phone.screens.drawing.paint import draw_corner_masks, draw_gradient, paint_mark
from simulated_phone.screens.nodes import Fill, Glyph, Mark, Picture, PixelBox, Words
from simulated_phone.screens.screen import DARKENED

Pixels: TypeAlias = NDArray[np.uint8]
Color: TypeAlias = tuple[int, int, int]


class Blend(NamedTuple):
    """A part of a gradient from top to bottom: `height` px high, from `top` px on, darkened `times`."""

    first: str
    last: str
    height: int
    top: int
    times: int


Backdrop: TypeAlias = Color | Blend
"""What lies under a piece."""

DARKER = np.array(DARKENED, dtype=np.uint8)
"""Channel value -> its value on a page under a dialog."""


def list_marks(piece: Piece) -> Sequence[Mark]:
    """The marks that a piece draws."""
    content = piece.content
    if isinstance(content, TextLine | IconMark):
        box = PixelBox(*piece[:4])
    if isinstance(content, TextLine):
        return (Words(box=box, text=content.text, size=content.size, color=content.color, bold=content.bold),)
    if isinstance(content, IconMark):
        return (Glyph(box=box, name=content.name, color=content.color),)
    return content.marks if isinstance(content, MarkGroup) else (content,)


@lru_cache(maxsize=1024)
def darken(color: str, times: int) -> Color:
    """A colour, darkened a number of times."""
    red, green, blue = ImageColor.getrgb(color)[:3]
    for _ in range(times):
        red, green, blue = DARKENED[red], DARKENED[green], DARKENED[blue]
    return red, green, blue


@lru_cache(maxsize=256)
def row(color: Color, width: int) -> Pixels:
    """A row of one colour, shape (1, width, 3)."""
    return np.full((1, width, 3), color, np.uint8)


def _darken_picture(picture: Image.Image, times: int) -> Pixels:
    pixels = np.asarray(picture)
    for _ in range(times):
        pixels = DARKER[pixels]
    return pixels


def _draw_ground(ground: Backdrop, width: int, height: int) -> Image.Image:
    if not isinstance(ground, Blend):
        return Image.new("RGB", (width, height), ground)
    # one column is enough, as rows of a gradient have one colour each
    column = draw_gradient(ground.first, ground.last, 1, ground.height)
    part = column.crop((0, ground.top, 1, ground.top + height))
    for _ in range(ground.times):
        part = part.point(DARKENED * 3)
    return part.resize((width, height), Image.Resampling.NEAREST)


@lru_cache(maxsize=1024)
def _blend_shades(color: str, ground: Color, dim: int) -> Pixels:
    """Value of a mask -> what a colour is there on a ground, shape (256, 3)."""
    # Pillow's rounding of each of the 256 shares is asked for once, so that a table look-up gives its pixels
    shares = Image.frombytes("L", (256, 1), bytes(range(256)))
    shades: Pixels = _blend_mask(shares, color, ground, dim)[0]
    return shades


def _blend_on_ground(mask: Image.Image, color: str, ground: Backdrop, dim: int) -> Pixels:
    if isinstance(ground, Blend):
        return _blend_mask(mask, color, ground, dim)
    return _blend_shades(color, ground, dim).take(np.asarray(mask), axis=0)


def _blend_mask(mask: Image.Image, color: str, ground: Backdrop, dim: int) -> Pixels:
    picture = _draw_ground(ground, *mask.size)
    picture.paste(color, (0, 0), mask)
    return _darken_picture(picture, dim)


@lru_cache(maxsize=256)
def draw_corner_blocks(
    radius: int, color: str, high: Backdrop, low: Backdrop, dim: int
) -> tuple[Pixels, ...]:
    """A fill's round corners: upper left, upper right, lower right, lower left.

    Args:
        radius: Their radius, px.
        color: The fill's colour.
        high: What lies under the upper ones.
        low: What lies under the lower ones.
        dim: How often they are darkened.
    """
    grounds = (high, high, low, low)
    return tuple(
        _blend_on_ground(mask, color, ground, dim)
        for mask, ground in zip(draw_corner_masks(radius), grounds, strict=True)
    )


_BLOCKS: WeakValueDictionary[tuple[object, ...], Pixels] = WeakValueDictionary()
"""The blocks that somebody still holds."""


def draw_gradient_pixels(first: str, last: str, width: int, height: int, dim: int) -> Pixels:
    """A gradient from top to bottom, darkened `dim` times."""
    key = (first, last, width, height, dim)
    found = _BLOCKS.get(key)
    if found is None:
        found = _BLOCKS[key] = _darken_picture(draw_gradient(first, last, width, height), dim)
    return found


def block_of(piece: Piece, ground: Backdrop, dim: int) -> Pixels:
    """A piece drawn on a ground of its own, shape (height, width, 3) of the piece's box."""
    content, left, top = piece.content, piece.left, piece.top
    key: tuple[object, ...]
    if isinstance(content, TextLine | IconMark):
        key = (content, ground, dim)
    else:
        key = (ground, dim, *(_describe_mark(mark, left, top) for mark in list_marks(piece)))
    block = _BLOCKS.get(key)
    if block is not None:
        return block
    if isinstance(content, TextLine):
        if isinstance(ground, Blend):
            mask = fonts.mask(content.text, content.size, content.bold)
            block = _blend_mask(mask, content.color, ground, dim)
        else:
            pixels = fonts.mask_pixels(content.text, content.size, content.bold)
            block = _blend_shades(content.color, ground, dim).take(pixels, axis=0)
    elif isinstance(content, IconMark):
        block = _blend_on_ground(icons.mask(content.name, content.side), content.color, ground, dim)
    else:
        picture = _draw_ground(ground, piece.right - left, piece.bottom - top)
        for mark in list_marks(piece):
            paint_mark(picture, mark, left, top)
        block = _darken_picture(picture, dim)
    # not an LRU cache: a block lives as long as a kept window copies it, and no longer
    _BLOCKS[key] = block
    return block


def _describe_mark(mark: Mark, left: int, top: int) -> tuple[object, ...]:
    """Values that a mark's pixels depend on, with its box relative to a point."""
    box = mark.box
    at = (box.left - left, box.top - top, box.right - left, box.bottom - top)
    if isinstance(mark, Fill):
        return at, mark.color, mark.radius, mark.to
    if isinstance(mark, Words):
        return at, mark.text, mark.size, mark.color, mark.align, mark.bold, mark.lines
    if isinstance(mark, Picture):
        return at, mark.subject, mark.name, mark.radius, mark.tint
    return at, mark.name, mark.color
