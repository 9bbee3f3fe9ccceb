"""The screens on the report page: each picture once, scaled down, and decoded only when in view."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from fingertip_dataset.pictures import read_picture_size
from fingertip_runs.thumbnails import scale_picture

WIDTH, QUALITY = 240, 50
"""Width in px, and JPEG quality: a screen takes about 8 kB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScreen:
    """A screen on the page.

    Attributes:
        key: Its number on the page; None if its pixels cannot be decoded.
        size: Width and height of the original picture, px; (0, 0) if unknown.
    """

    key: int | None
    size: tuple[int, int]


class PageScreens:
    """All screens of a page; equal pictures are stored once.

    Attributes:
        content: JPEG files in base64; the index is the key.
    """

    def __init__(self) -> None:
        self.content: list[str] = []
        self._known: dict[str, PageScreen] = {}

    def add(self, pictures: Sequence[bytes | None]) -> list[PageScreen | None]:
        """Adds pictures and returns their screens on the page, in the same order; None for None.

        Args:
            pictures: PNG or JPEG files.
        """
        names = [None if picture is None else hashlib.sha256(picture).hexdigest() for picture in pictures]
        new = {
            name: picture
            for name, picture in zip(names, pictures, strict=True)
            if name is not None and picture is not None and name not in self._known
        }
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            small = pool.map(lambda picture: scale_picture(picture, WIDTH, quality=QUALITY), new.values())
            for (name, picture), content in zip(new.items(), small, strict=True):
                self._known[name] = self._keep(picture, content)
        return [None if name is None else self._known[name] for name in names]

    def _keep(self, picture: bytes, content: bytes | None) -> PageScreen:
        if content is None:
            return PageScreen(key=None, size=(0, 0))
        self.content.append(base64.b64encode(content).decode("ascii"))
        return PageScreen(key=len(self.content) - 1, size=read_picture_size(picture))
