"""Layout context of widgets: density, colours, and the state of the page's fields and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.screens.nodes import Node, PixelBox

INK = "#1c1d21"
GREY = "#74777f"
FAINT = "#b4b7be"
LINE = "#e7e8ec"
PAPER = "#ffffff"
BACKGROUND = "#f4f5f8"
RED = "#e5484d"
GREEN = "#1ea672"


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
        accent: The app's accent colour.
        fields: Field name -> typed text.
        focus: Name of the field with the focus.
        scroll: List name -> scroll offset, px.
        kept_rows: List name -> the rows laid out before, of a page with this theme.
        new_rows: Where lists put their rows; None for nowhere.
    """

    density: int
    accent: str = "#2f6fed"
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


def usual_density(width: int) -> int:
    """Dots per inch at which a screen `width` px wide has the width in dp of a 1080x2400 screen at 420 dpi.

    >>> usual_density(540)
    210
    """
    return round(width * 420 / 1080)


@lru_cache(maxsize=512)
def mix(color: str, other: str, share: float) -> str:
    """Interpolate between two colours: 0 gives `color`, 1 gives `other`.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share + 1e-9):02x}" for a, b in pairs)


def tint(color: str) -> str:
    """A pale version of a colour, for backgrounds."""
    return mix(color, "#ffffff", 0.86)
