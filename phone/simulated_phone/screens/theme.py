"""Layout context of widgets: density, colours, and the state of the page's fields and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.screens.nodes import Node, PixelBox
from simulated_phone.screens.skin import AA, PALE, WHITE, Exact, Skin, mix_colors, skin

__all__ = [
    "AMBER",
    "ASH",
    "BACKGROUND",
    "BLUE",
    "CHIP",
    "FAINT",
    "FIELD",
    "GREEN",
    "GREY",
    "HINT",
    "INK",
    "LINE",
    "ORANGE",
    "PALE",
    "PAPER",
    "PINK",
    "PURPLE",
    "RED",
    "SEA",
    "STEEL",
    "VIOLET",
    "WELL",
    "WHITE",
    "Exact",
    "KeptRows",
    "Theme",
    "mix_colors",
    "usual_density",
]

INK, GREY, FAINT, LINE, PAPER, BACKGROUND = "ink", "grey", "faint", "line", "paper", "background"
"""Tokens, whose colours the phone's `Skin` has: text, lesser text, marks, lines, surfaces, what is below."""
RED, GREEN, FIELD, CHIP, WELL, HINT = "red", "green", "field", "chip", "well", "hint"
"""Tokens of a warning or price, of success, of plates on a surface, and of what is switched off."""
BLUE, ORANGE, AMBER, PURPLE, PINK = "#2f6fed", "#e8730c", "#e8890c", "#8e5bd0", "#d6336c"
STEEL, SEA, VIOLET, ASH = "#5b7db1", "#0c8fbf", "#6b51b8", "#74777f"
"""Hues that several apps have; the skin makes them legible."""


@dataclass(frozen=True, slots=True)
class KeptRows:
    """The rows of a list as they were laid out: widgets, heights, and boxes and nodes of the visible ones.

    Rows that are equal, at the same place of the list and in the same box, have the same node.
    """

    width: int
    widgets: Sequence[object]
    heights: Sequence[int]
    nodes: Mapping[int, tuple[PixelBox, PixelBox, Node | None]]


@lru_cache(maxsize=4096)
def _px(dp: float, density: int) -> int:
    return round(dp * density / 160)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Layout context of a page.

    Args:
        density: Dots per inch.
        accent: The app's hue.
        skin: The phone's design.
        fields: Field name -> typed text.
        focus: Name of the field with the focus.
        scroll: List name -> scroll offset, px.
        kept_rows: List name -> the rows laid out before, of a page with this theme.
        new_rows: Where lists put their rows; None for nowhere.
    """

    density: int
    accent: str = "#2f6fed"
    skin: Skin = field(default_factory=skin)
    fields: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    focus: str | None = None
    scroll: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    kept_rows: Mapping[str, KeptRows] = field(default_factory=lambda: MappingProxyType({}), compare=False)
    new_rows: dict[str, KeptRows] | None = field(default=None, compare=False)

    def px(self, dp: float) -> int:
        """Pixels of a length in dp.

        >>> Theme(density=420).px(16)
        42
        """
        return _px(dp, self.density)

    def ink(self, color: str) -> str:
        """The colour of text and icons on a page, of a token or a hue."""
        return self.skin.ink(color)

    def plate(self, color: str, least: float = AA) -> str:
        """The colour of a surface, of a token or a hue; white ink on a hue has the contrast `least`."""
        return self.skin.plate(color, least)

    def tint(self, color: str) -> str:
        """A surface with a touch of a hue."""
        return self.skin.tint(color)


def usual_density(width: int) -> int:
    """Dots per inch at which a screen `width` px wide has the width in dp of a 1080x2400 screen at 420 dpi.

    >>> usual_density(540)
    210
    """
    return round(width * 420 / 1080)
