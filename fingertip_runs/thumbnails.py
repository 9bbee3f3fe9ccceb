"""Small pictures of screens for pages, upright."""

from __future__ import annotations

import io
from typing import Literal

from fingertip_dataset.errors import InputError
from fingertip_dataset.pictures import open_screenshot
from fingertip_pages.page_parts import data_uri


def make_thumbnail(picture: bytes, width: int) -> str | None:
    """A screen scaled to a width (px), as a data URI; None if its pixels cannot be decoded."""
    small = scale_picture(picture, width, kind="jpeg", quality=70)
    return data_uri(small, "jpeg") if small else None


def scale_picture(picture: bytes, width: int, *, kind: Literal["jpeg", "webp"], quality: int) -> bytes | None:
    """A screen scaled to a width (px), as a file's bytes; None if its pixels cannot be decoded."""
    from PIL.Image import Resampling

    try:
        image = open_screenshot(picture)
    except InputError:
        return None
    height = max(1, round(image.height * width / image.width))
    stream = io.BytesIO()
    image.resize((width, height), Resampling.BOX, reducing_gap=2).save(stream, kind, quality=quality)
    return stream.getvalue()
