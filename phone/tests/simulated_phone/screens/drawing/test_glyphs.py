"""Lines composed of glyphs have the pixels and widths of Pillow, which draws and measures whole lines."""

from __future__ import annotations

import random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from simulated_phone.apps import APPS
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.drawing.glyphs import BOLD

ODD = "AVWTofjil.,1-7yg晴天的一“”（），。!/|jJ_ \u3000Ǻ\u302a\u3031\n\t…·\U0001f600"
"""Letters that overlap others, reach far up or down, stand before their place, or are not in the font."""


def texts(count: int) -> list[str]:
    rng = random.Random(count)  # noqa: S311 - texts, not a secret
    wordings = sorted({template for app in APPS for goal in app.goals for template in goal.words})
    return rng.sample(wordings, count) + ["".join(rng.choices(ODD, k=12)) for _ in range(count)]


def drawn_at_once(text: str, size: int, *, bold: bool) -> Image.Image:
    picture = Image.new("L", (fonts.mask_width(text, size), fonts.line_height(size)))
    ImageDraw.Draw(picture).text(
        (0, round(size * fonts.BASELINE)), text, font=fonts.load_font(size), fill=255, anchor="ls",
        stroke_width=size / BOLD if bold else 0,
    )  # fmt: skip
    return picture


@pytest.mark.parametrize("count", [20, pytest.param(400, marks=pytest.mark.soak)])
@pytest.mark.parametrize("size", [9, 14, 17, 41])
def test_a_line_of_glyphs_has_pillows_pixels_and_width(size: int, count: int) -> None:
    for text in texts(count):
        assert fonts.text_width(text, size) == round(fonts.load_font(size).getlength(text)), text
        for bold in (False, True):
            found = np.asarray(fonts.mask(text, size, bold))
            assert np.array_equal(found, np.asarray(drawn_at_once(text, size, bold=bold))), (text, bold)


def test_the_longest_beginning_that_fits_is_kept() -> None:
    for text in texts(40):
        for width in (0, 15, 60, 150):
            size, cut = 17, fonts.cut(text, 17, width)
            if cut != text:
                begun = cut.removesuffix(fonts.DOTS)
                longer = text[: len(begun) + 1] + fonts.DOTS
                assert text.startswith(begun), (text, width)
                assert fonts.text_width(longer, size) > width or not cut, (text, width)
