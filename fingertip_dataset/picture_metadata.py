"""Metadata of a picture's file: EXIF data, previews, comments, texts, and all else next to its pixels."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

_JPEG = b"\xff\xd8"
_PNG = b"\x89PNG\r\n\x1a\n"
_RST_SOI_EOI = frozenset((*range(0xD0, 0xDA), 0x01))
_AFTER_PIXELS = re.compile(rb"\xff[\x01-\xcf\xd8-\xff]")
"""The next marker behind compressed pixels: 00 is a part of them, D0 to D7 only divide them."""
_KEPT = {0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}
"""Markers of application data that decide colours, and their beginnings."""

_PNG_KEPT = frozenset(
    (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT")
)


def strip_metadata(data: bytes, orientation: int = 1) -> bytes:
    """Return a picture without EXIF data, thumbnails, comments and texts; other files unchanged.

    No pixel is decoded or changed. What a JPEG or PNG needs for its colours stays.

    Args:
        data: Bytes of the picture.
        orientation: EXIF orientation that is stated anew, 1 to 8; 1, upright, states none.
    """
    exif = b"" if orientation == 1 else _EXIF + struct.pack(">HHI", orientation, 0, 0)
    if data.startswith(_JPEG):
        marked = b"\xff\xe1" + struct.pack(">H", len(exif) + 8) + b"Exif\0\0" + exif if exif else b""
        parts = list(_jpeg_parts(data))
        # JFIF stands first
        first = 1 + any(part[4:9] == b"JFIF\0" for part in parts[1:2])
        return b"".join((*parts[:first], marked, *parts[first:]))
    if data.startswith(_PNG):
        parts = list(_png_parts(data))
        # behind the signature and IHDR
        return b"".join((*parts[:2], _make_chunk(b"eXIf", exif) if exif else b"", *parts[2:]))
    return data


_EXIF = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01"
"""EXIF data of one entry, the orientation, up to its value."""


def _make_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _jpeg_parts(data: bytes) -> Iterator[bytes]:
    """The parts of the first picture in a file: phones store previews and other pictures behind its end."""
    yield data[:2]
    at = 2
    while at + 2 <= len(data):
        begin = at
        if data[at] != 0xFF:
            # compressed pixels, up to the next marker that is none of theirs
            found = _AFTER_PIXELS.search(data, at)
            at = found.start() if found else len(data)
            yield data[begin:at]
            continue
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker == 0xD9:
            yield data[at : at + 2]
            return
        elif marker in _RST_SOI_EOI or marker == 0:
            at += 2
            yield data[begin:at]
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            yield _keep_segment(marker, data[begin:at])


def _keep_segment(marker: int, segment: bytes) -> bytes:
    """A segment of a JPEG; nothing for one of metadata."""
    if marker == 0xE0 and segment[4:9] == b"JFIF\0":
        # without the thumbnail behind the fixed fields
        return segment if len(segment) <= 18 else b"\xff\xe0\0\x10" + segment[4:16] + b"\0\0"
    metadata = 0xE0 <= marker <= 0xEF or marker == 0xFE
    return b"" if metadata and not _decides_colors(marker, segment) else segment


def _decides_colors(marker: int, segment: bytes) -> bool:
    return marker in _KEPT and segment[4:].startswith(_KEPT[marker])


def _png_parts(data: bytes) -> Iterator[bytes]:
    yield data[:8]
    at = 8
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        chunk = data[at : at + 12 + length]
        if kind in _PNG_KEPT:
            yield chunk
        at += 12 + length
        if kind == b"IEND":
            return
    yield data[at:]
