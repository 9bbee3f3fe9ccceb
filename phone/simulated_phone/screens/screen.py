"""A laid-out screen: a stack of windows, from which picture and accessibility tree are derived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PIL import Image

from simulated_phone.screens.drawing.paint import paint
from simulated_phone.screens.nodes import Node, PixelBox
from simulated_phone.screens.tree import ACTIVE_WINDOW, write_tree

DARKENED = tuple(value * 45 // 100 for value in range(256))
"""Channel value -> its value on a page under a dialog."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Window of the display.

    Args:
        package: Package of its app.
        root: Root node.
        behind: Whether it is dimmed under a dialog and left out of the tree.
        passing: Whether touches pass through it (a toast).
        chrome: Whether it is a bar or the keyboard, not a surface of an app.
        protected: Whether it is black in screenshots.
    """

    package: str
    root: Node
    behind: bool = False
    passing: bool = False
    chrome: bool = False
    protected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedScreen:
    """The content of the display; equal screens have equal pictures and equal trees.

    Args:
        size: Width and height, px.
        rotation: Quarter turns, 0-3.
        windows: Windows, the lowest first.
        black: Whether all of a screenshot is black.
    """

    size: tuple[int, int]
    rotation: int
    windows: tuple[Window, ...]
    black: bool = False

    @property
    def drawn(self) -> tuple[Window, ...]:
        """The windows that screenshots show; all else is black."""
        return () if self.black else tuple(window for window in self.windows if not window.protected)

    @property
    def frame(self) -> PixelBox:
        """The whole display."""
        return PixelBox(0, 0, *self.size)

    def nodes(self) -> Iterator[Node]:
        """All nodes of the accessibility tree."""
        for window in self.windows:
            if not window.behind:
                yield from window.root.walk()

    def touched(self, x: float, y: float) -> Node | None:
        """The node that a touch at the pixel acts on: the deepest touchable one of the topmost window."""
        return self._find(x, y, lambda node: node.clickable or (node.enabled and node.hold is not None))

    def scrolled(self, x: float, y: float) -> Node | None:
        """The wheel at the pixel, or the scrollable node whose content is larger than its box."""
        return self._find(
            x,
            y,
            lambda node: node.wheel is not None or (node.scroll is not None and node.scroll.extent > 0),
        )

    def _find(self, x: float, y: float, matches: Callable[[Node], bool]) -> Node | None:
        for window in reversed(self.windows):
            if window.passing or window.behind or not window.root.box.contains(x, y):
                continue
            return _find_deepest(window.root, x, y, matches)
        return None

    @property
    def active(self) -> Window | None:
        """The window that has the focus: neither bar, keyboard nor toast; None if the display is off."""
        for window in self.windows:
            if not (window.behind or window.chrome or window.passing):
                return window
        return None

    def tree(self, dialect: str = "uiautomator") -> str:
        """The accessibility tree as XML: the active window in "uiautomator", all in other dialects."""
        shown = [window for window in self.windows if not window.behind]
        if dialect == ACTIVE_WINDOW:
            shown = [self.active] if self.active else []
        windows = [(window.package, window.root) for window in shown]
        return write_tree(windows, self.frame, self.rotation, dialect)

    def picture(self) -> Image.Image:
        """Draw the screen, RGB."""
        canvas = Image.new("RGB", self.size, "#000000")
        windows = self.drawn
        for place, window in enumerate(windows):
            paint(canvas, window.root)
            over = windows[place + 1] if place + 1 < len(windows) else None
            if window.behind and not (over and over.behind):
                canvas = canvas.point(DARKENED * 3)
        return canvas


def _find_deepest(node: Node, x: float, y: float, matches: Callable[[Node], bool]) -> Node | None:
    for child in reversed(node.children):
        if child.box.contains(x, y) and (found := _find_deepest(child, x, y, matches)):
            return found
    return node if matches(node) else None
