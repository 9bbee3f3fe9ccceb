"""Glyphs of the phone's font, drawn once each: a line of text is their masks side by side.

Pillow's basic layout puts each glyph at the sum of the advances before it, which are whole pixels, without
kerning. So a line composed of glyphs has the pixels that Pillow draws for it at once, and a text that was never
shown before costs no outline and no stroke, as long as its letters were shown.
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
_NOTHING = (10**6, 10**6, -(10**6), -(10**6))


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
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
        self._font = font(size)

    def __missing__(self, letter: str) -> float:
        found = self[letter] = self._font.getlength(letter)
        return found


@lru_cache(maxsize=64)
def advances(size: int) -> _Advances:
    """The advances of the letters of a size, px."""
    return _Advances(size)


class _Drawn(NamedTuple):
    """One glyph at the origin (0, 0) of its baseline.

    Attributes:
        box: The box, px, that Pillow reserves for it without a stroke: left, top, right, bottom.
        left: Left edge of its pixels.
        top: Upper edge of its pixels.
        pixels: Its mask; None for a space.
    """

    box: tuple[int, int, int, int]
    left: int
    top: int
    pixels: Mask | None


@lru_cache(maxsize=8192)
def _drawn(letter: str, size: int, bold: bool) -> _Drawn:
    """Draw one glyph."""
    # Pillow cuts a stroke at the box of the whole line, so a tall letter stands before it
    before = f"{_TALLEST}{_SPACE * 4}" if bold else ""
    left, top, right, bottom = map(int, font(size).getbbox(letter, anchor="ls"))
    box = (left, top, right, bottom)
    start = 3 * size + int(font(size).getlength(before))
    picture = Image.new("L", (start + 6 * size, 5 * size))
    ImageDraw.Draw(picture).text(
        (3 * size, 3 * size),
        f"{before}{letter}{_SPACE * 2 if bold else ''}",
        font=font(size),
        fill=255,
        anchor="ls",
        stroke_width=size / BOLD if bold else 0,
    )
    edge = start - 2 * size
    part = picture.crop((edge, 0, *picture.size))
    found = part.getbbox()
    if found is None:
        return _Drawn(box, 0, 0, None)
    return _Drawn(box, found[0] - 2 * size, found[1] - 3 * size, np.array(part.crop(found)))


def line_mask(text: str, size: int, bold: bool, shape: tuple[int, int], baseline: int) -> Mask:
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
    for letter in text:
        (left, top, right, bottom), first, up, pixels = _drawn(letter, size, bold)
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
