"""Redaction of one screen: the boxes of finds in pixels, and those of elements whose text holds a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.picture_metadata import strip_metadata
from fingertip_dataset.release.screens.images import read_image_header
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, BoxState, Element, parse_tree
from fingertip_privacy.redaction.painted_pictures import (
    patch_picture,
    write_upright,
)
from fingertip_privacy.redaction.person_secrets import PixelFind
from fingertip_privacy.redaction.pseudonyms import TextReplacer
from fingertip_privacy.redaction.text_look import Edges, Patch

MOST_OF_SCREEN = 0.25
"""An element without a text of its own is painted over up to this share of the screen: a larger one is a page
with a description, and what is written on it is found in the pixels."""

SCALES_ALIKE = 0.03
"""Largest difference between the scales of width and height of a tree and a smaller picture of its screen."""


@dataclass(frozen=True, slots=True)
class RedactedPicture:
    """A screenshot after redaction.

    Attributes:
        data: Its bytes; those of the original if nothing was to be changed.
        boxes: Painted boxes.
        reencoded: Whether all of its pixels were compressed again.
    """

    data: bytes
    boxes: tuple[Edges, ...]
    reencoded: bool


def redact_picture(
    data: bytes, tree: str | None, finds: Sequence[PixelFind], replacer: TextReplacer
) -> RedactedPicture:
    """Paint over what is private in a screenshot.

    Args:
        data: Bytes of the screenshot.
        tree: Accessibility tree of the same moment, before redaction; None without one.
        finds: What was found in the pixels.
        replacer: Replacer of the episode.

    Raises:
        InputError: The screenshot cannot be read.
    """
    header = read_image_header(data)
    patches = [Patch(find.box, _pseudonym(find.text, replacer)) for find in finds]
    if tree is not None and replacer.values:
        patches += _of_elements(tree, (header.width, header.height), finds, replacer)
    if not patches and header.orientation != 1:
        return RedactedPicture(strip_metadata(write_upright(data)), (), header.format == "jpeg")
    if not patches:
        return RedactedPicture(strip_metadata(data), (), False)
    painted = patch_picture(data, patches)
    return RedactedPicture(painted.data, painted.boxes, painted.reencoded)


def _pseudonym(text: str, replacer: TextReplacer) -> str:
    """Text to write in place of another; nothing for one that is no value, which would stay as it is."""
    new, kinds = replacer.replace(text)
    return new if kinds else ""


def _of_elements(
    xml: str, size: tuple[int, int], finds: Sequence[PixelFind], replacer: TextReplacer
) -> Iterator[Patch]:
    """Boxes of the elements that show a value which was not found in the pixels."""
    try:
        tree = parse_tree(xml)
    except AccessibilityTreeError:
        return
    across, down = _scale(tree, size)
    for element in tree.elements:
        text = element.text or element.hint or element.description
        if not text or _has_children(tree, element) or element.visible is False:
            continue
        new, kinds = replacer.replace(text)
        box = element.box
        if (
            not kinds
            or box is None
            or element.box_state is not BoxState.PROPER
            or not _on_top(tree, element, box)
        ):
            continue
        edges = _scaled(_cut_covered(tree, element, box), across, down)
        area = (edges[2] - edges[0]) * (edges[3] - edges[1])
        if not element.text and area > MOST_OF_SCREEN * size[0] * size[1]:
            continue
        if sum(_inside(find.box, edges) for find in finds if find.text) < len(kinds):
            drawn = " ".join(new.split()) if _shows_text(element) else ""
            yield Patch(edges, drawn, if_shown=True)


def _shows_text(element: Element) -> bool:
    """Whether its text is drawn: a picture or button shows no description, a password no text."""
    described = element.class_name.endswith((".View", "TextView"))
    return not element.password and bool(element.text or element.hint or described)


def _scale(tree: AccessibilityTree, size: tuple[int, int]) -> tuple[float, float]:
    """Pixels of the picture for one of the tree: 1, or less for a picture that was made smaller."""
    frame = tree.screen
    if frame is None or frame.left or frame.top:
        return 1.0, 1.0
    across, down = size[0] / frame.width, size[1] / frame.height
    smaller = across < 1 - SCALES_ALIKE and abs(across - down) <= SCALES_ALIKE * across
    return (across, down) if smaller else (1.0, 1.0)


def _scaled(box: Box, across: float, down: float) -> Edges:
    return (
        int(box.left * across),
        int(box.top * down),
        -int(-box.right * across // 1),
        -int(-box.bottom * down // 1),
    )


def _on_top(tree: AccessibilityTree, element: Element, box: Box) -> bool:
    """Whether no other branch of the tree lies over the middle of an element."""
    return _shows(tree, element, *box.center)


def _cut_covered(tree: AccessibilityTree, element: Element, box: Box) -> Box:
    """The box without the part of its lower edge that another branch lies over, such as a bar of tabs."""
    bottom, middle = box.bottom, box.center[1]
    places = (box.left + box.width // 4, box.center[0], box.right - box.width // 4)
    while bottom - 1 > middle and not all(_shows(tree, element, x, bottom - 1) for x in places):
        bottom -= min(4, bottom - 1 - middle)
    return replace(box, bottom=bottom)


def _shows(tree: AccessibilityTree, element: Element, x: int, y: int) -> bool:
    """Whether nothing of another branch that shows a text lies over an element at a point, in px.

    A layer, such as that behind a dialog, has a description at most, and lets the page below shine through.
    """
    hit = tree.hit(x, y)
    if hit is None:
        return True
    above = {element.index}
    parent = element.parent
    while parent is not None:
        above.add(parent)
        parent = tree.elements[parent].parent
    return hit.index in above or not hit.text or _has_children(tree, hit)


def _has_children(tree: AccessibilityTree, element: Element) -> bool:
    # the first child of a node is the next one in document order
    return element.index + 1 < len(tree.parents) and tree.parents[element.index + 1] == element.index


def _inside(box: Edges, edges: Edges) -> bool:
    across, down = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return edges[0] <= across <= edges[2] and edges[1] <= down <= edges[3]
