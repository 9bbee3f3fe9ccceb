"""Scaling of a screenshot, and conversion of coordinates between screen and picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from fingertip_dataset.actions import Action, Click, LongClick, Scroll
from fingertip_dataset.errors import UsageError
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, read_bounds

SMALLEST = 28 * 28
"""Minimum accepted pixel limit; text in a smaller picture is illegible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Sizes of a screen and of its possibly smaller picture for a model.

    Attributes:
        device: Width and height of the screen, device px.
        shown: Width and height of the picture, px.

    >>> scale = Scale.fit((1080, 2400), long_side=1200)
    >>> scale.shown, scale.on_device(Click(x=270, y=600))
    ((540, 1200), Click(x=540, y=1200, content=None))
    """

    device: tuple[int, int]
    shown: tuple[int, int]

    @classmethod
    def fit(
        cls, size: tuple[int, int], *, max_pixels: int | None = None, long_side: int | None = None
    ) -> Scale:
        """The largest picture of the screen's shape within both limits; never larger than the screen.

        Args:
            size: Width and height of the screen, device px.
            max_pixels: Maximum width times height; None for no limit.
            long_side: Maximum length of the longer side, px; None for no limit.

        Raises:
            UsageError: A limit that is too small to be legible.
        """
        if max_pixels is not None and max_pixels < SMALLEST:
            raise UsageError(f"expected a picture of at least {SMALLEST} pixels, got {max_pixels}")
        if long_side is not None and long_side < math.isqrt(SMALLEST):
            raise UsageError(f"expected a long side of at least {math.isqrt(SMALLEST)} px, got {long_side}")
        width, height = size
        scale = min(
            1.0,
            1.0 if max_pixels is None else math.sqrt(max_pixels / (width * height)),
            1.0 if long_side is None else long_side / max(width, height),
        )
        # the tolerance covers rounding: 2400 * (1000 / 2400) is slightly below 1000
        shown = max(1, int(width * scale + 1e-6)), max(1, int(height * scale + 1e-6))
        return cls(device=size, shown=shown)

    def on_device(self, action: Action) -> Action:
        """Convert an action from px of the picture to device px.

        Raises:
            ActionSyntaxError: A coordinate is too large for any screen.
        """
        return _move(action, self.shown, self.device)

    def in_picture(self, action: Action) -> Action:
        """Convert an action from device px to px of the picture."""
        return _move(action, self.device, self.shown)

    def tree_in_picture(self, tree: AccessibilityTree) -> AccessibilityTree:
        """Convert a tree's bounds to px of the picture, rounded outwards so that no element vanishes."""
        if self.device == self.shown:
            return tree
        attributes = tuple(
            {**node, "bounds": self._scale_bounds(node["bounds"])} if "bounds" in node else node
            for node in tree.attributes
        )
        width, height = self.shown
        screen = tree.screen and Box(left=0, top=0, right=width, bottom=height)
        return replace(tree, attributes=attributes, screen=screen)

    def box_in_picture(self, box: Box) -> Box:
        """Convert a box to px of the picture, rounded outwards."""
        (width, height), (shown_width, shown_height) = self.device, self.shown
        return Box(
            left=box.left * shown_width // width,
            top=box.top * shown_height // height,
            # rounded up
            right=-(-box.right * shown_width // width),
            bottom=-(-box.bottom * shown_height // height),
        )

    def _scale_bounds(self, bounds: str) -> str:
        edges = read_bounds(bounds)
        if edges is None:
            return bounds
        left, top, right, bottom = edges
        box = self.box_in_picture(Box(left=left, top=top, right=right, bottom=bottom))
        return f"[{box.left},{box.top}][{box.right},{box.bottom}]"


def _move(action: Action, given: tuple[int, int], wanted: tuple[int, int]) -> Action:
    if given == wanted or not isinstance(action, Click | LongClick | Scroll):
        return action
    return replace(action, x=round(action.x * wanted[0] / given[0]), y=round(action.y * wanted[1] / given[1]))
