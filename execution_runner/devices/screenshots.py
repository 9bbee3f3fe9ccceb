"""PNG screenshots from a phone: extraction, checks for completeness, size, and of protected screens.

A screen whose app forbids screenshots (FLAG_SECURE) is black in them, (0, 0, 0) or (1, 1, 1), but for what
other windows draw over it: the status and gesture bars, a keyboard, a dialog (flutter 47557, scrcpy 6192).
"""

from __future__ import annotations

import io
import struct

from PIL import Image, ImageChops

from fingertip_dataset.errors import AccessibilityTreeError, TruncatedScreenshotError
from fingertip_dataset.pictures import FAULTS, TURNED, convert_picture, read_orientation
from fingertip_dataset.ui_tree.accessibility import parse_tree

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_MOST_PIXELS = 64_000_000
_PACKING = 32
"""Pixels per byte: a black screen compresses better than this, so larger files need no decoding."""

_SECURE_PACKING = 8
"""Pixels per byte where the phone says that an app forbids screenshots: a keyboard may be drawn, too."""

_BAR_SHARE = 0.08
"""Share of each edge that bars, cut-outs and edge handles take; on a phone's long edges only when it lies."""

_DARK = 2
"""Largest level of red, green and blue of a protected screen; pages and splash screens in dark mode have 10
or more, or something bright on them."""

_SHARE, _SECURE_SHARE = 0.999, 0.5
"""Share of the app's area that is that dark: a small logo or a line of text takes more than the rest."""


def extract_png(data: bytes) -> bytes:
    """The PNG within the output of `screencap -p`; foldables print a warning before it.

    Raises:
        TruncatedScreenshotError: The PNG, or its end, is missing.
    """
    begin = data.find(_SIGNATURE)
    if begin < 0:
        raise TruncatedScreenshotError(f"no PNG in the {len(data)} bytes of the screenshot")
    end = data.rfind(_END)
    if end < begin:
        raise TruncatedScreenshotError(f"the screenshot is cut off after {len(data)} bytes")
    png = data[begin : end + len(_END)]
    width, height = struct.unpack(">II", png[16:24]) if png[12:16] == b"IHDR" else (0, 0)
    if not 0 < width * height <= _MOST_PIXELS:
        raise TruncatedScreenshotError(f"no picture in the {len(data)} bytes of the screenshot")
    return png


def read_png_size(png: bytes) -> tuple[int, int]:
    """Width and height, px, of a PNG from `extract_png`, upright.

    Raises:
        InputError: Its EXIF data are damaged.
    """
    width, height = struct.unpack(">II", png[16:24])
    return (height, width) if read_orientation(png) in TURNED else (width, height)


def is_black(png: bytes, *, secure: bool | None = None) -> bool:
    """Whether the app's area is black, as in a screenshot of a protected screen; bars may be drawn.

    Args:
        png: A PNG from `extract_png`.
        secure: Whether the phone says that a window on the screen forbids screenshots; None if unknown.
            With it other windows may cover half of the area.
    """
    width, height = read_png_size(png)
    packing, share = (_SECURE_PACKING, _SECURE_SHARE) if secure else (_PACKING, _SHARE)
    if len(png) > width * height / packing:
        return False
    try:
        with Image.open(io.BytesIO(png)) as picture:
            middle = convert_picture(picture).crop(_find_middle(width, height))
    except FAULTS:
        return False
    red, green, blue = middle.split()
    brightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(brightest.histogram()[: _DARK + 1]) >= share * middle.width * middle.height


def _find_middle(width: int, height: int) -> tuple[int, int, int, int]:
    """The part of a screenshot without bars: of a phone that lies these are at the sides, too."""
    down, across = round(_BAR_SHARE * height), round(_BAR_SHARE * width) if width > height else 0
    return across, down, width - across, height - down


def is_protected(png: bytes, tree: str | None, *, secure: bool | None) -> bool:
    """Whether a screen is black because its app forbids screenshots.

    An app that does not forbid them may show a black page: then its tree has no texts that the picture lacks.

    Args:
        png: A PNG from `extract_png`.
        tree: The screen's accessibility tree, if there is one.
        secure: As of `is_black`.
    """
    return is_black(png, secure=secure) and (secure is not False or tree is None or _has_texts(tree, png))


def _has_texts(tree: str, png: bytes) -> bool:
    """Whether an element in the app's area has a text."""
    size = read_png_size(png)
    left, top, right, bottom = _find_middle(*size)
    try:
        elements = parse_tree(tree, screen=size).elements
    except AccessibilityTreeError:
        return True
    centers = (element.box.center for element in elements if element.text and element.box)
    return any(left <= x < right and top <= y < bottom for x, y in centers)
