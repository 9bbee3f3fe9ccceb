"""Waiting after an action until the screen stands still, for at most some seconds.

A fixed wait is too short for a splash screen or a slow page, and too long for most actions.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable

from PIL import Image, ImageChops

from fingertip_dataset.errors import DeviceError
from fingertip_dataset.pictures import convert_picture

STILL_SECONDS = 1.0
"""Seconds without a change after which the screen stands still; a real phone animates for about a third."""

SETTLE_LIMIT_SECONDS = 6.0
"""Longest wait: a video never stands still."""

_PAUSE_SECONDS = 0.3
_THUMBNAIL = (54, 120)
_STATUS_BAR = 6
"""Rows of the thumbnail that show the clock and blinking signs."""

_CHANGE = 12
"""Difference of grey levels, of 255, from which a pixel of the thumbnail has changed."""

_CHANGED_PIXELS = 6
"""Number of changed pixels that are no change of the screen, such as a blinking cursor."""


def settle(
    screenshot: Callable[[], bytes],
    *,
    still_s: float = STILL_SECONDS,
    limit_s: float = SETTLE_LIMIT_SECONDS,
) -> bool:
    """Waits until the screen stands still; returns whether it does, False at the limit or if it is not seen.

    Args:
        screenshot: Takes the screen as a PNG or JPEG file.
        still_s: Seconds without a change; with 0 nothing is waited for.
        limit_s: Longest wait in seconds.
    """
    if still_s <= 0:
        return True
    began = time.monotonic()
    try:
        last, since = _make_thumbnail(screenshot()), time.monotonic()
        while (now := time.monotonic()) - began < limit_s:
            if now - since >= still_s:
                return True
            time.sleep(min(_PAUSE_SECONDS, still_s))
            taken = time.monotonic()
            picture = _make_thumbnail(screenshot())
            if _is_different(last, picture):
                since = taken
            last = picture
    except (DeviceError, OSError):
        # the next observation finds out what is wrong
        return False
    return False


def are_different(one: bytes, other: bytes) -> bool:
    """Whether two screenshots show different screens, but for the clock and blinking signs."""
    return one != other and _is_different(_make_thumbnail(one), _make_thumbnail(other))


def _make_thumbnail(picture: bytes) -> Image.Image:
    with Image.open(io.BytesIO(picture)) as opened:
        small = convert_picture(opened).convert("L").resize(_THUMBNAIL, Image.Resampling.BOX)
    return small.crop((0, _STATUS_BAR, *_THUMBNAIL))


def _is_different(one: Image.Image, other: Image.Image) -> bool:
    histogram = ImageChops.difference(one, other).histogram()
    return sum(histogram[_CHANGE:]) > _CHANGED_PIXELS
