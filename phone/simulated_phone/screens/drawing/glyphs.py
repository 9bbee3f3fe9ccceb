"""Glyphs of the phone's font, drawn once each: a line of text is their masks side by side.

Pillow's basic layout puts each glyph at the sum of the advances before it, which are whole pixels, without
kerning. So a line composed of glyphs has the pixels that Pillow draws for it at once, and a text that was
never shown before costs no outline and no stroke, as long as its letters were shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from simulated_phone.phone_errors import PhoneSetupError

Mask: TypeAlias = NDArray[np.uint8]
BOLD = 45
"""A bold glyph has a stroke of one part in so many of its size."""
_TALLEST, _SPACE = "\u3031", "\u3000"
"""A letter that reaches above and below all others, and a wide space."""
_GAP = _SPACE * 2
_NOTHING = (10**6, 10**6, -(10**6), -(10**6))
_ALL = (-(10**6), -(10**6), 10**6, 10**6)
MOST_GLYPHS = 4096
"""Glyphs of one size from which on they are drawn anew."""


@lru_cache(maxsize=64)
def load_font(size: int) -> ImageFont.FreeTypeFont:
    """The phone's font at a size in pixels.

    Raises:
        PhoneSetupError: The font's package is not installed.
    """
    try:
        from pylopdf_fonts_zh_cn import sans_path
    except ImportError:
        raise PhoneSetupError("no Chinese font is installed: pip install pylopdf-fonts-zh-cn") from None
    return ImageFont.truetype(str(sans_path()), size, layout_engine=ImageFont.Layout.BASIC)


class _Advances(dict[str, float]):
    """Letter -> how far it moves the ones after it, px."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._font = load_font(size)

    def __missing__(self, letter: str) -> float:
        found = self[letter] = self._font.getlength(letter)
        return found


@lru_cache(maxsize=64)
def advances(size: int) -> _Advances:
    """The advances of the letters of a size, px."""
    return _Advances(size)


class _Drawn(NamedTuple):
    """Glyph drawn at the origin (0, 0) of its baseline.

    Attributes:
        box: The box, px, that Pillow reserves for it without a stroke: left, top, right, bottom. It has no
            limits if the glyph is not bold, as nothing is cut then.
        left: Left edge of its pixels.
        top: Upper edge of its pixels.
        pixels: Its mask; None for a space.
    """

    box: tuple[int, int, int, int]
    left: int
    top: int
    pixels: Mask | None


class _Glyphs(dict[str, _Drawn]):
    """Letter -> its glyph, of one size."""

    def __init__(self, size: int, bold: bool) -> None:
        super().__init__()
        self._size, self._bold = size, bold

    def of(self, text: str) -> list[_Drawn]:
        """The glyphs of a line; those that are not there yet are drawn at once, far apart."""
        if not self.keys() >= {*text}:
            if len(self) > MOST_GLYPHS:
                self.clear()
            self._draw("".join(sorted({*text} - self.keys())))
        return [self[letter] for letter in text]

    def _draw(self, letters: str) -> None:
        size, step = self._size, advances(self._size)
        # Pillow cuts a stroke at the box of the whole line, so a tall letter stands before the others
        line = (_TALLEST if self._bold else "") + "".join(f"{_GAP}{letter}{_GAP}" for letter in letters)
        width = int(sum(step[letter] for letter in line))
        picture = Image.new("L", (width, 5 * size))
        stroke = size / BOLD if self._bold else 0
        canvas = ImageDraw.Draw(picture)
        canvas.text((0, 3 * size), line, font=load_font(size), fill=255, anchor="ls", stroke_width=stroke)
        gap, at = int(sum(step[letter] for letter in _GAP)), step[_TALLEST] if self._bold else 0.0
        for letter in letters:
            wide = int(step[letter]) + 2 * gap
            part = picture.crop((int(at), 0, int(at) + wide, 5 * size))
            self[letter] = self._cut(letter, part, gap)
            at += wide

    def _cut(self, letter: str, part: Image.Image, gap: int) -> _Drawn:
        size = self._size
        left, top, right, bottom = (
            map(int, load_font(size).getbbox(letter, anchor="ls")) if self._bold else _ALL
        )
        found = part.getbbox()
        if found is None:
            return _Drawn((left, top, right, bottom), 0, 0, None)
        pixels = np.array(part.crop(found))
        return _Drawn((left, top, right, bottom), found[0] - gap, found[1] - 3 * size, pixels)


@lru_cache(maxsize=128)
def _glyphs(size: int, bold: bool) -> _Glyphs:
    return _Glyphs(size, bold)


def draw_line_mask(text: str, size: int, bold: bool, shape: tuple[int, int], baseline: int) -> Mask:
    """A line of text as a mask, as `ImageDraw.text` draws it on black from the left edge on.

    Args:
        text: The text, without line breaks.
        size: Its size, px.
        bold: Whether it has a stroke.
        shape: Height and width of the mask, px.
        baseline: Distance of the baseline from the mask's upper edge, px.
    """
    mask = np.zeros(shape, np.uint8)
    step, x = advances(size), 0.0
    found: list[tuple[int, int, Mask]] = []
    low_x, low_y, high_x, high_y = _NOTHING
    for letter, ((left, top, right, bottom), first, up, pixels) in zip(
        text, _glyphs(size, bold).of(text), strict=True
    ):
        at = int(x)
        low_x, low_y = min(low_x, at + left), min(low_y, top)
        high_x, high_y = max(high_x, at + right), max(high_y, bottom)
        if pixels is not None:
            found.append((at + first, baseline + up, pixels))
        x += step[letter]
    if bold:
        # the line's box with its stroke, as Pillow rounds it
        stroke, more = size / BOLD, math.ceil(2 * size / BOLD)
        wide, high = high_x - low_x + more, high_y - low_y + more
        low_x, low_y = round(low_x - stroke), round(low_y - stroke)
        high_x, high_y = low_x + wide, low_y + high
    clip = (
        max(0, low_x), max(0, low_y + baseline), min(shape[1], high_x), min(shape[0], high_y + baseline)
    )  # fmt: skip
    _put(mask, found, clip)
    return mask


def _put(mask: Mask, found: Iterable[tuple[int, int, Mask]], clip: tuple[int, int, int, int]) -> None:
    """Put glyphs at their places; where two of them overlap, each leaves its share of the other's dark."""
    low_x, low_y, high_x, high_y = clip
    end = 0
    for left, top, pixels in found:
        height, width = pixels.shape
        right, bottom = left + width, top + height
        if left < low_x or top < low_y or right > high_x or bottom > high_y:
            first, above = max(left, low_x), max(top, low_y)
            right, bottom = min(right, high_x), min(bottom, high_y)
            if first >= right or above >= bottom:
                continue
            pixels = pixels[above - top : bottom - top, first - left : right - left]
            left, top = first, above
        if left >= end:
            mask[top:bottom, left:right] = pixels
        else:
            part = mask[top:bottom, left:right]
            rest = part.astype(np.uint32) * (255 - pixels) + 128
            part[...] = np.minimum(255, pixels + ((rest >> 8) + rest >> 8))
        end = max(end, right)
