"""Frame buffer: the pixels of a phone's screen as an array, of which only what changed is drawn.

The pixels are those of `DisplayedScreen.picture`, byte for byte. Drawing is fast for two reasons. Most pieces
lie on one colour, so text, icons and round corners are blended once a colour and then copied. And the pieces
that two screens share are not drawn again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from simulated_phone.screens import fonts, icons
from simulated_phone.screens.display_list import (
    IconMark,
    MarkGroup,
    Piece,
    TextLine,
    WindowPieces,
    display_list,
)
from simulated_phone.screens.nodes import Fill, Glyph, Mark, Picture, PixelBox, Words
from simulated_phone.screens.paint import corner_masks, gradient, paint_mark
from simulated_phone.screens.screen import DARKENED, DisplayedScreen

Pixels: TypeAlias = NDArray[np.uint8]
Color: TypeAlias = tuple[int, int, int]


class Blend(NamedTuple):
    """A part of a gradient from top to bottom: `height` px high, from `top` px on, darkened `times`."""

    first: str
    last: str
    height: int
    top: int
    times: int


Backdrop: TypeAlias = Color | Blend
"""What lies under a piece."""

MOST_REGIONS, MOST_BOXES = 4, 24
"""Changes in more regions, or of more pieces, than these are drawn as one region."""
BLOCK_BYTES = 96_000_000
"""Largest memory of the cache of blocks, which all frame buffers of a process share."""

_LUT = np.array(DARKENED, dtype=np.uint8)
BARE, MIXED = -2, -1
"""Nothing lies under a piece; more than one fill, or something else, does."""


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

    def draw(self, screen: DisplayedScreen) -> Pixels:
        """The screen's pixels, RGB, in the buffer's own memory: the next call changes them.

        Raises:
            ValueError: The screen has another size.
        """
        if screen.size != self.size:
            raise ValueError(f"expected a screen of {self.size} px, got {screen.size}")
        if screen is self._screen:
            return self._pixels
        windows = display_list(screen, self._windows)
        first = self._screen is None
        self._screen = None  # an error while drawing leaves no valid pixels
        regions = [screen.frame] if first else _changed(self._windows, windows, screen.frame)
        if regions:
            pieces = [piece for window in windows for piece in window.pieces]
            for region in regions:
                _Painter(self._pixels, region).paint(pieces)
        self._screen, self._windows = screen, windows
        return self._pixels


def _changed(
    before: Sequence[WindowPieces], after: Sequence[WindowPieces], frame: PixelBox
) -> list[PixelBox]:
    """Disjoint regions outside of which the two lists give the same pixels."""
    low = 0
    while low < min(len(before), len(after)) and before[low] is after[low]:
        low += 1
    high = 0
    while high < min(len(before), len(after)) - low and before[-1 - high] is after[-1 - high]:
        high += 1
    removed = [piece for window in before[low : len(before) - high] for piece in window.pieces]
    added = [piece for window in after[low : len(after) - high] for piece in window.pieces]
    if removed == added:
        return []
    old, new = set(removed), set(added)
    if len(old) < len(removed) or len(new) < len(added):
        return [frame]  # the same piece twice: which of them went?
    gone, come = old - new, new - old
    kept = [piece for piece in removed if piece not in gone]
    if kept != [piece for piece in added if piece not in come]:
        return [frame]
    boxes = [box for piece in gone | come if (box := _visible(piece, frame)) is not None]
    if len(boxes) > MOST_BOXES:
        return [_around(boxes)]
    regions: list[PixelBox] = []
    for box in boxes:
        _merge(regions, box)
    return regions if len(regions) <= MOST_REGIONS else [_around(regions)]


def _merge(regions: list[PixelBox], box: PixelBox) -> None:
    """Add a region; regions that meet become one."""
    left, top, right, bottom = box
    place = 0
    while place < len(regions):
        other = regions[place]
        if left < other[2] and right > other[0] and top < other[3] and bottom > other[1]:
            del regions[place]
            left, top = min(left, other[0]), min(top, other[1])
            right, bottom = max(right, other[2]), max(bottom, other[3])
            place = 0  # it may now meet one that it did not meet before
        else:
            place += 1
    regions.append(PixelBox(left, top, right, bottom))


def _around(regions: Sequence[PixelBox]) -> PixelBox:
    left, top, right, bottom = zip(*regions, strict=True)
    return PixelBox(min(left), min(top), max(right), max(bottom))


class _Painter:
    """Draws the pieces of a screen within one region."""

    def __init__(self, pixels: Pixels, region: PixelBox) -> None:
        self._pixels = pixels
        self._region = region

    def paint(self, pieces: Sequence[Piece]) -> None:
        """Draw all pieces, the lowest first."""
        left, top, right, bottom = self._region
        part = self._pixels[top:bottom, left:right]
        shown, boxes = list[Piece](), list[PixelBox]()
        for piece in pieces:
            box = _visible(piece, self._region)
            if box is not None:
                shown.append(piece)
                boxes.append(box)
        grounds = _grounds(shown, boxes)
        if BARE in grounds or not shown:
            part[...] = 0
        # pieces under a dialog are drawn in their final colours, unless one of them lies on several colours
        later = any(piece.dim and ground == MIXED for piece, ground in zip(shown, grounds, strict=True))
        level = shown[0].dim if shown and later else 0
        for piece, box, ground in zip(shown, boxes, grounds, strict=True):
            while later and piece.dim < level:
                part[...] = _LUT[part]
                level -= 1
            below: Backdrop | None = (0, 0, 0)
            if ground == MIXED:
                below = None
            elif ground >= 0:
                below = _ground(shown[ground], piece)
            self._draw(piece, box, below, 0 if later else piece.dim)
        for _ in range(level):
            part[...] = _LUT[part]

    def _draw(self, piece: Piece, box: PixelBox, ground: Backdrop | None, dim: int) -> None:
        content = piece.content
        if isinstance(content, Fill) and _radius(content) <= 1 and content.to is None:
            self._pixels[box.top : box.bottom, box.left : box.right] = _row(
                _shade(content.color, dim), self._pixels.shape[1]
            )[:, : box.right - box.left]
        elif isinstance(content, Fill) and content.to is not None and not _radius(content):
            area = _gradient_pixels(content.color, content.to, content.box.width, content.box.height, dim)
            self._copy(area, piece, box)
        elif ground is None:
            self._blend(piece, box)
        elif isinstance(content, Fill) and content.to is None and not isinstance(ground, Blend):
            self._rounded(content, box, ground, dim)
        else:
            self._copy(_BLOCKS.find(piece, ground, dim), piece, box)

    def _copy(self, block: Pixels, piece: Piece, box: PixelBox) -> None:
        """Copy the part of a piece's block that lies within the box."""
        left, top = piece.left, piece.top
        self._pixels[box.top : box.bottom, box.left : box.right] = block[
            box.top - top : box.bottom - top, box.left - left : box.right - left
        ]

    def _rounded(self, fill: Fill, box: PixelBox, ground: Color, dim: int) -> None:
        """A fill with round corners: its rows, then the corners over them."""
        radius, whole = _radius(fill), fill.box
        row = _row(_shade(fill.color, dim), self._pixels.shape[1])
        self._pixels[box.top : box.bottom, box.left : box.right] = row[:, : box.right - box.left]
        near, far = whole.left + radius, whole.right - radius
        high, low = whole.top + radius, whole.bottom - radius
        places = ((whole.left, whole.top), (far, whole.top), (far, low), (whole.left, low))
        if (box.left >= near and box.right <= far) or (box.top >= high and box.bottom <= low):
            return
        for (left, top), block in zip(places, _corner_blocks(radius, fill.color, ground, dim), strict=True):
            part = box.clip(PixelBox(left, top, left + radius, top + radius))
            if not part.empty:
                self._pixels[part.top : part.bottom, part.left : part.right] = block[
                    part.top - top : part.bottom - top, part.left - left : part.right - left
                ]

    def _blend(self, piece: Piece, box: PixelBox) -> None:
        """Draw on what is there, which has more than one colour."""
        part = self._pixels[box.top : box.bottom, box.left : box.right]
        picture = Image.fromarray(part)
        for mark in _marks(piece):
            paint_mark(picture, mark, box.left, box.top)
        part[...] = np.asarray(picture)


def _visible(piece: Piece, region: PixelBox) -> PixelBox | None:
    """The part of a region that a piece draws in; None if there is none."""
    left, top, right, bottom, clip, _, _ = piece
    # comparisons, which are faster than `max` and `min`
    for low_x, low_y, high_x, high_y in (clip, region):
        if low_x > left:
            left = low_x
        if low_y > top:
            top = low_y
        if high_x < right:
            right = high_x
        if high_y < bottom:
            bottom = high_y
    return PixelBox(left, top, right, bottom) if left < right and top < bottom else None


def _radius(fill: Fill) -> int:
    if not fill.radius:
        return 0
    return min(fill.radius, (fill.box.right - fill.box.left) // 2, (fill.box.bottom - fill.box.top) // 2)


def _grounds(shown: Sequence[Piece], boxes: Sequence[PixelBox]) -> list[int]:
    """For each piece the index of the fill that alone lies under it, else BARE or MIXED."""
    if not shown:
        return []
    left, top, right, bottom = np.array(boxes, dtype=np.int32).T
    meet = (
        (left[:, None] < right) & (right[:, None] > left) & (top[:, None] < bottom) & (bottom[:, None] > top)
    )
    meet &= np.tri(len(shown), k=-1, dtype=bool)
    under = len(shown) - 1 - meet[:, ::-1].argmax(axis=1)
    bare = ~meet.any(axis=1)
    radius = np.array([_ground_radius(piece) for piece in shown], dtype=np.int32)
    whole = np.array([piece[:4] for piece in shown], dtype=np.int32)[under]
    below = np.array(boxes, dtype=np.int32)[under]
    curve = radius[under]
    within = (left >= below[:, 0]) & (top >= below[:, 1]) & (right <= below[:, 2]) & (bottom <= below[:, 3])
    # how far a piece reaches into the square of a round corner; two pixels of its edge are not even
    across = np.maximum(0, np.maximum(whole[:, 0] + curve - left, right - whole[:, 2] + curve))
    down = np.maximum(0, np.maximum(whole[:, 1] + curve - top, bottom - whole[:, 3] + curve))
    inside = (across == 0) | (down == 0) | (across**2 + down**2 <= np.maximum(0, curve - 2) ** 2)
    even = (curve >= 0) & within & inside
    found: list[int] = np.where(bare, BARE, np.where(even, under, MIXED)).tolist()
    return found


def _ground(below: Piece, piece: Piece) -> Backdrop:
    """The fill `below` a piece, as it looks when the piece is drawn."""
    fill, times = below.content, below.dim - piece.dim
    assert isinstance(fill, Fill)  # noqa: S101 - as `_grounds` found
    if fill.to is None:
        return _shade(fill.color, times)
    return Blend(fill.color, fill.to, fill.box.height, piece.top - fill.box.top, times)


def _ground_radius(piece: Piece) -> int:
    """The corner radius of a fill, px; -1 for other pieces."""
    content = piece.content
    if not isinstance(content, Fill):
        return -1
    radius = _radius(content)
    return radius if radius > 1 else 0


def _marks(piece: Piece) -> Sequence[Mark]:
    content, box = piece.content, PixelBox(*piece[:4])
    if isinstance(content, TextLine):
        return (Words(box=box, text=content.text, size=content.size, color=content.color, bold=content.bold),)
    if isinstance(content, IconMark):
        return (Glyph(box=box, name=content.name, color=content.color),)
    return content.marks if isinstance(content, MarkGroup) else (content,)


# ---- colours and blocks, which depend on nothing but their arguments


@lru_cache(maxsize=1024)
def _shade(color: str, times: int) -> Color:
    """A colour, darkened a number of times."""
    red, green, blue = ImageColor.getrgb(color)[:3]
    for _ in range(times):
        red, green, blue = DARKENED[red], DARKENED[green], DARKENED[blue]
    return red, green, blue


@lru_cache(maxsize=256)
def _row(color: Color, width: int) -> Pixels:
    """A row of one colour, shape (1, width, 3)."""
    return np.full((1, width, 3), color, np.uint8)


def _darkened(picture: Image.Image, times: int) -> Pixels:
    pixels = np.asarray(picture)
    for _ in range(times):
        pixels = _LUT[pixels]
    return pixels


def _ground_picture(ground: Backdrop, width: int, height: int) -> Image.Image:
    if not isinstance(ground, Blend):
        return Image.new("RGB", (width, height), ground)
    column = gradient(ground.first, ground.last, 1, ground.height)
    part = column.crop((0, ground.top, 1, ground.top + height))
    for _ in range(ground.times):
        part = part.point(DARKENED * 3)
    return part.resize((width, height), Image.Resampling.NEAREST)


def _on_ground(mask: Image.Image, color: str, ground: Backdrop, dim: int) -> Pixels:
    picture = _ground_picture(ground, *mask.size)
    picture.paste(color, (0, 0), mask)
    return _darkened(picture, dim)


@lru_cache(maxsize=256)
def _corner_blocks(radius: int, color: str, ground: Color, dim: int) -> tuple[Pixels, ...]:
    return tuple(_on_ground(mask, color, ground, dim) for mask in corner_masks(radius))


@lru_cache(maxsize=8)
def _gradient_pixels(first: str, last: str, width: int, height: int, dim: int) -> Pixels:
    return _darkened(gradient(first, last, width, height), dim)


class _Blocks:
    """Cache of drawn pieces; the least recently used are dropped beyond `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = 0
        self._entries: OrderedDict[tuple[object, ...], Pixels] = OrderedDict()

    def find(self, piece: Piece, ground: Backdrop, dim: int) -> Pixels:
        """A piece drawn on a ground of its own, shape (height, width, 3) of the piece's box."""
        content, left, top = piece.content, piece.left, piece.top
        key: tuple[object, ...]
        if isinstance(content, TextLine | IconMark):
            key = (content, ground, dim)
        else:
            key = (ground, dim, *(_relative(mark, left, top) for mark in _marks(piece)))
        block = self._entries.get(key)
        if block is not None:
            self._entries.move_to_end(key)
            return block
        if isinstance(content, TextLine):
            mask = fonts.mask(content.text, content.size, content.bold)
            block = _on_ground(mask, content.color, ground, dim)
        elif isinstance(content, IconMark):
            block = _on_ground(icons.mask(content.name, content.side), content.color, ground, dim)
        else:
            picture = _ground_picture(ground, piece.right - left, piece.bottom - top)
            for mark in _marks(piece):
                paint_mark(picture, mark, left, top)
            block = _darkened(picture, dim)
        self._entries[key] = block
        self._bytes += block.nbytes
        while self._bytes > self._limit:
            self._bytes -= self._entries.popitem(last=False)[1].nbytes
        return block


def _relative(mark: Mark, left: int, top: int) -> tuple[object, ...]:
    """What a mark's pixels depend on, with its box relative to a point."""
    box = mark.box
    at = (box.left - left, box.top - top, box.right - left, box.bottom - top)
    if isinstance(mark, Fill):
        return at, mark.color, mark.radius, mark.to
    if isinstance(mark, Words):
        return at, mark.text, mark.size, mark.color, mark.align, mark.bold, mark.lines
    if isinstance(mark, Picture):
        return at, mark.subject, mark.name, mark.radius, mark.tint
    return at, mark.name, mark.color


_BLOCKS = _Blocks(BLOCK_BYTES)
