"""Parser of --size, the display size of a simulated phone."""

from __future__ import annotations

import re

from fingertip_dataset.errors import UsageError


def read_size(text: str) -> tuple[int, int]:
    """Parse WIDTHxHEIGHT into width and height in px.

    Raises:
        UsageError: `text` is not WIDTHxHEIGHT.

    >>> read_size("1080x2400")
    (1080, 2400)
    """
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    if not found:
        raise UsageError(f"expected --size as WIDTHxHEIGHT, each 10 to 9999 px, got {text!r}")
    return int(found.group(1)), int(found.group(2))
