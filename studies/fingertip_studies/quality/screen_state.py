"""Recorded screen as the checks see it: its pixels scaled down, its layout, and comparisons of two.

Pixels are grey, at most `WIDTH` px wide, without the status bar: its clock changes by itself.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import AccessibilityTreeError, InputError
from fingertip_dataset.pictures import convert_picture, read_picture_size
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element, parse_tree

WIDTH = 270
"""Width in px to which screenshots are scaled down: a quarter of 1080, which a JPEG gives cheaply."""

STATUS_BAR = 0.045
"""Share of the height that is not compared."""

BLOCK = 6
"""Side in px of the blocks whose mean difference is compared; about a letter of the scaled picture."""

BLOCK_CHANGE = 8.0
"""Mean difference of grey values (0-255) from which on a block has changed; JPEG noise is below it."""

BLACK = 16
"""Highest grey value of a black screen, at its 99.5th percentile."""

ANIMATED = 0.15
"""Share of changed blocks up to which two screens of equal layout count as the same: banners, videos."""

HASH_SIDE = 8

Pixels = NDArray[np.uint8]


class PictureState(StrEnum):
    """The state of a step's screenshot."""

    SHOWN = "shown"
    BLACK = "black"
    MISSING = "missing"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenState:
    """A recorded screen.

    Attributes:
        picture: State of its screenshot.
        size: Width and height of the screenshot, px; None without pixels.
        pixels: Grey pixels, scaled down, without the status bar; None without pixels.
        digest: Hash of the screenshot's bytes; "" without one.
        tree: The accessibility tree; None if missing or unreadable.
        layout: Hash of texts, classes and boxes of the visible nodes below the status bar; "" without a
            tree.
        detail: Why the screenshot or the tree cannot be read; "" otherwise.
    """

    picture: PictureState
    size: tuple[int, int] | None
    pixels: Pixels | None
    digest: str
    tree: AccessibilityTree | None
    layout: str
    detail: str = ""


def read_screen(screenshot: bytes | None, tree: str | None) -> ScreenState:
    """Decode a step's screenshot and parse its tree; what cannot be read is part of the result."""
    size, pixels, detail = None, None, ""
    picture = PictureState.MISSING if screenshot is None else PictureState.SHOWN
    if screenshot is not None:
        try:
            size, pixels = _read_grey(screenshot)
        except (OSError, ValueError, SyntaxError) as error:
            picture, detail = PictureState.UNREADABLE, " ".join(str(error).split())[:120]
    parsed = None
    if tree is not None:
        try:
            parsed = parse_tree(tree, screen=size)
        except AccessibilityTreeError as error:
            detail = detail or str(error)[:120]
    if pixels is not None and _is_black(pixels):
        picture = PictureState.BLACK
    return ScreenState(
        picture=picture,
        size=size,
        pixels=None if pixels is None else pixels[round(len(pixels) * STATUS_BAR) :],
        digest=hashlib.sha1(screenshot, usedforsecurity=False).hexdigest() if screenshot else "",
        tree=parsed,
        layout=_read_layout(parsed) if parsed is not None else "",
        detail=detail,
    )


# a screen often comes back within an episode
@lru_cache(maxsize=16)
def _read_grey(content: bytes) -> tuple[tuple[int, int], Pixels]:
    """Size of a picture in px, and its grey pixels scaled down.

    Raises:
        OSError, ValueError, SyntaxError: The picture cannot be decoded.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as image:
            width, height = size = read_picture_size(content)
            if width > WIDTH:
                wanted = (WIDTH, max(1, height * WIDTH // width))
                # the stored pixels may lie
                image.draft("L", wanted if image.size == size else wanted[::-1])
            grey = convert_picture(image).convert("L")
    except (InputError, Image.DecompressionBombError) as error:
        raise ValueError(str(error)) from None
    if grey.width > WIDTH:
        scaled = (WIDTH, max(1, round(grey.height * WIDTH / grey.width)))
        grey = grey.resize(scaled, Image.Resampling.BOX)
    return size, np.asarray(grey, dtype=np.uint8)


def _is_black(pixels: Pixels) -> bool:
    return bool(np.percentile(pixels, 99.5) < BLACK)


def _read_layout(tree: AccessibilityTree) -> str:
    digest = hashlib.sha1(usedforsecurity=False)
    for element in tree.elements:
        if element.visible is not False and not in_status_bar(element, tree):
            box = element.box
            edges = (box.left, box.top, box.right, box.bottom) if box else None
            state = (element.text, element.description, element.class_name, element.checked, edges)
            digest.update(repr(state).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def in_status_bar(element: Element, tree: AccessibilityTree) -> bool:
    """Whether an element lies in the part of the screen that is not compared."""
    return (
        element.box is not None
        and tree.screen is not None
        and element.box.bottom <= STATUS_BAR * tree.screen.bottom
    )


def measure_changed_share(one: ScreenState, other: ScreenState) -> float | None:
    """Share of blocks of pixels in which two screens differ, 0-1; None if one has no pixels."""
    if one.pixels is None or other.pixels is None:
        return None
    if one.digest == other.digest:
        return 0.0
    if one.pixels.shape != other.pixels.shape:
        return 1.0
    difference = np.abs(one.pixels.astype(np.int16) - other.pixels)
    rows, columns = (side // BLOCK for side in difference.shape)
    if not rows or not columns:
        return float(difference.any())
    blocks = difference[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK)
    return float((blocks.mean(axis=(1, 3)) > BLOCK_CHANGE).mean())


def same_layout(one: ScreenState, other: ScreenState) -> bool | None:
    """Whether two trees show the same; None if one is missing."""
    return one.layout == other.layout if one.layout and other.layout else None


def same_screen(one: ScreenState, other: ScreenState) -> bool:
    """Whether two screens show the same, as far as they are known; False if nothing is known.

    With both trees their layouts must be equal, and up to `ANIMATED` of the blocks may differ; without them
    no block may differ.
    """
    layout, changed = same_layout(one, other), measure_changed_share(one, other)
    if layout is None:
        return changed == 0.0
    return layout and (changed is None or changed <= ANIMATED)


def picture_hash(state: ScreenState) -> str:
    """A perceptual hash of 64 bits in hexadecimal, of differences of neighbours; "" without pixels."""
    if state.pixels is None:
        return ""
    from PIL import Image

    small = Image.fromarray(state.pixels).resize((HASH_SIDE + 1, HASH_SIDE), Image.Resampling.BOX)
    values = np.asarray(small, dtype=np.int16)
    return np.packbits(values[:, 1:] > values[:, :-1]).tobytes().hex()


def hash_distance(one: str, other: str) -> int:
    """Number of bits in which two perceptual hashes differ.

    >>> hash_distance("00ff", "01ff")
    1
    """
    return (int(one, 16) ^ int(other, 16)).bit_count()
