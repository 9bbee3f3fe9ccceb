"""Text in one Chinese font: measured, cut to fit, wrapped, and drawn as cached masks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from simulated_phone.screens.drawing.glyphs import BOLD, Mask, advances, draw_line_mask, load_font

LINE = 1.4  # height of a line, as a multiple of the font size
BASELINE = 1.08  # line top to baseline, as a multiple of the size: centres Chinese and Latin text
DOTS = "…"

__all__ = ["cut", "line_height", "load_font", "mask", "mask_pixels", "mask_width", "text_width", "wrap"]


@lru_cache(maxsize=16384)
def text_width(text: str, size: int) -> int:
    """Width of a line of text, px."""
    return round(sum(map(advances(size).__getitem__, text)))


@lru_cache(maxsize=256)
def line_height(size: int) -> int:
    """Height of a line of text, px."""
    return round(size * LINE)


@lru_cache(maxsize=8192)
def cut(text: str, size: int, width: int) -> str:
    """The text, or the longest beginning of it that fits into `width` px with an ellipsis."""
    if text_width(text, size) <= width:
        return text
    if text_width(DOTS, size) > width:
        return ""
    return text[: _count_fitting(text, size, width, advances(size)[DOTS])] + DOTS


def _count_fitting(text: str, size: int, width: int, more: float = 0) -> int:
    """Number of letters of the longest beginning that fits into `width` px together with `more` px."""
    step = advances(size)
    for number, letter in enumerate(text):
        more += step[letter]
        if round(more) > width:
            return number
    return len(text)


@lru_cache(maxsize=4096)
def wrap(text: str, size: int, width: int, lines: int) -> tuple[str, ...]:
    """Wrap the text into at most `lines` lines of `width` px; the last one is cut with an ellipsis."""
    wrapped: list[str] = []
    for paragraph in text.split("\n"):
        rest = paragraph
        while len(wrapped) < lines - 1 and text_width(rest, size) > width:
            end = _find_break(rest, size, width)
            wrapped.append(rest[:end].rstrip())
            rest = rest[end:].lstrip()
        wrapped.append(rest)
        if len(wrapped) >= lines:
            break
    used = wrapped[:lines]
    if used:
        left_over = "".join(text.split()) != "".join("".join(used).split())
        used[-1] = cut(used[-1] + DOTS if left_over else used[-1], size, width)
    return tuple(used)


def _find_break(text: str, size: int, width: int) -> int:
    """Number of characters on the line: at least one; breaks at a space in the line's second half."""
    end = max(1, _count_fitting(text, size, width))
    space = text.rfind(" ", 0, end + 1)
    if space > end // 2 and end < len(text) and text[end].isascii() and text[end - 1].isascii():
        return space + 1
    return end


@lru_cache(maxsize=16384)
def mask_width(text: str, size: int) -> int:
    """Width of the mask of a line of text, px."""
    return max(1, text_width(text, size) + 2)


def mask(text: str, size: int, bold: bool) -> Image.Image:
    """A line of text as a greyscale mask, `line_height` px high."""
    return Image.fromarray(mask_pixels(text, size, bold))


@lru_cache(maxsize=3000)
def mask_pixels(text: str, size: int, bold: bool) -> Mask:
    """A line of text as a mask, shape (`line_height`, `mask_width`); the caller must not change it."""
    shape, baseline = (line_height(size), mask_width(text, size)), round(size * BASELINE)
    if "\n" not in text:
        return draw_line_mask(text, size, bold, shape, baseline)
    picture = Image.new("L", shape[::-1])
    stroke = size / BOLD if bold else 0
    ImageDraw.Draw(picture).text(
        (0, baseline), text, font=load_font(size), fill=255, anchor="ls", stroke_width=stroke
    )
    return np.array(picture)
