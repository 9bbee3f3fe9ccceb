"""PNG files: any pixels are read back, with and without the fast compressor."""

from __future__ import annotations

import io
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from simulated_phone.screens.drawing import png_file as module
from simulated_phone.screens.drawing.png_file import ROWS, PngBands, png_file


@given(st.integers(1, 40), st.integers(1, 3 * ROWS), st.integers(0, 2**32 - 1))
def test_any_pixels_are_read_back(width: int, height: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png_file(pixels)))), pixels)


@pytest.mark.parametrize("fast", [True, False])
def test_what_changed_is_in_the_next_file(fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands that did not change are those of the file before; every reader checks the sums of all of them."""
    if not fast:
        monkeypatch.setitem(sys.modules, "isal", None)
    module._import_zlib.cache_clear()
    try:
        rng = np.random.default_rng(1)
        pixels = rng.integers(0, 256, (3 * ROWS + 7, 30, 3), dtype=np.uint8)
        files = PngBands(pixels)
        for top, bottom in ((0, 1), (ROWS - 1, ROWS + 1), (3 * ROWS, 3 * ROWS + 7), (0, len(pixels)), (5, 5)):
            files.file()
            pixels[top:bottom] = rng.integers(0, 256, (bottom - top, 30, 3), dtype=np.uint8)
            files.change(top, bottom)
            assert np.array_equal(np.asarray(Image.open(io.BytesIO(files.file()))), pixels)
    finally:
        module._import_zlib.cache_clear()


def test_the_checksum_of_the_whole_is_that_of_its_parts() -> None:
    data = np.random.default_rng(2).integers(0, 256, 100_000, dtype=np.uint8).tobytes()
    for cut in (0, 1, 65_521, 99_999):
        parts = zlib.adler32(data[:cut]), zlib.adler32(data[cut:])
        assert module._join_sums(*parts, len(data) - cut) == zlib.adler32(data)
