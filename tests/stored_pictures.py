"""Screenshots as files of every kind: colours, bits, transparency, and EXIF orientations."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PIL import Image
from PIL.Image import Dither, Palette, Transpose

from fingertip_dataset.picture_metadata import strip_metadata

SIZE = (64, 96)
"""Width and height of the upright picture, px."""

CORNER = 16
"""Side of the red square in the upper left corner of the upright picture, px; all else is white."""

RED = (200, 24, 24)
GREY = Image.new("RGB", (1, 1), RED).convert("L").getpixel((0, 0))

UNDO: Mapping[int, Transpose] = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_90,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_270,
}
"""EXIF orientation -> turn of an upright picture that it undoes."""

PNG_MODES = ("RGB", "L", "1", "P", "RGBA", "LA", "P with transparency")
DEEP = {"L 16": 0, "RGB 16": 2, "LA 16": 4, "RGBA 16": 6}
"""Modes of PNG with 16 bits -> colour type."""

KINDS = (
    *(("JPEG", mode) for mode in ("RGB", "L", "CMYK", "CMYK without marker")),
    *(("PNG", mode) for mode in (*PNG_MODES, *DEEP)),
    *(("WEBP", mode) for mode in ("RGB", "RGBA")),
)
"""Formats with their modes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPicture:
    """A kind of file of the picture with a red corner.

    Attributes:
        format: "JPEG", "PNG" or "WEBP".
        mode: Mode of `KINDS`.
        orientation: EXIF orientation, 1 to 8.
        xmp: Whether XMP data state the orientation, in place of EXIF data.
        size: Width and height of the upright picture, px.
    """

    format: str
    mode: str = "RGB"
    orientation: int = 1
    xmp: bool = False
    size: tuple[int, int] = SIZE

    @property
    def corner(self) -> tuple[int, int, int]:
        """RGB of the corner: red, or what is left of it without colours."""
        level = 0 if self.mode == "1" else GREY
        return (level,) * 3 if self.mode[0] in "L1" else RED

    @property
    def is_plain(self) -> bool:
        """Whether servers show the file alike."""
        return self.orientation == 1 and "CMYK" not in self.mode and self.mode not in DEEP

    def write(self) -> bytes:
        """The file's bytes."""
        picture = Image.new("RGB", self.size, "white")
        picture.paste(RED, (0, 0, CORNER, CORNER))
        if self.orientation != 1:
            picture = picture.transpose(UNDO[self.orientation])
        return self._state_orientation(self._encode(picture))

    def _encode(self, picture: Image.Image) -> bytes:
        if self.mode in DEEP:
            return write_deep_png(picture, DEEP[self.mode])
        mode = self.mode.split()[0]
        options: dict[str, object] = {"JPEG": {"quality": 95}, "WEBP": {"lossless": True}}.get(
            self.format, {}
        )
        if self.format == "JPEG" and mode == "RGB":
            options["subsampling"] = 0
        if self.mode == "P with transparency":
            options["transparency"] = bytes([255] * 256)
        stream = io.BytesIO()
        picture.convert(mode, dither=Dither.NONE, palette=Palette.ADAPTIVE).save(
            stream, self.format, **options
        )
        data = stream.getvalue()
        return drop_adobe(data) if "without" in self.mode else data

    def _state_orientation(self, data: bytes) -> bytes:
        if self.orientation == 1:
            return data
        if self.format == "WEBP":
            exif = Image.Exif()
            exif[0x112] = self.orientation
            stream = io.BytesIO()
            Image.open(io.BytesIO(data)).save(stream, "WEBP", lossless=True, exif=exif)
            return stream.getvalue()
        tiff = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, 0x112, 3, 1, self.orientation, 0, 0)
        words = f'<x tiff:Orientation="{self.orientation}"/>'.encode()
        if self.format == "JPEG":
            front = b"http://ns.adobe.com/xap/1.0/\0" + words if self.xmp else b"Exif\0\0" + tiff
            return data[:2] + b"\xff\xe1" + struct.pack(">H", len(front) + 2) + front + data[2:]
        kind, content = (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + words) if self.xmp else (b"eXIf", tiff)
        return data[:33] + make_chunk(kind, content) + data[33:]


def make_chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def write_deep_png(picture: Image.Image, colour_type: int) -> bytes:
    """Return a picture as a PNG with 16 bits a colour, whose lower eight are noise."""
    mode = {0: "L", 2: "RGB", 4: "LA", 6: "RGBA"}[colour_type]
    pixels = np.asarray(picture.convert(mode)).astype(">u2") * 256
    pixels = (pixels + np.arange(pixels.size).reshape(pixels.shape) % 256).astype(">u2")
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", *picture.size, 16, colour_type, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(make_chunk(*chunk) for chunk in chunks)


def drop_adobe(jpeg: bytes) -> bytes:
    """Return a JPEG without the marker by which Adobe says how its colours are coded."""
    at = jpeg.index(b"\xff\xee")
    return jpeg[:at] + jpeg[at + 2 + int.from_bytes(jpeg[at + 2 : at + 4]) :]


def has_metadata(data: bytes) -> bool:
    """Whether a JPEG or PNG has EXIF data, a thumbnail, comments, or other data next to its pixels."""
    return len(strip_metadata(data)) != len(data)
