"""A laid-out screen: windows over each other, from which the picture and the tree are made."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PIL import Image

from simulated_phone.screens.nodes import Node, PixelBox
from simulated_phone.screens.paint import paint
from simulated_phone.screens.tree import write_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One window.

    Args:
        package: Whose it is.
        root: What it holds.
        behind: Drawn dimmed under a dialog, in no tree.
        passing: Takes no touch (a toast).
        chrome: A bar or the keyboard, not what an app shows.
    """

    package: str
    root: Node
    behind: bool = False
    passing: bool = False
    chrome: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedScreen:
    """Everything that is on the display: its size in px and its windows, the lowest first.

    Equal screens have equal pictures and equal trees; `black` says that screenshots are black.
    """

    size: tuple[int, int]
    rotation: int
    windows: tuple[Window, ...]
    black: bool = False

    @property
    def frame(self) -> PixelBox:
        """The whole display."""
        return PixelBox(0, 0, *self.size)

    def nodes(self) -> Iterator[Node]:
        """Every node that the tree holds."""
        for window in self.windows:
            if not window.behind:
                yield from window.root.walk()

    def touched(self, x: float, y: float) -> Node | None:
        """The node that a touch at the pixel acts on: in the topmost window, the deepest that takes one."""
        return self._find(x, y, lambda node: node.clickable or (node.enabled and node.hold is not None))

    def scrolled(self, x: float, y: float) -> Node | None:
        """The scrolling node under the pixel, if it has more than it shows."""
        return self._find(x, y, lambda node: node.scroll is not None and node.scroll.extent > 0)

    def _find(self, x: float, y: float, wanted: Callable[[Node], bool]) -> Node | None:
        for window in reversed(self.windows):
            if window.passing or window.behind or not window.root.box.contains(x, y):
                continue
            return _deepest(window.root, x, y, wanted)
        return None

    def tree(self, dialect: str = "uiautomator") -> str:
        """The accessibility tree as XML, in the dialect "uiautomator" or "release"."""
        windows = [(window.package, window.root) for window in self.windows if not window.behind]
        return write_tree(windows, self.frame, self.rotation, dialect)

    def picture(self) -> Image.Image:
        """The pixels, RGB."""
        canvas = Image.new("RGB", self.size, "#000000")
        if self.black:
            return canvas
        for place, window in enumerate(self.windows):
            paint(canvas, window.root)
            over = self.windows[place + 1] if place + 1 < len(self.windows) else None
            if window.behind and not (over and over.behind):
                canvas = canvas.point([value * 45 // 100 for value in range(256)] * 3)
        return canvas


def _deepest(node: Node, x: float, y: float, wanted: Callable[[Node], bool]) -> Node | None:
    for child in reversed(node.children):
        if child.box.contains(x, y) and (found := _deepest(child, x, y, wanted)):
            return found
    return node if wanted(node) else None


class Pictures:
    """Pictures of screens, drawn and encoded once each; the oldest are dropped beyond `limit` bytes."""

    def __init__(self, limit: int = 64_000_000) -> None:
        self._limit = limit
        self._kept: OrderedDict[tuple[DisplayedScreen, str], tuple[Image.Image | bytes, int]] = OrderedDict()
        self._bytes = 0

    @property
    def size(self) -> int:
        """Bytes kept now."""
        return self._bytes

    def draw(self, screen: DisplayedScreen) -> Image.Image:
        """The screen's picture, the caller's own copy."""
        kept = self._find(screen, "")
        if isinstance(kept, Image.Image):
            return kept.copy()
        picture = screen.picture()
        self._keep(screen, "", picture, 3 * picture.width * picture.height)
        return picture.copy()

    def encode(self, screen: DisplayedScreen, kind: str, **options: int) -> bytes:
        """The screen's picture as a file of that kind ("PNG", "JPEG"), with Pillow's options for it."""
        name = f"{kind}{sorted(options.items())}"
        kept = self._find(screen, name)
        if isinstance(kept, bytes):
            return kept
        stream = io.BytesIO()
        screen.picture().save(stream, kind, **options)
        data = stream.getvalue()
        self._keep(screen, name, data, len(data))
        return data

    def _find(self, screen: DisplayedScreen, name: str) -> Image.Image | bytes | None:
        if (screen, name) not in self._kept:
            return None
        self._kept.move_to_end((screen, name))
        return self._kept[screen, name][0]

    def _keep(self, screen: DisplayedScreen, name: str, thing: Image.Image | bytes, size: int) -> None:
        self._kept[screen, name] = (thing, size)
        self._bytes += size
        while self._bytes > self._limit and len(self._kept) > 1:
            _, (_, freed) = self._kept.popitem(last=False)
            self._bytes -= freed
