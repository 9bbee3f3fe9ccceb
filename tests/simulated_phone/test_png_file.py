"""PNG files: any pixels are read back, with and without the fast compressor."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from simulated_phone.screens import png_file as module
from simulated_phone.screens.png_file import png_file


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_any_pixels_are_read_back(width: int, height: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png_file(pixels)))), pixels)


def test_without_isal(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.arange(30 * 20 * 3, dtype=np.uint8).reshape(30, 20, 3)
    monkeypatch.setitem(sys.modules, "isal", None)
    module._compressor.cache_clear()
    try:
        file = png_file(pixels)
    finally:
        module._compressor.cache_clear()
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(file))), pixels)
