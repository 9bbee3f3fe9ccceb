"""Image headers: format, size, colours and completeness of a screenshot, without decoding pixels.

JPEG (ITU-T T.81, annex B) and PNG (ISO 15948) are read up to their frame header, and the end marker must be
present. Damage between the two that leaves the end marker is not detected.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from fingertip_dataset.errors import InputError, ReleaseError
from fingertip_dataset.pictures import TURNED, read_orientation

MAX_SIDE = 32_768
"""Maximum width and height in px; the tallest known screen has 3,200."""

MAX_PIXELS = 50_000_000
"""Maximum number of pixels of an image; the largest phone screen has 5 million."""

MAX_MARKERS = 10_000
"""Maximum number of segments and fill bytes before a JPEG's scan; images have about ten."""

Colours: TypeAlias = Literal["grey", "rgb", "palette", "cmyk"]

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
_IHDR = struct.Struct(">4xI4sIIBBBBB")
_SOI, _EOI = b"\xff\xd8", b"\xff\xd9"
_FRAME = struct.Struct(">BHHB")
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_SCAN, _END, _FILL = 0xDA, 0xD9, 0xFF
_JPEG_COLOURS: Mapping[int, Colours] = {1: "grey", 3: "rgb", 4: "cmyk"}
"""Number of components -> colours; decoders know no other number."""

_PNG_COLOURS: Mapping[int, tuple[Colours, tuple[int, ...]]] = {
    0: ("grey", (1, 2, 4, 8, 16)),
    2: ("rgb", (8, 16)),
    3: ("palette", (1, 2, 4, 8)),
    4: ("grey", (8, 16)),
    6: ("rgb", (8, 16)),
}
"""Colour type -> colours and their depths."""

_WITH_ALPHA = (4, 6)
"""Colour types of PNG with an alpha channel."""

_OTHERS = {
    b"GIF8": "GIF",
    b"RIFF": "WebP",
    b"BM": "BMP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
}


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """Format, size and colours of an image.

    Attributes:
        format: "jpeg" or "png".
        width: Width of the upright image in px.
        height: Height of the upright image in px.
        orientation: EXIF orientation of the stored pixels, 1 to 8; 1 is upright.
        colours: Colours of the stored pixels.
        depth: Bits a colour.
        alpha: Whether pixels can be transparent.
    """

    format: Literal["jpeg", "png"]
    width: int
    height: int
    orientation: int
    colours: Colours
    depth: int
    alpha: bool

    @property
    def is_plain(self) -> bool:
        """Whether every reader shows the stored pixels alike, but for transparent ones."""
        return self.orientation == 1 and self.colours != "cmyk" and self.depth <= 8


def read_image_header(data: bytes) -> ImageHeader:
    r"""Read the header of a complete image.

    Args:
        data: All bytes of the file.

    Raises:
        ReleaseError: The data are not JPEG or PNG, lack their end, are larger than any screen, or are of a
            kind that decoders refuse.

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
    return _turn_upright(header, data)


def _turn_upright(header: ImageHeader, data: bytes) -> ImageHeader:
    try:
        orientation = read_orientation(data)
    except InputError as error:
        raise ReleaseError(error.message) from error
    width, height = (header.width, header.height)[:: -1 if orientation in TURNED else 1]
    return replace(header, width=width, height=height, orientation=orientation)


def _describe_unknown(data: bytes) -> str:
    return f"bytes that begin with {data[:4].hex(' ')}" if data else "an empty file"


def _read_png(data: bytes) -> ImageHeader:
    if len(data) < len(_PNG) + 25:
        raise ReleaseError("expected a PNG with a header, got a truncated one")
    length, kind, width, height, depth, colour_type, *_ = _IHDR.unpack_from(data, len(_PNG) - 4)
    if kind != b"IHDR" or length != 13:
        raise ReleaseError("expected a PNG that begins with its header, got another chunk")
    # signature and header chunk take 33 bytes
    if not data.endswith(_PNG_END) and data.find(_PNG_END, 33) < 0:
        raise ReleaseError("expected a PNG with its end, got a truncated one")
    colours, depths = _PNG_COLOURS.get(colour_type, ("rgb", ()))
    if depth not in depths:
        raise ReleaseError(f"expected a PNG of known colours, got type {colour_type} with {depth} bits")
    # a colour or palette with transparency is stated before the pixels
    alpha = colour_type in _WITH_ALPHA or data.find(b"tRNS", 33, max(data.find(b"IDAT", 33), 33)) > 0
    return ImageHeader("png", width, height, 1, colours, depth, alpha)


def _read_jpeg(data: bytes) -> ImageHeader:
    frame: tuple[int, int, int, int] | None = None
    scan = None
    for marker, at in _read_markers(data):
        if marker in _FRAMES and at + 10 <= len(data):
            frame = _FRAME.unpack_from(data, at + 4)
        scan = at
    if frame is None:
        raise ReleaseError("expected a JPEG with a frame header, got a scan without one")
    # the scan's data cannot contain the end marker: JPEG stuffs a zero byte after each 0xFF
    if not data.endswith(_EOI) and data.find(_EOI, scan) < 0:
        raise ReleaseError("expected a JPEG with its end, got a truncated one")
    # height before width in a JPEG frame header
    depth, height, width, components = frame
    if depth != 8 or components not in _JPEG_COLOURS:
        raise ReleaseError(
            f"expected a JPEG of 1, 3 or 4 colours with 8 bits, got {components} with {depth} bits"
        )
    return ImageHeader("jpeg", width, height, 1, _JPEG_COLOURS[components], depth, alpha=False)


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
