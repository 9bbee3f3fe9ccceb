"""Protected screens, told from pages, videos and photos that are dark."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw

from execution_runner.devices.screenshots import extract_png, is_black, is_protected
from fingertip_dataset.errors import TruncatedScreenshotError

SIZE = (540, 1200)
Draw = ImageDraw.ImageDraw


def save(picture: Image.Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "PNG", compress_level=1)
    return stream.getvalue()


def draw(color: str, *parts: Callable[[Draw], object], size: tuple[int, int] = SIZE) -> bytes:
    picture = Image.new("RGB", size, color)
    for part in parts:
        part(ImageDraw.Draw(picture))
    return save(picture)


def status(draw: Draw) -> None:
    draw.text((20, 16), "9:41", fill="white", font_size=24)
    draw.rectangle((480, 18, 520, 36), fill="#e0e0e0")


def cutout(draw: Draw) -> None:
    draw.rectangle((0, 0, 540, 76), fill="#202020")
    draw.text((20, 40), "9:41 5G", fill="white", font_size=24)


def pill(draw: Draw) -> None:
    draw.rounded_rectangle((180, 1182, 360, 1188), 3, fill="#d0d0d0")


def buttons(draw: Draw) -> None:
    draw.rectangle((0, 1120, 540, 1200), fill="#f4f4f4")
    draw.ellipse((250, 1140, 290, 1180), outline="#606060", width=4)


def sides(draw: Draw) -> None:
    draw.rectangle((1130, 0, 1200, 540), fill="#f4f4f4")
    draw.text((20, 10), "9:41", fill="white", font_size=24)


def handle(draw: Draw) -> None:
    draw.rectangle((536, 400, 539, 520), fill="#909090")


def text(draw: Draw) -> None:
    draw.text((60, 500), "还款明细 2,184.00", fill="#c8c8c8", font_size=28)


def logo(draw: Draw) -> None:
    draw.ellipse((245, 575, 295, 625), fill="#3b7cff")


def spinner(draw: Draw) -> None:
    draw.arc((240, 570, 300, 630), 0, 270, fill="#909090", width=6)


def film(draw: Draw) -> None:
    draw.rectangle((0, 448, 540, 752), fill="#0e0b12")


def keyboard(draw: Draw) -> None:
    draw.rectangle((0, 740, 540, 1200), fill="#d8dade")
    for row in range(4):
        for key in range(10):
            draw.rectangle((54 * key + 4, 760 + 100 * row, 54 * key + 50, 840 + 100 * row), fill="white")


def dialog(draw: Draw) -> None:
    draw.rounded_rectangle((40, 480, 500, 760), 24, fill="white")
    draw.text((80, 560), "确定要离开吗？", fill="black", font_size=28)


@pytest.mark.parametrize("color", ["#000000", "#010101"])
@pytest.mark.parametrize(
    "parts", [(), (status,), (status, pill), (cutout, pill), (status, buttons), (status, pill, handle)]
)
def test_a_protected_screen_is_black_but_for_its_bars(
    color: str, parts: tuple[Callable[[Draw], None]]
) -> None:
    assert is_black(draw(color, *parts))
    assert is_black(draw(color, *parts), secure=True)
    assert is_protected(draw(color, *parts), None, secure=False)


def test_a_protected_screen_may_lie() -> None:
    assert is_black(draw("#000000", sides, size=(1200, 540)))


@pytest.mark.parametrize("over", [keyboard, dialog])
def test_what_other_windows_draw_over_a_protected_screen_needs_the_phones_word(
    over: Callable[[Draw], None],
) -> None:
    picture = draw("#000000", status, pill, over)
    assert is_black(picture, secure=True)
    assert not is_black(picture)
    assert not is_black(draw("#ffffff", status, over), secure=True)


@pytest.mark.parametrize("color", ["#000000", "#050505", "#0a0a0c", "#121212", "#1b1b1f", "#000011"])
@pytest.mark.parametrize("part", [text, logo, spinner, film])
def test_a_dark_page_or_splash_or_film_is_not_protected(color: str, part: Callable[[Draw], None]) -> None:
    assert not is_black(draw(color, status, pill, part))


@pytest.mark.parametrize("color", ["#050505", "#0a0a0c", "#000011", "#110000"])
def test_an_empty_dark_page_is_not_protected(color: str) -> None:
    for secure in (None, False, True):
        assert not is_black(draw(color, status, pill), secure=secure)


def test_a_photo_of_the_night_is_not_protected() -> None:
    levels = np.random.default_rng(7).normal(2, 2, (1200, 540)).clip(0, 255).astype(np.uint8)
    assert not is_black(save(Image.fromarray(levels)))


@pytest.mark.parametrize(
    ("tree", "protected"),
    [
        (None, True),
        ("<hierarchy><node text='付款' bounds='[0,400][540,500]'/></hierarchy>", True),
        ("<hierarchy><node text='9:41' bounds='[0,0][540,60]'/></hierarchy>", False),
        ("<hierarchy><node bounds='[0,0][540,1200]'/></hierarchy>", False),
        ("no tree", True),
    ],
)
def test_a_black_page_of_an_app_that_forbids_nothing_has_no_texts(tree: str | None, protected: bool) -> None:
    picture = draw("#000000", status, pill)
    assert is_protected(picture, tree, secure=False) == protected
    assert is_protected(picture, tree, secure=None)


@pytest.mark.parametrize(
    ("level", "black"), [(0, True), (255, True), (512, True), (1024, False), (65535, False)]
)
def test_grey_of_16_bits(level: int, black: bool) -> None:
    assert is_black(save(Image.fromarray(np.full((1200, 540), level, np.uint16)))) == black


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + b"\0\0\0\0"


END = b"\0\0\0\0IEND\xaeB`\x82"


@pytest.mark.parametrize(
    "garbage",
    [b"", chunk(b"IDAT", b"x"), chunk(b"IHDR", struct.pack(">II", 0, 9)), chunk(b"IHDR", b"\xff" * 13)],
)
def test_a_png_without_a_picture_is_an_error(garbage: bytes) -> None:
    with pytest.raises(TruncatedScreenshotError, match="no picture in the"):
        extract_png(b"\x89PNG\r\n\x1a\n" + garbage + END)


def test_a_picture_that_cannot_be_decoded_is_not_black() -> None:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", *SIZE, 8, 2, 0, 0, 0))
    assert not is_black(extract_png(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", b"garbage") + END))
