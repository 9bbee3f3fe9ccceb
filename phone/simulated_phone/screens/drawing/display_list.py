"""Display lists: a screen as a flat list of what is drawn, in the order of drawing.

A `Piece` is the smallest thing that `FrameBuffer` draws at once. Two screens with equal lists have equal
pixels, so the pieces in which two lists differ are all that a new screen changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple, TypeAlias

from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.drawing.paint import place_text_lines
from simulated_phone.screens.nodes import Fill, Glyph, Mark, Node, Picture, PixelBox, Words
from simulated_phone.screens.screen import DisplayedScreen

GROUP_SHARE = 16
"""Marks that are drawn as one piece cover at most one part in so many of the screen."""


class TextLine(NamedTuple):
    """Line of text; size in px."""

    text: str
    size: int
    bold: bool
    color: str


class IconMark(NamedTuple):
    """An icon of `side` px."""

    name: str
    side: int
    color: str


class MarkGroup(NamedTuple):
    """Marks that lie within the first one."""

    marks: tuple[Mark, ...]


Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom of a `PixelBox` in a plain tuple: of these there are very many, and plain ones
of numbers cost the garbage collector nothing."""
Content: TypeAlias = Fill | TextLine | IconMark | Picture | MarkGroup


class Piece(NamedTuple):
    """Piece of the display list: what one mark, or a group of marks, draws.

    Attributes:
        left, top, right, bottom: The box that it draws in, px, unclipped; right and bottom exclusive.
        clip: The part of the screen that it may change.
        dim: How often the pixels are darkened after it is drawn, as those under a dialog are.
        content: What is drawn: a fill, a line of text, an icon, a picture, or a group of marks.
    """

    left: int
    top: int
    right: int
    bottom: int
    clip: PixelBox
    dim: int
    content: Content


class WindowPieces:
    """The visible pieces of one window.

    Attributes:
        pieces: The pieces in the order of drawing.
        boxes: The visible box of each.
        dim: How often they are darkened.
    """

    __slots__ = ("_frame", "_number", "_numbers", "boxes", "dim", "pieces")

    def __init__(self, pieces: Iterable[Piece], frame: PixelBox, dim: int) -> None:
        self.pieces: list[Piece] = []
        self.boxes: list[Box] = []
        for piece in pieces:
            box = find_visible(piece, frame)
            if box is not None:
                self.pieces.append(piece)
                self.boxes.append(box)
        self.dim = dim
        self._frame = frame
        self._number: int | None = None
        self._numbers: list[int] | None = None

    @property
    def number(self) -> int:
        """Number of the window: windows of one number show the same, on whichever phone of the process."""
        if self._number is None:
            self._number = _window_number(self._frame, tuple(self.numbers))
        return self._number

    @property
    def numbers(self) -> list[int]:
        """Number of each piece: pieces of one number are equal.

        Numbers are compared faster than pieces. Equal pieces have one number, unless very many others were
        numbered between them.
        """
        if self._numbers is None:
            self._numbers = list(map(_number, self.pieces))
        return self._numbers

    def cut(self, regions: Sequence[Box]) -> WindowPieces:
        """Return the window with those pieces alone that touch one of some regions."""
        found = WindowPieces((), self._frame, self.dim)
        numbers: list[int] = []
        for piece, box, number in zip(self.pieces, self.boxes, self.numbers, strict=True):
            left, top, right, bottom = box
            for low_x, low_y, high_x, high_y in regions:
                if left < high_x and right > low_x and top < high_y and bottom > low_y:
                    found.pieces.append(piece)
                    found.boxes.append(box)
                    numbers.append(number)
                    break
        found._numbers = numbers
        return found


_COUNT = count()


@lru_cache(maxsize=8192)
def _window_number(_frame: PixelBox, _pieces: tuple[int, ...]) -> int:
    return next(_COUNT)


@lru_cache(maxsize=32768)
def _number(_piece: Piece) -> int:
    return next(_COUNT)


def find_visible(piece: Piece, region: PixelBox) -> Box | None:
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
    return (left, top, right, bottom) if left < right and top < bottom else None


def display_list(screen: DisplayedScreen) -> list[WindowPieces]:
    """The windows that screenshots show with their pieces, the lowest first; none for a black screen."""
    windows, frame = screen.drawn, screen.frame
    darkened = [
        window.behind and not (place + 1 < len(windows) and windows[place + 1].behind)
        for place, window in enumerate(windows)
    ]
    return [
        _list_window_pieces(window.root, frame, sum(darkened[place:])) for place, window in enumerate(windows)
    ]


def _list_window_pieces(root: Node, frame: PixelBox, dim: int) -> WindowPieces:
    kept = root.pieces
    if kept is not None and kept[0] == (frame, dim):
        assert isinstance(kept[1], WindowPieces)  # noqa: S101 - nobody else writes it
        return kept[1]
    pieces: list[Piece] = []
    _add_node(pieces, root, frame, dim, frame.width * frame.height // GROUP_SHARE)
    made = WindowPieces(pieces, frame, dim)
    # nodes are frozen, and equal ones stay equal: this is a memory of a result, not a part of the node
    object.__setattr__(root, "pieces", ((frame, dim), made))
    return made


def _add_node(pieces: list[Piece], node: Node, clip: PixelBox, dim: int, most: int) -> None:
    marks = node.marks
    # overlapping marks of a node, such as a picture with a badge, are blended once and copied as one block
    if len(marks) > 1 and _is_group(marks, most):
        box = marks[0].box
        pieces.append(Piece(*box, clip, dim, MarkGroup(marks)))
    else:
        for mark in marks:
            _add_mark(pieces, mark, clip, dim)
    # a list that fits has nothing to cut off, and keeps the clip of its page
    if node.scroll is not None and node.scroll.extent:
        clip = clip.clip(node.box)
    for child in node.children:
        _add_node(pieces, child, clip, dim, most)


def _add_mark(pieces: list[Piece], mark: Mark, clip: PixelBox, dim: int) -> None:
    box = mark.box
    if box.empty:
        return
    if isinstance(mark, Words):
        for left, top, line in place_text_lines(box, mark):
            right, bottom = left + fonts.mask_width(line, mark.size), top + fonts.line_height(mark.size)
            content = TextLine(line, mark.size, mark.bold, mark.color)
            pieces.append(Piece(left, top, right, bottom, clip, dim, content))
    elif isinstance(mark, Glyph):
        side = min(box.width, box.height)
        pieces.append(Piece(*box.middle(side, side), clip, dim, IconMark(mark.name, side, mark.color)))
    else:
        pieces.append(Piece(*box, clip, dim, mark))


def _is_group(marks: Sequence[Mark], most: int) -> bool:
    """Whether marks lie within the first one, a fill or picture, and are worth one piece, as they overlap."""
    first = marks[0]
    if not isinstance(first, Picture) and not (isinstance(first, Fill) and (first.radius or first.to)):
        return False
    left, top, right, bottom = first.box
    if first.box.empty or (right - left) * (bottom - top) > most:
        return False
    for mark in marks[1:]:
        for box in _list_reach(mark):
            if box[0] < left or box[1] < top or box[2] > right or box[3] > bottom:
                return False
    return True


def _list_reach(mark: Mark) -> list[tuple[int, int, int, int]]:
    """The boxes that a mark draws in, px."""
    if not isinstance(mark, Words):
        return [mark.box]
    height = fonts.line_height(mark.size)
    return [
        (left, top, left + fonts.mask_width(line, mark.size), top + height)
        for left, top, line in place_text_lines(mark.box, mark)
    ]
