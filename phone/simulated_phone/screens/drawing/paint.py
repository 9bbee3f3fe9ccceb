"""Drawing of marks (fills, text, icons) on a Pillow image."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageDraw

from simulated_phone.screens.drawing import fonts, icons
from simulated_phone.screens.drawing.drawn_pictures import draw_picture
from simulated_phone.screens.nodes import Fill, Mark, Node, Picture, PixelBox, Words

SMOOTH = 4  # oversampling factor of round corners


def paint(canvas: Image.Image, node: Node, left: int = 0, top: int = 0) -> None:
    """Draw a node and its children; the content of a scrolled node is clipped to its box.

    Args:
        canvas: The image to draw on.
        node: The node.
        left: Screen x coordinate of the canvas's left edge, px.
        top: Screen y coordinate of the canvas's top edge, px.
    """
    for mark in node.marks:
        paint_mark(canvas, mark, left, top)
    if node.scroll is not None and node.scroll.extent:
        box = node.box
        part = canvas.crop((box.left - left, box.top - top, box.right - left, box.bottom - top))
        for child in node.children:
            paint(part, child, box.left, box.top)
        canvas.paste(part, (box.left - left, box.top - top))
        return
    for child in node.children:
        paint(canvas, child, left, top)


def paint_mark(canvas: Image.Image, mark: Mark, left: int, top: int) -> None:
    """Draw one mark; `left` and `top` as of `paint`."""
    box = PixelBox(mark.box.left - left, mark.box.top - top, mark.box.right - left, mark.box.bottom - top)
    if box.empty:
        return
    if isinstance(mark, Fill):
        _fill(canvas, box, mark)
    elif isinstance(mark, Words):
        _draw_words(canvas, box, mark)
    elif isinstance(mark, Picture):
        area = draw_picture(mark.subject, mark.name, box.width, box.height, mark.tint)
        _paste_area(canvas, box, area, min(mark.radius, box.width // 2, box.height // 2))
    else:
        side = min(box.width, box.height)
        square = box.middle(side, side)
        canvas.paste(mark.color, (square.left, square.top), icons.mask(mark.name, side))


def _fill(canvas: Image.Image, box: PixelBox, fill: Fill) -> None:
    radius = min(fill.radius, box.width // 2, box.height // 2)
    if fill.to is None:
        _draw_rounded(canvas, box, fill.color, radius)
        return
    _paste_area(canvas, box, draw_gradient(fill.color, fill.to, box.width, box.height), radius)


def _paste_area(canvas: Image.Image, box: PixelBox, area: Image.Image, radius: int) -> None:
    """Paste a picture of the box's size with round corners."""
    if not radius:
        canvas.paste(area, (box.left, box.top))
        return
    under = canvas.crop((box.left, box.top, box.right, box.bottom))
    canvas.paste(area, (box.left, box.top))
    corner, far_x, far_y = draw_corner_masks(radius), box.width - radius, box.height - radius
    for mask, x, y in zip(corner, (0, far_x, far_x, 0), (0, 0, far_y, far_y), strict=True):
        part = under.crop((x, y, x + radius, y + radius))
        part.paste(area.crop((x, y, x + radius, y + radius)), (0, 0), mask)
        canvas.paste(part, (box.left + x, box.top + y))


@lru_cache(maxsize=16)
def draw_gradient(first: str, last: str, width: int, height: int) -> Image.Image:
    """A gradient from top to bottom; the caller must not change it."""
    strip = Image.new("RGB", (1, 2), first)
    strip.putpixel((0, 1), _rgb(last))
    # the source box is inset by half a pixel at both ends, so that the edges have the exact colours
    column = strip.resize((1, height), Image.Resampling.BILINEAR, box=(0, 0.5, 1, 1.5))
    return column.resize((width, height), Image.Resampling.NEAREST)


def _draw_rounded(canvas: Image.Image, box: PixelBox, color: str | int, radius: int) -> None:
    draw = ImageDraw.Draw(canvas)
    last_x, last_y = box.right - 1, box.bottom - 1
    if radius <= 1:
        draw.rectangle((box.left, box.top, last_x, last_y), fill=color)
        return
    if box.width > 2 * radius:
        draw.rectangle((box.left + radius, box.top, last_x - radius, last_y), fill=color)
    if box.height > 2 * radius:
        draw.rectangle((box.left, box.top + radius, last_x, last_y - radius), fill=color)
    corner = draw_corner_masks(radius)
    right, bottom = box.right - radius, box.bottom - radius
    canvas.paste(color, (box.left, box.top), corner[0])
    canvas.paste(color, (right, box.top), corner[1])
    canvas.paste(color, (right, bottom), corner[2])
    canvas.paste(color, (box.left, bottom), corner[3])


@lru_cache(maxsize=128)
def draw_corner_masks(radius: int) -> tuple[Image.Image, Image.Image, Image.Image, Image.Image]:
    """Masks of a round corner, radius x radius px: upper left, upper right, lower right, lower left."""
    big = Image.new("L", (radius * SMOOTH, radius * SMOOTH))
    size = 2 * radius * SMOOTH - 1
    ImageDraw.Draw(big).ellipse((0, 0, size, size), fill=255)
    first = big.resize((radius, radius), Image.Resampling.BOX)
    flip = Image.Transpose
    return (
        first,
        first.transpose(flip.FLIP_LEFT_RIGHT),
        first.transpose(flip.ROTATE_180),
        first.transpose(flip.FLIP_TOP_BOTTOM),
    )


def place_text_lines(box: PixelBox, words: Words) -> Iterator[tuple[int, int, str]]:
    """The lines of a text as they are drawn in a box: left and top of each line's mask, px, and its text."""
    lines = (
        (fonts.cut(words.text, words.size, box.width),)
        if words.lines == 1
        else fonts.wrap(words.text, words.size, box.width, words.lines)
    )
    height = fonts.line_height(words.size)
    y = box.top + (box.height - height * len(lines)) // 2
    for line in lines:
        if line:
            spare = box.width - fonts.mask_width(line, words.size)
            share = {"left": 0, "center": spare // 2}.get(words.align, spare)
            yield box.left + max(0, share), y, line
        y += height


def _draw_words(canvas: Image.Image, box: PixelBox, words: Words) -> None:
    for left, top, line in place_text_lines(box, words):
        canvas.paste(words.color, (left, top), fonts.mask(line, words.size, words.bold))


@lru_cache(maxsize=512)
def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
