"""QR codes and other square codes in pictures, by zxing-cpp."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fingertip_dataset.errors import MissingExtraError
from fingertip_privacy.scan.scanned_texts import Box

if TYPE_CHECKING:
    from PIL import Image

_MARGIN = 0.04
"""Share of a code's side by which its box is made larger: its corners are the centres of modules."""


def find_codes(image: Image.Image) -> list[tuple[Box, str]]:
    """Find QR, Micro QR, Aztec and Data Matrix codes and PDF417.

    Args:
        image: The picture, grey or in RGB.

    Returns:
        Box in px and the text of each code.

    Raises:
        MissingExtraError: zxing-cpp is not installed.
    """
    try:
        import zxingcpp
    except ImportError as error:
        raise MissingExtraError("zxing-cpp", "privacy") from error
    wanted = zxingcpp.barcode_formats_from_str("QRCode,MicroQRCode,Aztec,DataMatrix,PDF417")
    grey = image if image.mode == "L" else image.convert("L")
    found = zxingcpp.read_barcodes(np.asarray(grey), formats=wanted)
    return [(_box(code.position, image.size), code.text) for code in found]


def _box(position: object, size: tuple[int, int]) -> Box:
    corners = [getattr(position, name) for name in ("top_left", "top_right", "bottom_right", "bottom_left")]
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    margin = round(max(max(xs) - min(xs), max(ys) - min(ys)) * _MARGIN)
    return (
        max(0, min(xs) - margin),
        max(0, min(ys) - margin),
        min(size[0], max(xs) + margin),
        min(size[1], max(ys) + margin),
    )
