"""Look of a text on a screenshot: background, ink, size and lines; and another text drawn in that look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

Color = tuple[int, int, int]
"""Red, green and blue, 0-255."""

Edges = tuple[int, int, int, int]
"""Left, top, right, bottom in px; right and bottom are exclusive."""

MARGIN = 2
"""Pixels added around a box: text is drawn with soft edges."""

LEAST_FONT = 7
"""Smallest font size in px; a text that needs a smaller one is left out, and the box stays empty."""

LARGEST_FONT = 160
MOST_LINES = 12

INK = 40
"""Least difference of a pixel's brightness from the background (0-255) at which it counts as ink."""

FLAT = 20
"""Largest difference of the brightness of a band (0-255) within a box of one colour."""

LEAST_CONTRAST = 60
"""Least sum of the differences of red, green and blue between ink and background."""

_CHINESE_HEIGHT, _LATIN_HEIGHT = 0.98, 0.76
"""Height of the ink of a line, as a share of the font size."""


@dataclass(frozen=True, slots=True, order=True)
class Patch:
    """A box that is painted over.

    Attributes:
        box: The box in px of the picture.
        text: Text drawn into it in the look of what was there; "" for none.
        if_shown: Whether a box of one colour is left as it is: an element of a tree may be covered.
    """

    box: Edges
    text: str = ""
    if_shown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLook:
    """Colours and size of a text.

    Attributes:
        background: The commonest colour at the border of its box.
        ink: The colour inside that is commonest among those far from the background.
        left: Distance of the ink from the left edge of the box, px.
        lines: (top, bottom) of each line of ink in px of the box; empty without ink.
    """

    background: Color
    ink: Color
    left: int
    lines: tuple[tuple[int, int], ...]


def shows_something(picture: Image.Image, box: Edges) -> bool:
    """Whether a box of a picture has more than one colour; JPEG spreads every colour a little."""
    bands: Any = picture.crop(box).convert("RGB").getextrema()
    return any(high - low > FLAT for low, high in bands)


def look_of(picture: Image.Image, box: Edges) -> TextLook:
    """Look of the text in a box of an RGB picture; the box lies within the picture."""
    from PIL import Image, ImageChops

    inside = picture.crop(box)
    width, height = inside.size
    pixels: Any = inside.load()
    border = [pixels[x, y] for x in range(width) for y in {0, height - 1}]
    border += [pixels[x, y] for y in range(height) for x in {0, width - 1}]
    background = _commonest(border)
    colors: Any = inside.resize((min(width, 96), min(height, 48)), 0).getcolors(96 * 48) or []
    ink: Color = max(colors, key=lambda entry: _distance(entry[1], background) * min(entry[0], 8))[1]
    if _distance(ink, background) < LEAST_CONTRAST:
        ink = (0, 0, 0) if sum(background) > 380 else (255, 255, 255)
    mask = ImageChops.difference(inside, Image.new("RGB", inside.size, background)).convert("L")
    mask = mask.point([255 if value > INK else 0 for value in range(256)])
    found = mask.getbbox()
    rows = [bool(value) for value in mask.reduce((width, 1)).tobytes()] if found else []
    return TextLook(background=background, ink=ink, left=found[0] if found else 0, lines=_runs(rows))


def _runs(rows: Sequence[bool]) -> tuple[tuple[int, int], ...]:
    """First and last row of each line of ink; what is lower than 4 px, or a gap of 1 px, does not count."""
    runs: list[list[int]] = []
    for at, filled in enumerate(rows):
        if not filled:
            continue
        if runs and at - runs[-1][1] <= 1:
            runs[-1][1] = at + 1
        else:
            runs.append([at, at + 1])
    return tuple((top, bottom) for top, bottom in runs if bottom - top >= 4)


def _commonest(colors: Sequence[Color]) -> Color:
    """Mean of the colours close to the commonest one; JPEG spreads every colour a little."""
    coarse = Counter((red >> 4, green >> 4, blue >> 4) for red, green, blue in colors).most_common(1)[0][0]
    near = [color for color in colors if tuple(value >> 4 for value in color) == coarse]
    red, green, blue = (round(sum(values) / len(near)) for values in zip(*near, strict=True))
    return red, green, blue


def _distance(one: Color, other: Color) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def write_text(picture: Image.Image, patch: Patch, look: TextLook) -> None:
    """Draw the text of a patch into its box, which is painted already; nothing if it would be too small."""
    from PIL import ImageDraw

    from simulated_phone.screens.drawing.fonts import load_font

    left, top, right, bottom = patch.box
    lines, size = _fit(patch.text, right - left - look.left - MARGIN, bottom - top - 2 * MARGIN, look)
    if not lines:
        return
    draw = ImageDraw.Draw(picture)
    if len(lines) == len(look.lines):
        middles = [(first + last) / 2 for first, last in look.lines]
    else:
        step = (bottom - top) / len(lines)
        middles = [step * (number + 0.5) for number in range(len(lines))]
    for line, middle in zip(lines, middles, strict=True):
        draw.text((left + look.left, top + middle), line, fill=look.ink, font=load_font(size), anchor="lm")


def _fit(text: str, width: int, height: int, look: TextLook) -> tuple[tuple[str, ...], int]:
    """Lines and font size of a text in a room; no lines if there is no room for them."""
    from simulated_phone.screens.drawing.fonts import DOTS, load_font, wrap

    tall = any("\u2e80" <= character <= "\ud7ff" for character in text)
    count = max(1, len(look.lines))
    if look.lines:
        ink = sorted(bottom - top for top, bottom in look.lines)[count // 2]
        size = round(ink / (_CHINESE_HEIGHT if tall else _LATIN_HEIGHT))
    else:
        size = round(height * 0.8)
    size = max(LEAST_FONT, min(size, LARGEST_FONT, round(height / 0.8)))
    if count == 1:
        while size > LEAST_FONT and load_font(size).getlength(text) > width + MARGIN:
            size -= 1
        return ((text,), size) if load_font(size).getlength(text) <= width + MARGIN else ((), 0)
    while size >= LEAST_FONT:
        lines = wrap(text, size, max(1, width), min(count, MOST_LINES))
        if not lines[-1].endswith(DOTS) or text.endswith(DOTS):
            return lines, size
        size -= 1
    return (), 0
