"""Pixels: lines by OCR and parts of them, faces, QR codes, and pictures that cannot be read."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image, ImageDraw

from fingertip_dataset.errors import InputError, MissingExtraError
from fingertip_privacy.finds import FindKind
from fingertip_privacy.planted.panel import draw_portrait, draw_qr_code, portraits
from fingertip_privacy.scan import face_boxes
from fingertip_privacy.scan.face_boxes import find_faces
from fingertip_privacy.scan.qr_codes import find_codes
from fingertip_privacy.scan.scan_inputs import EpisodeContent, ScreenContent
from fingertip_privacy.scan.scan_settings import ScanSettings
from fingertip_privacy.scan.screen_readings import _read_episode, _read_pixels
from fingertip_privacy.scan.screen_text import ScreenLine, find_wrapped_pairs, label_of, part_box, read_lines
from simulated_phone.screens.drawing.fonts import load_font


def line(text: str, left: int, top: int, right: int) -> ScreenLine:
    return ScreenLine(text=text, box=(left, top, right, top + 40), confidence=1.0)


def png(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def test_a_drawn_line_is_read_and_the_box_of_its_number_covers_it() -> None:
    image = Image.new("RGB", (540, 200), "white")
    draw, drawn = ImageDraw.Draw(image), load_font(30)
    draw.text((40, 60), "电话 13912345678", font=drawn, fill="black")
    (read,) = read_lines(png(image), "tiny")
    start = read.text.index("139")
    left, top, right, bottom = part_box(read, start, start + 11)
    number = draw.textbbox((40 + drawn.getlength("电话 "), 60), "13912345678", font=drawn)
    assert left <= number[0]
    assert top <= number[1] + 3
    assert right >= number[2] - 3
    assert bottom >= number[3] - 3
    assert left > 60  # not the whole line


def test_the_ocr_names_a_picture_that_it_cannot_read() -> None:
    with pytest.raises(InputError, match="OCR"):
        read_lines(b"\xff\xd8\xff\xd9", "tiny")


def test_labels_stand_to_the_left_or_above_and_long_lines_go_on_below() -> None:
    name, value = line("收货人", 40, 100, 160), line("严建军", 200, 102, 330)
    above, below = line("收货地址", 40, 300, 200), line("浙江省杭州市西湖区文一路八十八号三单", 40, 350, 900)
    last = line("元502室", 40, 400, 180)
    lines = (name, value, above, below, last)
    assert label_of(value, lines) == "收货人"
    assert label_of(below, lines) == "收货地址"
    assert list(find_wrapped_pairs(lines)) == [(below, last)]


def test_a_portrait_and_a_qr_code_are_found_where_they_are() -> None:
    (portrait,) = portraits()
    screen = Image.new("RGB", (540, 900), "white")
    rng = random.Random(1)  # noqa: S311 - no secret
    screen.paste(draw_portrait(portrait, 200, rng), (100, 100))
    screen.paste(draw_qr_code("https://u.example/1", 180), (300, 600))
    ((left, top, right, bottom), score), *others = find_faces(screen)
    assert others == []
    assert 100 <= left < right <= 300
    assert 100 <= top < bottom <= 300
    assert score > 0.5
    (((left, top, right, bottom), text),) = find_codes(screen)
    assert text == "https://u.example/1"
    assert 295 <= left < right <= 485
    assert 595 <= top < bottom <= 785


def test_a_face_is_found_in_a_smaller_picture_at_its_place_in_the_whole_one() -> None:
    (portrait,) = portraits()
    screen = Image.new("RGB", (1080, 1800), "white")
    screen.paste(draw_portrait(portrait, 400, random.Random(1)), (200, 200))  # noqa: S311 - no secret
    ((whole, _),) = find_faces(screen)
    ((small, _),) = find_faces(screen.reduce(2), screen.size)
    assert max(abs(one - other) for one, other in zip(whole, small, strict=True)) <= 4


def test_a_screen_that_comes_back_is_read_once() -> None:
    image = Image.new("RGB", (540, 200), "white")
    ImageDraw.Draw(image).text((40, 60), "余额 13912345678", font=load_font(30), fill="black")
    settings = ScanSettings(kinds=(FindKind.QR_CODE,))
    data = png(image)
    screens = [
        ScreenContent(
            step=step, file=f"{step}.png", screenshot=data, has_screenshot=True, texts=(), has_tree=False
        )
        for step in range(3)
    ]
    episode = EpisodeContent(user="1", episode="1__a", app="", kind="episode", screens=screens)
    before = _read_pixels.cache_info()
    reading = _read_episode(episode, settings)
    after = _read_pixels.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 2)
    assert [(screen.step, screen.file) for screen in reading.screens] == [
        (0, "0.png"), (1, "1.png"), (2, "2.png")
    ]  # fmt: skip
    assert {screen.lines for screen in reading.screens} == {reading.screens[0].lines}
    assert "13912345678" in reading.screens[0].lines[0][0]


@pytest.mark.parametrize("kinds", [(), (FindKind.FACE,)], ids=["text alone", "faces"])
@pytest.mark.parametrize("format", ["JPEG", "PNG"])
def test_a_damaged_picture_is_named_in_one_line(format: str, kinds: tuple[FindKind, ...]) -> None:
    stream = io.BytesIO()
    Image.effect_noise((64, 64), 80).convert("RGB").save(stream, format)
    data = bytearray(stream.getvalue())
    # a table of codes that is none, or broken pixels
    begin = data.index(b"\xff\xc4") + 5 if format == "JPEG" else len(data) // 2
    data[begin : begin + 16] = b"\xff" * 16
    screen = ScreenContent(
        step=0, file="0", screenshot=bytes(data), has_screenshot=True, texts=(), has_tree=False
    )
    episode = EpisodeContent(user="1", episode="1__a", app="", kind="episode", screens=[screen])
    (problem,) = _read_episode(episode, ScanSettings(kinds=kinds, ocr="none")).problems
    assert problem.detail.startswith("the screenshot was not scanned: it cannot be decoded: ")
    assert "\n" not in problem.detail


def test_a_blank_screen_has_neither() -> None:
    screen = Image.new("RGB", (320, 640), "white")
    assert (find_faces(screen), find_codes(screen)) == ([], [])


def test_missing_weights_name_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(face_boxes, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"fingertip-20k\[faces\]"):
        face_boxes.find_weights()
