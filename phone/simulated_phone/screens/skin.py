"""Design languages of phones: shapes, lengths and colours that differ between makers, and dark mode.

The tokens are in `designs.toml`, one table a design. Apps give their hues and the names of tokens
(`theme.INK`, `theme.PAPER`), and a skin says what these look like.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from simulated_phone.phone_errors import PhoneNameError

PLAIN = "plain"
"""The design of a phone that names none."""
AA, AA_LARGE = 4.5, 3.0
"""Least contrast of text, and of large text and icons, by WCAG 2.1."""
_PALE = 0.45
"""Luminance from which a plate is a pale one, with dark text on it."""


_SIGNALS = frozenset({"red", "green"})
"""Tokens that are plates under white ink, too."""


class Exact(str):
    """A colour that no design changes, such as the paper that a reader chose."""

    __slots__ = ()


WHITE, PALE = Exact("#ffffff"), Exact("#c3cad6")
"""Ink on pictures, night pages and coloured plates, and the same for lesser words."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Skin:
    """A design in light or dark mode; lengths in dp.

    Args:
        design: Its name.
        dark: Whether it is the dark one.
        colors: Token -> colour.
        status, navigation: Heights of the bars.
        keys: View ids of the navigation bar's keys from the left; none for a gesture pill.
        key_shapes: Names of the keys' icons.
        row, row_pad: Least height of a list row, and the space around its content.
        card, button, chip, field, dialog, sheet, toast, key: Radii of corners.
        low_dialog: Whether dialogs lie at the bottom.
        switch: Width and height of a switch, and the gap around its thumb.
        thin_switch: Whether the track of a switch is lower than its thumb.
        icon, icon_size: Radius and side of the launcher's icons.
        pale_icons: Whether the launcher's icons have coloured shapes on pale plates.
        title, centred_title: Size of a page's title, and whether it is in the middle.
        tab: Mark of a chosen tab at the bottom: "pill" behind its icon, "line" above it, or "plain".
        legible: Whether hues of apps are changed until they can be read.
        pictures: Whether there are pictures, banners and badges, and not only coloured boxes.
    """

    design: str
    dark: bool
    colors: Mapping[str, str]
    status: float
    navigation: float
    keys: tuple[str, ...]
    key_shapes: tuple[str, ...]
    row: float
    row_pad: float
    card: float
    button: float
    chip: float
    field: float
    dialog: float
    low_dialog: bool
    sheet: float
    switch: tuple[float, float, float]
    thin_switch: bool
    icon: float
    icon_size: float
    pale_icons: bool
    title: float
    centred_title: bool
    tab: str
    toast: float
    key: float
    legible: bool
    pictures: bool

    def ink(self, color: str) -> str:
        """The colour of text and icons on a page: a token's, or a hue made legible."""
        if color in self.colors:
            return self.colors[color]
        if isinstance(color, Exact) or not self.legible:
            return color
        return legible(color, self._ground)

    def ink_on(self, color: str, plate: str) -> str:
        """The colour of text on a plate whose colour is known."""
        color = self.colors.get(color, color)
        return legible(color, plate) if self.legible else color

    def plate(self, color: str, least: float = AA) -> str:
        """The colour of a surface: a token's, a hue under white ink of contrast `least`, or a pale one."""
        signal = color in _SIGNALS
        if color in self.colors:
            color = self.colors[color]
            if not signal:
                return color
        if isinstance(color, Exact) or not self.legible:
            return color
        if compute_luminance(color) > _PALE and not signal:
            return mix_colors(color, "#000000", 0.76) if self.dark else color
        return legible(color, WHITE, least)

    def under_white(self, color: str) -> str:
        """The colour of a page with white words on it."""
        return color if isinstance(color, Exact) or not self.legible else legible(color, WHITE)

    def at_night(self) -> Skin:
        """The dark mode of this design; a design that is not made legible stays as it is."""
        return skin(self.design, dark=True) if self.legible else self

    def tint(self, color: str) -> str:
        """A surface with a touch of a hue."""
        return mix_colors(
            color, self.colors["paper"] if self.legible else WHITE, 0.86 if not self.dark else 0.78
        )

    @property
    def _ground(self) -> str:
        """The surface on which ink has the least contrast."""
        grounds = [self.colors[name] for name in ("paper", "background", "well", "field", "chip")]
        return (max if self.dark else min)(grounds, key=compute_luminance)


@lru_cache(maxsize=512)
def mix_colors(color: str, other: str, share: float) -> str:
    """Interpolate between two colours: 0 gives `color`, 1 gives `other`.

    >>> mix_colors("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share + 1e-9):02x}" for a, b in pairs)


@lru_cache(maxsize=1024)
def compute_luminance(color: str) -> float:
    """Relative luminance by WCAG 2.1, 0-1.

    >>> compute_luminance("#ffffff")
    1.0
    """
    shares = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def compute_contrast(color: str, other: str) -> float:
    """Contrast ratio of two colours by WCAG 2.1, 1-21.

    >>> round(compute_contrast("#000000", "#ffffff"))
    21
    """
    low, high = sorted((compute_luminance(color), compute_luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def legible(color: str, on: str, least: float = AA) -> str:
    """The colour, made lighter or darker until its contrast with another one is at least `least`.

    >>> legible("#e8720c", "#ffffff")
    '#ba5b0a'
    """
    end = "#000000" if compute_contrast(on, "#000000") > compute_contrast(on, "#ffffff") else "#ffffff"
    if compute_contrast(on, "#ffffff") >= AA_LARGE and compute_luminance(color) > compute_luminance(on):
        end = "#ffffff"
    for step in range(51):
        found = mix_colors(color, end, step / 50)
        if compute_contrast(found, on) >= least:
            return found
    return end


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Any]:
    return tomllib.loads((files("simulated_phone.screens") / "designs.toml").read_text(encoding="utf-8"))


def designs() -> tuple[str, ...]:
    """Names of the designs, the default one first.

    >>> designs()
    ('plain', 'pebble', 'slate', 'prism', 'linen')
    """
    return tuple(_tables())


@lru_cache(maxsize=64)
def skin(design: str = PLAIN, *, dark: bool = False) -> Skin:
    """A design in light or dark mode.

    Raises:
        PhoneNameError: There is no such design.
    """
    if design not in _tables():
        raise PhoneNameError(
            f"expected a design of {', '.join(designs())}, got {design!r}", name=design, names=designs()
        )
    tokens = dict(_tables()[design])
    colors = {"light": tokens.pop("light"), "dark": tokens.pop("dark")}["dark" if dark else "light"]
    # a hue that is legible on white is not so on black: in dark mode all are changed
    tokens["legible"] = tokens["legible"] or dark
    for name in ("keys", "key_shapes", "switch"):
        tokens[name] = tuple(tokens[name])
    return Skin(design=design, dark=dark, colors=MappingProxyType(colors), **tokens)
