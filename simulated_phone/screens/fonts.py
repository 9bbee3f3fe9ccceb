"""Text in one Chinese font: measured, cut to fit, wrapped, and drawn as cached masks."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from simulated_phone.phone_errors import PhoneSetupError

LINE = 1.4  # height of a line, as a multiple of the font size
BASELINE = 1.08  # line top to baseline, as a multiple of the size: centres Chinese and Latin text
DOTS = "…"


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


@lru_cache(maxsize=16384)
def text_width(text: str, size: int) -> int:
    """Width of a line of text, px."""
    return round(font(size).getlength(text))


@lru_cache(maxsize=256)
def line_height(size: int) -> int:
    """Height of a line of text, px."""
    return round(size * LINE)


@lru_cache(maxsize=8192)
def cut(text: str, size: int, width: int) -> str:
    """The text, or the longest beginning of it that fits into `width` px with an ellipsis."""
    if text_width(text, size) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle] + DOTS, size) <= width:
            low = middle
        else:
            high = middle - 1
    fits = text_width(DOTS, size) <= width
    return text[:low] + DOTS if fits else ""


@lru_cache(maxsize=4096)
def wrap(text: str, size: int, width: int, lines: int) -> tuple[str, ...]:
    """Wrap the text into at most `lines` lines of `width` px; the last one is cut with an ellipsis."""
    wrapped: list[str] = []
    for paragraph in text.split("\n"):
        rest = paragraph
        while len(wrapped) < lines - 1 and text_width(rest, size) > width:
            end = _break(rest, size, width)
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


def _break(text: str, size: int, width: int) -> int:
    """Number of characters on the line: at least one; breaks at a space in the line's second half."""
    end = 1
    while end < len(text) and text_width(text[: end + 1], size) <= width:
        end += 1
    space = text.rfind(" ", 0, end + 1)
    if space > end // 2 and end < len(text) and text[end].isascii() and text[end - 1].isascii():
        return space + 1
    return end


@lru_cache(maxsize=16384)
def mask_width(text: str, size: int) -> int:
    """Width of the mask of a line of text, px."""
    return max(1, text_width(text, size) + 2)


@lru_cache(maxsize=3000)
def mask(text: str, size: int, bold: bool) -> Image.Image:
    """Draw a line of text as a greyscale mask, `line_height` px high."""
    picture = Image.new("L", (mask_width(text, size), line_height(size)))
    stroke = size / 45 if bold else 0
    ImageDraw.Draw(picture).text(
        (0, round(size * BASELINE)), text, font=font(size), fill=255, anchor="ls", stroke_width=stroke
    )
    return picture
