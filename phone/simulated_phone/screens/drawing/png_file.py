"""PNG files of pixels, made for speed: without filters, in bands of rows, by ISA-L where it is installed.

The pixels are those of any other PNG of the picture; the file is a little larger than Pillow's. A band is
compressed without reference to the others, so that a file whose picture has changed in one place is made of
the bands of the file before.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEAD = b"\x89PNG\r\n\x1a\n"
_RGB_8 = (8, 2, 0, 0, 0)
"""Bits a channel, colour type RGB, and the standard compression, filters and order of rows."""
LEVEL, RAW = 1, -15
"""Level of compression, and the window of a stream without zlib's own head and checksum."""
ROWS = 80
"""Rows of a band."""
_ZLIB_HEAD, _LAST_BLOCK = b"\x78\x01", b"\x03\x00"
_MODULUS = 65521


class PngBands:
    """PNG files of pixels that change.

    Args:
        pixels: RGB pixels, shape (height, width, 3), that `file` reads each time.
    """

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        height, width, _ = pixels.shape
        self._pixels = pixels
        # the rows of one band; each begins with the number of its filter: 0, none
        self._rows = np.zeros((min(ROWS, height), 1 + 3 * width), np.uint8)
        count = -(-height // ROWS)
        self._stale = [True] * count
        self._chunks, self._sums = [b""] * count, [0] * count
        self._packer = _import_zlib().compressobj(LEVEL, zlib.DEFLATED, RAW)

    def change(self, top: int, bottom: int) -> None:
        """Say that rows have changed; bottom is exclusive."""
        for band in range(top // ROWS, -(-bottom // ROWS)):
            self._stale[band] = True

    def file(self) -> bytes:
        """The PNG file of the pixels as they are now, with what was said to have changed."""
        height, width, _ = self._pixels.shape
        for band, stale in enumerate(self._stale):
            if stale:
                self._pack(band)
        total, wide = 1, self._rows.shape[1]
        for band, one in enumerate(self._sums):
            total = _join_sums(total, one, wide * min(ROWS, height - band * ROWS))
        parts = [
            _HEAD,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, *_RGB_8)),
            _chunk(b"IDAT", _ZLIB_HEAD),
            *self._chunks,
            _chunk(b"IDAT", _LAST_BLOCK + struct.pack(">I", total)),
            _chunk(b"IEND", b""),
        ]
        return b"".join(parts)

    def _pack(self, band: int) -> None:
        pixels = self._pixels[band * ROWS : (band + 1) * ROWS]
        rows = self._rows[: len(pixels)]
        rows[:, 1:] = pixels.reshape(len(pixels), -1)
        # after a full flush nothing refers to what came before
        data = self._packer.compress(rows.data) + self._packer.flush(zlib.Z_FULL_FLUSH)
        self._chunks[band], self._sums[band] = _chunk(b"IDAT", data), _import_zlib().adler32(rows.data)
        self._stale[band] = False


def png_file(pixels: NDArray[np.uint8]) -> bytes:
    r"""A PNG file of RGB pixels, shape (height, width, 3).

    >>> png_file(np.zeros((2, 2, 3), np.uint8))[:4]
    b'\x89PNG'
    """
    return PngBands(pixels).file()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))


def _join_sums(first: int, second: int, length: int) -> int:
    """The Adler-32 of two texts one after the other, from theirs and the second one's number of bytes."""
    low, high = first & 0xFFFF, first >> 16
    both = (low + (second & 0xFFFF) - 1) % _MODULUS
    weighted = (high + (second >> 16) + (low - 1) * length) % _MODULUS
    return weighted << 16 | both


@cache
def _import_zlib() -> Any:  # noqa: ANN401 - two modules with the same functions
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib
    return isal_zlib
