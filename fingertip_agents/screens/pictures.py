"""Reading and writing of pictures for a model."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

from fingertip_dataset.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image


def read_picture_size(screenshot: bytes) -> tuple[int, int]:
    """Width and height of a PNG or JPEG file, px, without decoding it.

    Raises:
        InputError: The file is no picture.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(screenshot), formats=("PNG", "JPEG")) as image:
            return image.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"expected a screenshot as PNG or JPEG, got {len(screenshot)} bytes") from error


JPEG_QUALITY = 92
"""JPEG quality of rewritten pictures, high enough for small letters and digits to stay sharp."""


def open_screenshot(screenshot: bytes) -> Image:
    """The pixels of a PNG or JPEG file, RGB.

    Raises:
        InputError: The file cannot be decoded.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            # refuse a picture with too many pixels instead of warning
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(screenshot), formats=("PNG", "JPEG")) as image:
                return image.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Warning) as error:
        raise InputError(
            f"expected a screenshot as PNG or JPEG, got {len(screenshot)} bytes: {type(error).__name__}"
        ) from error


def write_jpeg(image: Image) -> bytes:
    """Encode an image as a JPEG file's bytes."""
    written = io.BytesIO()
    image.save(written, "JPEG", quality=JPEG_QUALITY)
    return written.getvalue()
