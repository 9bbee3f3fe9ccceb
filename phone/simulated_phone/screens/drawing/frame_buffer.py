"""Frame buffer: the pixels of a phone's screen as an array, of which only what changed is drawn.

The pixels are those of `DisplayedScreen.picture`, byte for byte. Drawing is fast for two reasons. Most pieces
lie on one colour, so text, icons and round corners are blended once a colour and then copied. And the pieces
that two screens share are not drawn again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

import numpy as np

from simulated_phone.screens.drawing.blocks import Pixels
from simulated_phone.screens.drawing.display_list import Box, WindowPieces, display_list
from simulated_phone.screens.drawing.draw_ops import list_operations
from simulated_phone.screens.drawing.paint_ops import paint_region
from simulated_phone.screens.drawing.png_file import PngBands
from simulated_phone.screens.nodes import PixelBox
from simulated_phone.screens.screen import DisplayedScreen

SMALL_SHARE = 3
"""Changes of up to one part in so many of the display are small."""


class FrameBuffer:
    """The pixels of one display.

    Args:
        size: Width and height, px.
        pixels: Array of shape (height, width, 3) to draw in; by default a new one.
    """

    def __init__(self, size: tuple[int, int], pixels: Pixels | None = None) -> None:
        width, height = size
        self.size = size
        self._pixels = np.zeros((height, width, 3), np.uint8) if pixels is None else pixels
        self._screen: DisplayedScreen | None = None
        self._windows: list[WindowPieces] = []
        self._png: PngBands | None = None

    def draw(self, screen: DisplayedScreen) -> Pixels:
        """The screen's pixels, RGB, in the buffer's own memory: the next call changes them.

        Raises:
            ValueError: The screen has another size.
        """
        if screen.size != self.size:
            raise ValueError(f"expected a screen of {self.size} px, got {screen.size}")
        if screen is self._screen:
            return self._pixels
        windows = display_list(screen)
        first = self._screen is None
        self._screen = None  # an error while drawing leaves no valid pixels
        # only regions where a piece went or came: all else would be drawn with the same pixels again
        regions = [screen.frame] if first else _find_changes(self._windows, windows, screen.frame)
        if regions:
            near = windows if first else _cut_changed(self._windows, windows, regions, screen.frame)
            found = list_operations(near, screen.frame)
            for region in regions:
                left, top, right, bottom = region
                paint_region(self._pixels[top:bottom, left:right], found, region)
                if self._png is not None:
                    self._png.change(region.top, region.bottom)
        self._screen, self._windows = screen, windows
        return self._pixels

    def png(self, screen: DisplayedScreen) -> bytes:
        """The screen as a PNG file, of which only what changed since the last one is compressed.

        Raises:
            ValueError: The screen has another size.
        """
        pixels = self.draw(screen)
        if self._png is None:
            self._png = PngBands(pixels)
        return self._png.file()


def _find_changes(
    before: Sequence[WindowPieces], after: Sequence[WindowPieces], frame: PixelBox
) -> list[PixelBox]:
    """Disjoint regions outside of which the two lists give the same pixels."""
    # windows that are equal at the bottom and at the top of the stack cannot have changed a pixel
    low = 0
    while low < min(len(before), len(after)) and before[low].number == after[low].number:
        low += 1
    high = 0
    while high < min(len(before), len(after)) - low and before[-1 - high].number == after[-1 - high].number:
        high += 1
    removed, added = _numbered(before[low : len(before) - high]), _numbered(after[low : len(after) - high])
    if removed == added:
        return []
    old, new = dict(removed), dict(added)
    if len(old) < len(removed) or len(new) < len(added):
        return [frame]  # the same piece twice: which of them went?
    # the same pieces in another order overlap in another way, anywhere on the screen
    if [number for number in old if number in new] != [number for number in new if number in old]:
        return [frame]
    gone = [box for number, box in removed if number not in new]
    return _split_bands(gone + [box for number, box in added if number not in old])


def _cut_changed(
    before: Sequence[WindowPieces],
    after: Sequence[WindowPieces],
    regions: Sequence[PixelBox],
    frame: PixelBox,
) -> Sequence[WindowPieces]:
    """Windows whose operations give the same pixels in small regions: without the pieces elsewhere.

    To find out what lies under each of a window's pieces takes longer than drawing a few.
    """
    area = sum(region.width * region.height for region in regions)
    if area * SMALL_SHARE > frame.width * frame.height:
        return after
    same = 0
    # the operations of windows that were there before are kept
    while same < min(len(before), len(after)) and before[same].number == after[same].number:
        same += 1
    return [*after[:same], *(window.cut(regions) for window in after[same:])]


def _numbered(windows: Iterable[WindowPieces]) -> list[tuple[int, Box]]:
    """Number and visible box of each piece."""
    return [one for window in windows for one in zip(window.numbers, window.boxes, strict=True)]


def _split_bands(boxes: Sequence[Box]) -> list[PixelBox]:
    """Disjoint regions, one below the other, that cover the boxes."""
    found: list[PixelBox] = []
    left = top = right = bottom = 0
    # bands and not boxes: disjoint regions draw each pixel once, and PNG rows are compressed whole
    for low_x, low_y, high_x, high_y in sorted(boxes, key=itemgetter(1)):
        if low_y >= bottom:
            found.append(PixelBox(left, top, right, bottom))
            left, top, right, bottom = low_x, low_y, high_x, high_y
            continue
        # comparisons, which are faster than `max` and `min`
        if low_x < left:
            left = low_x
        if high_x > right:
            right = high_x
        if high_y > bottom:
            bottom = high_y
    found.append(PixelBox(left, top, right, bottom))
    return found[1:]
