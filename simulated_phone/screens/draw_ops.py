"""Drawing operations: the pieces of a screen, each with what lies under it found out, ready to be copied.

Most pieces lie on one fill, so that their pixels follow from it, and from nothing else that is on the screen.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from itertools import starmap
from threading import Lock
from typing import NamedTuple

from simulated_phone.screens.blocks import (
    Backdrop,
    Blend,
    Pixels,
    block_of,
    corner_blocks,
    gradient_pixels,
    row,
    shade,
)
from simulated_phone.screens.display_list import Piece, WindowPieces
from simulated_phone.screens.nodes import Fill, Picture, PixelBox

OPERATION_BYTES = 384_000_000
"""Largest memory of the blocks of kept operations, which all frame buffers of a process share."""


class Operation(NamedTuple):
    """One operation.

    Attributes:
        left, top, right, bottom: The box that it changes, px; right and bottom exclusive.
        block: The box's new pixels, shape (height, width, 3); height 1 for a colour that fills it. None for
            a piece that is blended with what is there.
        piece: That piece. With neither block nor piece all that is drawn so far is darkened.
    """

    left: int
    top: int
    right: int
    bottom: int
    block: Pixels | None
    piece: Piece | None


def operations(windows: Sequence[WindowPieces], frame: PixelBox) -> list[Operation]:
    """The operations that draw a screen on black.

    Args:
        windows: The windows' pieces, the lowest first.
        frame: The display.
    """
    # pieces under a dialog are drawn in their final colours, unless one of them is blended
    found = [_KEPT.find(windows[: place + 1], late=False) for place in range(len(windows))]
    if any(
        window.dim and any(one.block is None for one in part)
        for window, part in zip(windows, found, strict=True)
    ):
        found = [_KEPT.find(windows[: place + 1], late=True) for place in range(len(windows))]
        level = windows[0].dim
        for place, window in enumerate(windows):
            found[place] = [Operation(*frame, None, None)] * (level - window.dim) + found[place]
            level = window.dim
    return [one for part in found for one in part]


class _KeptOperations:
    """The operations of windows shown before; the least recently shown are dropped beyond `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = 0
        self._uses: Counter[int] = Counter()
        """Id of each array that operations hold, and by how many windows it is held."""
        self._lock = Lock()
        # by the ids of windows, which are held, so that no other one gets them
        self._entries: OrderedDict[tuple[int, ...], tuple[Sequence[WindowPieces], list[Operation]]] = (
            OrderedDict()
        )

    def find(self, windows: Sequence[WindowPieces], *, late: bool) -> list[Operation]:
        """The operations of the last of the windows; with `late` its colours are those before darkening."""
        alone, with_lower = (late, id(windows[-1])), (late, *map(id, windows))
        with self._lock:
            for name in (alone, with_lower):
                if name in self._entries:
                    self._entries.move_to_end(name)
                    return self._entries[name][1]
        by_itself, found = _window_operations(windows, late=late)
        with self._lock:
            name = alone if by_itself else with_lower
            if name not in self._entries:
                self._entries[name] = (windows[-1:] if by_itself else windows, found)
                self._count(found, 1)
            while self._bytes > self._limit and len(self._entries) > 1:
                self._count(self._entries.popitem(last=False)[1][1], -1)
        return found

    def _count(self, found: Sequence[Operation], more: int) -> None:
        """Count the arrays of one window more, or one less."""
        for array in _arrays(found):
            before = self._uses[id(array)]
            self._uses[id(array)] = before + more
            if not before:
                self._bytes += array.nbytes
            elif before + more == 0:
                self._bytes -= array.nbytes
                del self._uses[id(array)]


def _arrays(found: Sequence[Operation]) -> Iterable[Pixels]:
    """The arrays that operations hold, each once."""
    held = {}
    for one in found:
        if one.block is not None:
            whole = one.block if one.block.base is None else one.block.base
            held[id(whole)] = whole
    return held.values()


def _window_operations(windows: Sequence[WindowPieces], *, late: bool) -> tuple[bool, list[Operation]]:
    """Whether the last window lies on nothing but itself, and its operations."""
    shown = windows[-1].shown
    lower: list[tuple[Piece, PixelBox]] | None = None
    found: list[Operation] = []
    for place, (piece, box) in enumerate(shown):
        if not _needs_ground(piece):
            _add(found, piece, box, (0, 0, 0), late=late)
            continue
        ground = _ground(piece, box, shown[:place])
        if ground == "none" and len(windows) > 1:
            if lower is None:
                lower = [one for window in windows[:-1] for one in window.shown]
            ground = _ground(piece, box, lower)
        below = (0, 0, 0) if ground == "none" else None if isinstance(ground, str) else ground
        _add(found, piece, box, below, late=late)
    return lower is None, found


def _radius(fill: Fill) -> int:
    if not fill.radius:
        return 0
    return min(fill.radius, (fill.box.right - fill.box.left) // 2, (fill.box.bottom - fill.box.top) // 2)


def _needs_ground(piece: Piece) -> bool:
    """Whether the pixels of a piece depend on what lies under it."""
    content = piece.content
    if isinstance(content, Picture):
        return bool(content.radius)
    return not isinstance(content, Fill) or _radius(content) > (1 if content.to is None else 0)


def _ground(piece: Piece, box: PixelBox, under: Sequence[tuple[Piece, PixelBox]]) -> Backdrop | str:
    """The fill that alone lies under a piece, as it looks when that is drawn; "none" or "mixed" otherwise."""
    left, top, right, bottom = box
    for other, (low_x, low_y, high_x, high_y) in reversed(under):
        if left >= high_x or right <= low_x or top >= high_y or bottom <= low_y:
            continue
        fill = other.content
        if not isinstance(fill, Fill) or left < low_x or top < low_y or right > high_x or bottom > high_y:
            return "mixed"
        curve = _radius(fill)
        if curve > 1:
            # how far it reaches into the square of a round corner; two pixels of its edge are not even
            across = max(0, other.left + curve - left, right - other.right + curve)
            down = max(0, other.top + curve - top, bottom - other.bottom + curve)
            if across and down and across**2 + down**2 > max(0, curve - 2) ** 2:
                return "mixed"
        times = other.dim - piece.dim
        if fill.to is None:
            return shade(fill.color, times)
        return Blend(fill.color, fill.to, fill.box.height, piece.top - fill.box.top, times)
    return "none"


def _add(found: list[Operation], piece: Piece, box: PixelBox, ground: Backdrop | None, *, late: bool) -> None:
    """Add the operations of one piece; its ground is None if that has more than one colour."""
    content, dim = piece.content, 0 if late else piece.dim
    wide = box.right - box.left
    if ground is None:
        _add_blended(found, piece, box, dim)
    elif isinstance(content, Fill) and content.to is None:
        found.append(Operation(*box, row(shade(content.color, dim), wide), None))
        if _radius(content) > 1:
            _add_corners(found, content, box, _corners(content, ground, dim))
    else:
        if isinstance(content, Fill) and content.to is not None and not _radius(content):
            block = gradient_pixels(content.color, content.to, content.box.width, content.box.height, dim)
        else:
            block = block_of(piece, ground, dim)
        across, down = slice(box.left - piece.left, box.right - piece.left), box.top - piece.top
        found.append(Operation(*box, block[down : down + box.bottom - box.top, across], None))


def _add_blended(found: list[Operation], piece: Piece, box: PixelBox, dim: int) -> None:
    """Add a piece that is blended with what is there: of a round fill of one colour its corners alone."""
    fill = piece.content
    if not isinstance(fill, Fill) or fill.to is not None:
        found.append(Operation(*box, None, piece))
        return
    left, top, right, bottom = fill.box
    curve = _radius(fill)
    inside = (left + curve, top, right - curve, bottom), (left, top + curve, right, bottom - curve)
    for part in map(box.clip, starmap(PixelBox, inside)):
        if not part.empty:
            found.append(Operation(*part, row(shade(fill.color, dim), part.right - part.left), None))
    for x in (left, right - curve):
        for y in (top, bottom - curve):
            part = box.clip(PixelBox(x, y, x + curve, y + curve))
            if not part.empty:
                found.append(Operation(*part, None, piece))


def _corners(fill: Fill, ground: Backdrop, dim: int) -> tuple[Pixels, ...]:
    """The round corners of a fill on its ground."""
    low = ground
    if isinstance(ground, Blend):
        low = ground._replace(top=ground.top + fill.box.height - _radius(fill))
    return corner_blocks(_radius(fill), fill.color, ground, low, dim)


def _add_corners(found: list[Operation], fill: Fill, box: PixelBox, blocks: Sequence[Pixels]) -> None:
    """Add the visible parts of a fill's round corners."""
    radius, whole = _radius(fill), fill.box
    far, low = whole.right - radius, whole.bottom - radius
    places = ((whole.left, whole.top), (far, whole.top), (far, low), (whole.left, low))
    for (left, top), block in zip(places, blocks, strict=True):
        part = box.clip(PixelBox(left, top, left + radius, top + radius))
        if not part.empty:
            across = slice(part.left - left, part.right - left)
            found.append(Operation(*part, block[part.top - top : part.bottom - top, across], None))


_KEPT = _KeptOperations(OPERATION_BYTES)
