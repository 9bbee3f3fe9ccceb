"""Pictures of screens, drawn and encoded once."""

from __future__ import annotations

import io
from collections import OrderedDict
from threading import Lock

from PIL import Image

from simulated_phone.screens.drawing.frame_buffer import FrameBuffer
from simulated_phone.screens.screen import DisplayedScreen


class Pictures:
    """Cache of drawn and encoded screens; the least recently used are dropped beyond `limit` bytes.

    A screen that is not cached is drawn over the one before, as far as they differ.
    """

    def __init__(self, limit: int = 64_000_000) -> None:
        self._limit = limit
        self._entries: OrderedDict[tuple[DisplayedScreen, str], tuple[Image.Image | bytes, int]] = (
            OrderedDict()
        )
        self._bytes = 0
        self._frames: FrameBuffer | None = None
        self._drawing = Lock()

    @property
    def size(self) -> int:
        """Number of bytes cached."""
        return self._bytes

    def draw(self, screen: DisplayedScreen) -> Image.Image:
        """The screen's picture, as a copy for the caller."""
        cached = self._find(screen, "")
        if isinstance(cached, Image.Image):
            return cached.copy()
        picture = self._draw_own(screen)
        self._keep(screen, "", picture, 3 * picture.width * picture.height)
        return picture.copy()

    def encode(self, screen: DisplayedScreen, kind: str, **options: int) -> bytes:
        """The screen's picture as an image file; `kind` and `options` are those of Pillow's `save`."""
        name = f"{kind}{sorted(options.items())}"
        cached = self._find(screen, name)
        if isinstance(cached, bytes):
            return cached
        stream = io.BytesIO()
        self._draw_own(screen).save(stream, kind, **options)
        data = stream.getvalue()
        self._keep(screen, name, data, len(data))
        return data

    def _draw_own(self, screen: DisplayedScreen) -> Image.Image:
        """A picture of its own of the screen, RGB."""
        with self._drawing:
            if self._frames is None or self._frames.size != screen.size:
                self._frames = FrameBuffer(screen.size)
            return Image.fromarray(self._frames.draw(screen).copy())

    def _find(self, screen: DisplayedScreen, name: str) -> Image.Image | bytes | None:
        if (screen, name) not in self._entries:
            return None
        self._entries.move_to_end((screen, name))
        return self._entries[screen, name][0]

    def _keep(self, screen: DisplayedScreen, name: str, picture: Image.Image | bytes, size: int) -> None:
        self._entries[screen, name] = (picture, size)
        self._bytes += size
        while self._bytes > self._limit and len(self._entries) > 1:
            _, (_, freed) = self._entries.popitem(last=False)
            self._bytes -= freed
