"""Image headers: format, size and completeness of a screenshot, without decoding pixels.

JPEG (ITU-T T.81, annex B) and PNG (ISO 15948) are read up to their frame header, and the end marker must be
present. Damage between the two that leaves the end marker is not detected.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fingertip_dataset.errors import ReleaseError

MAX_SIDE = 32_768
"""Maximum width and height in px; the tallest known screen has 3,200."""

MAX_PIXELS = 50_000_000
"""Maximum number of pixels of an image; the largest phone screen has 5 million."""

MAX_MARKERS = 10_000
"""Maximum number of segments and fill bytes before a JPEG's scan; images have about ten."""

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
_IHDR = struct.Struct(">4xI4sIIBBBBB")
_SOI, _EOI = b"\xff\xd8", b"\xff\xd9"
_FRAME = struct.Struct(">BHHB")
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_SCAN, _END, _FILL = 0xDA, 0xD9, 0xFF
_OTHERS = {
    b"GIF8": "GIF",
    b"RIFF": "WebP",
    b"BM": "BMP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
}


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """Format and size of an image.

    Attributes:
        format: "jpeg" or "png".
        width: Width in px.
        height: Height in px.
    """

    format: Literal["jpeg", "png"]
    width: int
    height: int


def read_image_header(data: bytes) -> ImageHeader:
    r"""Read the header of a complete image.

    Args:
        data: All bytes of the file.

    Raises:
        ReleaseError: The data are not JPEG or PNG, lack their end, or are larger than any screen.

    >>> read_image_header(b"\xff\xd8\xff\xd9")
    Traceback (most recent call last):
    fingertip_dataset.errors.ReleaseError: expected a JPEG with a scan, got its end
    """
    if data.startswith(_SOI):
        header = _read_jpeg(data)
    elif data.startswith(_PNG):
        header = _read_png(data)
    else:
        known = next((name for magic, name in _OTHERS.items() if data.startswith(magic)), None)
        raise ReleaseError(f"expected a JPEG or a PNG, got {known or _describe_unknown(data)}")
    if not (0 < header.width <= MAX_SIDE and 0 < header.height <= MAX_SIDE):
        raise ReleaseError(f"expected sides of 1 to {MAX_SIDE} px, got {header.width}x{header.height}")
    if header.width * header.height > MAX_PIXELS:
        raise ReleaseError(f"expected at most {MAX_PIXELS} px, got {header.width}x{header.height}")
    return header


def _describe_unknown(data: bytes) -> str:
    return f"bytes that begin with {data[:4].hex(' ')}" if data else "an empty file"


def _read_png(data: bytes) -> ImageHeader:
    if len(data) < len(_PNG) + 25:
        raise ReleaseError("expected a PNG with a header, got a truncated one")
    length, kind, width, height, *_ = _IHDR.unpack_from(data, len(_PNG) - 4)
    if kind != b"IHDR" or length != 13:
        raise ReleaseError("expected a PNG that begins with its header, got another chunk")
    # signature and header chunk take 33 bytes
    if not data.endswith(_PNG_END) and data.find(_PNG_END, 33) < 0:
        raise ReleaseError("expected a PNG with its end, got a truncated one")
    return ImageHeader("png", width, height)


def _read_jpeg(data: bytes) -> ImageHeader:
    size: tuple[int, int] | None = None
    scan = None
    for marker, at in _read_markers(data):
        # height before width in a JPEG frame header
        if marker in _FRAMES and at + 10 <= len(data):
            _, height, width, _ = _FRAME.unpack_from(data, at + 4)
            size = width, height
        scan = at
    if size is None:
        raise ReleaseError("expected a JPEG with a frame header, got a scan without one")
    # the scan's data cannot contain the end marker: JPEG stuffs a zero byte after each 0xFF
    if not data.endswith(_EOI) and data.find(_EOI, scan) < 0:
        raise ReleaseError("expected a JPEG with its end, got a truncated one")
    return ImageHeader("jpeg", *size)


def _read_markers(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield each segment's marker and offset, up to the first scan; the frame header precedes it."""
    at = 2
    for _ in range(MAX_MARKERS):
        if at + 4 > len(data):
            got = "its end" if data[at : at + 2] == _EOI else "a truncated one"
            raise ReleaseError(f"expected a JPEG with a scan, got {got}")
        if data[at] != 0xFF:
            raise ReleaseError(f"expected a JPEG marker at byte {at}, got {data[at]:02x}")
        marker = data[at + 1]
        yield marker, at
        if marker == _SCAN:
            return
        if marker == _END:
            raise ReleaseError("expected a JPEG with a scan, got its end")
        if marker == _FILL:
            at += 1
        elif marker in _STANDALONE:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4])
    raise ReleaseError(f"expected a scan within {MAX_MARKERS} JPEG segments, got none")
