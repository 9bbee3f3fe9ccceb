"""PNG screenshots from a phone: extraction, checks for completeness and blackness, size."""

from __future__ import annotations

import io
import struct

from PIL import Image

from fingertip_dataset.errors import TruncatedScreenshotError
from fingertip_dataset.pictures import TURNED, convert_picture, read_orientation

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_BLACK_PACKING = 32
"""Pixels per byte: a black screen compresses better than this, so larger files need no decoding."""


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
    return data[begin : end + len(_END)]


def read_png_size(png: bytes) -> tuple[int, int]:
    """Width and height, px, of a PNG from `extract_png`, upright.

    Raises:
        InputError: Its EXIF data are damaged.
    """
    width, height = struct.unpack(">II", png[16:24])
    return (height, width) if read_orientation(png) in TURNED else (width, height)


def is_black(png: bytes) -> bool:
    """Whether every pixel is black, as screenshots of protected screens are."""
    width, height = read_png_size(png)
    if len(png) > width * height / _BLACK_PACKING:
        return False
    with Image.open(io.BytesIO(png)) as picture:
        return convert_picture(picture).convert("L").getextrema() == (0, 0)
