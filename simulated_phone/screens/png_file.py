"""PNG files of pixels, made for speed: without filters, by ISA-L where it is installed.

The pixels are those of any other PNG of the picture; the file is a little larger than Pillow's.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

_HEAD = b"\x89PNG\r\n\x1a\n"
_RGB_8 = (8, 2, 0, 0, 0)
"""Bits a channel, colour type RGB, and the standard compression, filters and order of rows."""
LEVEL = 1


def png_file(pixels: NDArray[np.uint8]) -> bytes:
    r"""A PNG file of RGB pixels, shape (height, width, 3).

    >>> png_file(np.zeros((2, 2, 3), np.uint8))[:4]
    b'\x89PNG'
    """
    height, width, _ = pixels.shape
    # each row begins with the number of its filter: 0, none
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    size = struct.pack(">IIBBBBB", width, height, *_RGB_8)
    return _HEAD + _chunk(b"IHDR", size) + _chunk(b"IDAT", _compressor()(rows.data)) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))


@cache
def _compressor() -> Callable[[memoryview], bytes]:
    try:
        from isal import isal_zlib
    except ImportError:
        return lambda data: zlib.compress(data, LEVEL)
    return lambda data: bytes(isal_zlib.compress(data, LEVEL))
