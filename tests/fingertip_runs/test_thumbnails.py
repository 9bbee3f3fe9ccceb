"""Small pictures of screens: bounded, upright, and like the large ones."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from fingertip_dataset.pictures import LARGEST_SIDE, open_screenshot
from fingertip_runs.thumbnails import make_thumbnail, scale_picture
from tests.examples import examples
from tests.stored_pictures import KINDS, StoredPicture

WIDTH, QUALITY = 240, 50
MOST_APART = 6.0
"""Mean difference of a thumbnail from the exactly scaled screen, of 255; 4 to 5 for these screens of text."""

STORED = st.builds(
    lambda kind, **fields: StoredPicture(format=kind[0], mode=kind[1], **fields),
    kind=st.sampled_from(KINDS),
    orientation=st.integers(1, 8),
    size=st.tuples(st.integers(40, 200), st.integers(40, 200)),
)


def draw_screen(size: tuple[int, int], kind: str) -> bytes:
    """A screen with coloured rows and lines of text, as a file."""
    screen = Image.new("RGB", size, "#f4f5f8")
    draw, row = ImageDraw.Draw(screen), size[1] // 12
    for number in range(12):
        top = number * row
        draw.rectangle((0, top, row // 2, top + row // 2), fill=f"hsl({number * 30}, 60%, 50%)")
        draw.text(
            (row, top + 8), f"{number} Reading settings, 阅读设置 {number * 7}", "#16181d", font_size=row // 4
        )
    stream = io.BytesIO()
    screen.save(stream, kind, quality=85)
    return stream.getvalue()


def read(data: bytes | None) -> Image.Image:
    assert data is not None
    return open_screenshot(data)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("size", [(360, 800), (540, 1200), (1080, 2400), (1440, 3200)])
def test_a_thumbnail_looks_like_the_screen(size: tuple[int, int], kind: str) -> None:
    data = draw_screen(size, kind)
    small = read(scale_picture(data, WIDTH, quality=QUALITY))
    exact = open_screenshot(data).resize(small.size, Image.Resampling.BOX)
    assert small.size == (WIDTH, round(size[1] * WIDTH / size[0]))
    assert np.abs(np.asarray(small, float) - np.asarray(exact, float)).mean() < MOST_APART


@settings(max_examples=examples(60), deadline=None)
@given(stored=STORED, width=st.integers(1, 150))
def test_every_picture_is_upright_and_as_wide_as_asked(stored: StoredPicture, width: int) -> None:
    small = read(scale_picture(stored.write(), width, quality=QUALITY))
    across, down = stored.size
    assert small.size == (width, max(1, round(down * width / across)))
    exact = open_screenshot(stored.write()).resize(small.size, Image.Resampling.BOX)
    assert np.abs(np.asarray(small, float) - np.asarray(exact, float)).mean() < 3 * MOST_APART


def test_what_is_no_picture_has_no_thumbnail_and_a_stripe_has_a_bounded_one() -> None:
    assert make_thumbnail(b"no picture", WIDTH) is None
    whole = draw_screen((360, 800), "JPEG")
    assert scale_picture(whole[: len(whole) // 3], WIDTH, quality=QUALITY) is None
    Image.new("1", (9_500, 9_500)).save(bomb := io.BytesIO(), "PNG")
    assert make_thumbnail(bomb.getvalue(), WIDTH) is None
    Image.new("1", (2, 70_000)).save(stripe := io.BytesIO(), "PNG")
    assert read(scale_picture(stripe.getvalue(), WIDTH, quality=QUALITY)).size == (2, LARGEST_SIDE)
