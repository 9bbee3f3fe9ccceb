"""Drawing operations: the pieces of a screen, each with what lies under it found out, ready to be copied.

Most pieces lie on one fill, so that their pixels follow from it, and from nothing else that is on the screen.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import chain, starmap
from operator import itemgetter
from threading import Lock

import numpy as np

from simulated_phone.screens.drawing.blocks import (
    Backdrop,
    Blend,
    Pixels,
    block_of,
    darken,
    draw_corner_blocks,
    draw_gradient_pixels,
    row,
)
from simulated_phone.screens.drawing.display_list import Box, Piece, WindowPieces
from simulated_phone.screens.drawing.paint_ops import Operation, paint_region
from simulated_phone.screens.nodes import Fill, Picture, PixelBox

COVER_SHARE = 24
"""A page's background is not drawn under what covers at least one part in so many of it."""
OPERATION_BYTES = 384_000_000
"""Largest memory of the blocks of kept operations, which all frame buffers of a process share."""


def list_operations(windows: Sequence[WindowPieces], frame: PixelBox) -> list[Operation]:
    """The operations that draw a screen.

    Args:
        windows: The windows' pieces, the lowest first.
        frame: The display.
    """
    # pieces under a dialog are drawn in their final colours, unless one of them is blended
    dimmed = [
        _KEPT.find(windows[: place + 1], (), late=False) for place, one in enumerate(windows) if one.dim
    ]
    # a blend needs the pixels under it before they are darkened: then darkening is a step of its own
    late = any(block is None for part in dimmed for *_, block, _ in part)
    found = _fill_black(windows, frame)
    level = windows[0].dim if windows else 0
    for place, window in enumerate(windows):
        if late:
            found += [(*frame, None, None)] * (level - window.dim)
            level = window.dim
        found += _KEPT.find(windows[: place + 1], found, late=late and window.dim > 0)
    return found


def _fill_black(windows: Sequence[WindowPieces], frame: PixelBox) -> list[Operation]:
    """Black where the lowest piece leaves the display free."""
    opaque = bool(windows and windows[0].pieces) and not _needs_ground(windows[0].pieces[0])
    free = _list_uncovered(frame, windows[0].boxes[:1] if opaque else [])
    return [(*box, row((0, 0, 0), box[2] - box[0]), None) for box in free]


class _KeptOperations:
    """The operations of windows shown before; the least recently shown are dropped beyond `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = 0
        self._uses: dict[int, int] = {}
        """Id of each array that operations hold, and by how many windows it is held."""
        self._lock = Lock()
        # by the numbers of the windows
        self._entries: OrderedDict[tuple[int, ...], list[Operation]] = OrderedDict()

    def find(
        self, windows: Sequence[WindowPieces], under: Sequence[Operation], *, late: bool
    ) -> list[Operation]:
        """The operations of the last of the windows, those of the others being `under` it.

        With `late` its colours are those before darkening.
        """
        numbers = [window.number for window in windows]
        # a window that covers all it draws on looks the same over any other; one that shines through
        # does not, so it is kept under the numbers of all windows below, too
        alone, with_lower = (late, numbers[-1]), (late, len(numbers), *numbers)
        with self._lock:
            for name in (alone, with_lower):
                if name in self._entries:
                    self._entries.move_to_end(name)
                    return self._entries[name]
        # outside of the lock: two threads may draw the same window, which costs time and changes nothing
        by_itself, found = _list_window_operations(windows, under, late=late)
        with self._lock:
            name = alone if by_itself else with_lower
            if name not in self._entries:
                self._entries[name] = found
                self._count(found, 1)
            while self._bytes > self._limit and len(self._entries) > 1:
                self._count(self._entries.popitem(last=False)[1], -1)
        return found

    def _count(self, found: Sequence[Operation], more: int) -> None:
        """Count the arrays of one window more, or one less."""
        for name, array in _list_arrays(found).items():
            before = self._uses.get(name, 0)
            self._uses[name] = before + more
            if not before:
                self._bytes += array.nbytes
            elif before + more == 0:
                self._bytes -= array.nbytes
                del self._uses[name]


def _list_arrays(found: Sequence[Operation]) -> dict[int, Pixels]:
    """The arrays that operations hold, by their ids."""
    held = {}
    for *_, block, _ in found:
        if block is not None:
            # slices share the memory of the block that they were cut from, which is counted once
            whole = block.base if isinstance(block.base, np.ndarray) else block
            held[id(whole)] = whole
    return held


def _list_window_operations(
    windows: Sequence[WindowPieces], under: Sequence[Operation], *, late: bool
) -> tuple[bool, list[Operation]]:
    """Whether the last window lies on nothing but itself, and its operations."""
    window, alone = windows[-1], True
    found: list[Operation] = []
    for place, (piece, box) in enumerate(zip(window.pieces, window.boxes, strict=True)):
        if not _needs_ground(piece):
            _add(found, piece, box, (0, 0, 0), late=late)
            continue
        ground = _find_ground(piece, box, window, place)
        alone = alone and ground != "none"
        # where the window itself has nothing under the piece, the windows below it show
        for lower in reversed(windows[:-1]):
            if ground != "none":
                break
            ground = _find_ground(piece, box, lower, len(lower.pieces))
        if ground == "mixed":
            blended = _blend_piece(piece, box, 0 if late else piece.dim)
            if not window.dim:
                # nothing below changes any more: blended here, it is copied when the window is shown again
                blended = [_draw_now(one, under, found) for one in blended]
                alone = alone and _is_covered(window, place, box)
            found += blended
        else:
            _add(found, piece, box, (0, 0, 0) if isinstance(ground, str) else ground, late=late)
    return alone, _drop_hidden(found)


def _drop_hidden(found: list[Operation]) -> list[Operation]:
    """Operations without what large ones cover of the first, a page's background."""
    if not found:
        return found
    left, top, right, bottom, block, _ = found[0]
    # each cover cuts the background into strips: a small one saves fewer pixels than its strips cost
    least = (right - left) * (bottom - top) // COVER_SHARE
    covers = [one[:4] for one in found[1:] if one[4] is not None and _area(one) >= least]
    if block is None or not covers:
        return found
    strips: list[Operation] = []
    for box in _list_uncovered((left, top, right, bottom), covers):
        # a block of one row stands for all rows of its box
        low = 0 if len(block) == 1 else box[1] - top
        part = block[low : low + box[3] - box[1], box[0] - left : box[2] - left]
        strips.append((*box, part, None))
    return strips + found[1:]


def _area(one: Operation) -> int:
    return (one[2] - one[0]) * (one[3] - one[1])


def _list_uncovered(ground: Box, covers: Iterable[Box]) -> list[Box]:
    """Disjoint boxes that a box consists of without most of its covers: of those side by side one counts."""
    left, top, right, bottom = ground
    found: list[Box] = []
    for low_x, low_y, high_x, high_y in sorted(covers, key=itemgetter(1)):
        if low_y >= top and low_x >= left and high_x <= right and high_y <= bottom:
            found += [(left, top, right, low_y), (left, low_y, low_x, high_y), (high_x, low_y, right, high_y)]
            top = high_y
    found.append((left, top, right, bottom))
    return [box for box in found if box[0] < box[2] and box[1] < box[3]]


def _draw_now(one: Operation, under: Sequence[Operation], found: Sequence[Operation]) -> Operation:
    """An operation with the pixels that it gives on the operations under it."""
    left, top, right, bottom, block, _ = one
    if block is None:
        block = np.empty((bottom - top, right - left, 3), np.uint8)
        paint_region(block, chain(under, found, (one,)), (left, top, right, bottom))
    return left, top, right, bottom, block, None


def _is_covered(window: WindowPieces, end: int, box: Box) -> bool:
    """Whether one of the first pieces of a window covers a box."""
    left, top, right, bottom = box
    return any(
        low_x <= left and low_y <= top and high_x >= right and high_y >= bottom and not _needs_ground(piece)
        for piece, (low_x, low_y, high_x, high_y) in zip(window.pieces[:end], window.boxes, strict=False)
    )


def _measure_radius(fill: Fill) -> int:
    if not fill.radius:
        return 0
    return min(fill.radius, (fill.box.right - fill.box.left) // 2, (fill.box.bottom - fill.box.top) // 2)


def _needs_ground(piece: Piece) -> bool:
    """Whether the pixels of a piece depend on what lies under it."""
    content = piece.content
    if isinstance(content, Picture):
        return bool(content.radius)
    return not isinstance(content, Fill) or _measure_radius(content) > (1 if content.to is None else 0)


def _find_ground(piece: Piece, box: Box, window: WindowPieces, end: int) -> Backdrop | str:
    """The fill that alone lies under a piece, as it looks when that is drawn; "none" or "mixed" otherwise.

    Args:
        piece: The piece.
        box: Its visible part.
        window: The window whose pieces may lie under it.
        end: How many of them do.
    """
    left, top, right, bottom = box
    boxes = window.boxes
    # from the topmost down: the first piece that touches the box decides
    for place in range(end - 1, -1, -1):
        low_x, low_y, high_x, high_y = boxes[place]
        if left >= high_x or right <= low_x or top >= high_y or bottom <= low_y:
            continue
        other = window.pieces[place]
        fill = other.content
        if not isinstance(fill, Fill) or left < low_x or top < low_y or right > high_x or bottom > high_y:
            # its edge or a text runs through the piece: there is no one colour to blend with
            return "mixed"
        curve = _measure_radius(fill)
        if curve > 1:
            # how far it reaches into the square of a round corner; two pixels of its edge are not even
            across = max(0, other.left + curve - left, right - other.right + curve)
            down = max(0, other.top + curve - top, bottom - other.bottom + curve)
            if across and down and across**2 + down**2 > max(0, curve - 2) ** 2:
                return "mixed"
        # the block is darkened as a whole afterwards, so the ground is what it was so many times before
        times = other.dim - piece.dim
        if fill.to is None:
            return darken(fill.color, times)
        return Blend(fill.color, fill.to, fill.box.height, piece.top - fill.box.top, times)
    return "none"


def _add(found: list[Operation], piece: Piece, box: Box, ground: Backdrop, *, late: bool) -> None:
    """Add the operations of one piece."""
    content, dim = piece.content, 0 if late else piece.dim
    left, top, right, bottom = box
    if isinstance(content, Fill) and content.to is None:
        found.append((*box, row(darken(content.color, dim), right - left), None))
        if _measure_radius(content) > 1:
            _add_corners(found, content, box, _draw_corners(content, ground, dim))
        return
    if isinstance(content, Fill) and content.to is not None and not _measure_radius(content):
        block = draw_gradient_pixels(content.color, content.to, content.box.width, content.box.height, dim)
    else:
        block = block_of(piece, ground, dim)
    if box != piece[:4]:
        across, down = left - piece.left, top - piece.top
        block = block[down : down + bottom - top, across : across + right - left]
    found.append((*box, block, None))


def _blend_piece(piece: Piece, box: Box, dim: int) -> list[Operation]:
    """The operations of a piece that is blended with what is there: of a round fill its corners alone."""
    fill = piece.content
    if not isinstance(fill, Fill) or fill.to is not None:
        return [(*box, None, piece)]
    left, top, right, bottom = fill.box
    curve, seen = _measure_radius(fill), PixelBox(*box)
    # a cross without the four corner squares is opaque: only they need what lies below
    inside = (left + curve, top, right - curve, bottom), (left, top + curve, right, bottom - curve)
    parts = [part for part in map(seen.clip, starmap(PixelBox, inside)) if not part.empty]
    found: list[Operation] = [(*part, row(darken(fill.color, dim), part.width), None) for part in parts]
    for x in (left, right - curve):
        for y in (top, bottom - curve):
            part = seen.clip(PixelBox(x, y, x + curve, y + curve))
            if not part.empty:
                found.append((*part, None, piece))
    return found


def _draw_corners(fill: Fill, ground: Backdrop, dim: int) -> tuple[Pixels, ...]:
    """The round corners of a fill on its ground."""
    low = ground
    if isinstance(ground, Blend):
        low = ground._replace(top=ground.top + fill.box.height - _measure_radius(fill))
    return draw_corner_blocks(_measure_radius(fill), fill.color, ground, low, dim)


def _add_corners(found: list[Operation], fill: Fill, box: Box, blocks: Sequence[Pixels]) -> None:
    """Add the visible parts of a fill's round corners."""
    radius, whole, seen = _measure_radius(fill), fill.box, PixelBox(*box)
    far, low = whole.right - radius, whole.bottom - radius
    places = ((whole.left, whole.top), (far, whole.top), (far, low), (whole.left, low))
    for (left, top), block in zip(places, blocks, strict=True):
        part = seen.clip(PixelBox(left, top, left + radius, top + radius))
        if not part.empty:
            across = slice(part.left - left, part.right - left)
            found.append((*part, block[part.top - top : part.bottom - top, across], None))


_KEPT = _KeptOperations(OPERATION_BYTES)
