"""Painted boxes: nothing of what was there is left, every other block stays, metadata goes."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from fingertip_dataset.errors import InputError
from fingertip_dataset.picture_metadata import strip_metadata
from fingertip_privacy.redaction.painted_pictures import Patch, patch_picture
from fingertip_privacy.redaction.pseudonyms import Pseudonyms, TextReplacer
from fingertip_privacy.redaction.redacted_screens import redact_picture
from simulated_phone.screens.drawing.fonts import load_font
from tests.stored_pictures import StoredPicture, has_metadata

BOX = (60, 70, 160, 95)
COLOR = (250, 240, 200)


def screen(mode: str = "RGB", name: str = "张伟明") -> Image.Image:
    picture = Image.new("RGB", (203, 157), COLOR)
    draw = ImageDraw.Draw(picture)
    for row in (10, 125):
        draw.text((5, row), "设置 abc 123", fill=(20, 30, 120), font=load_font(14))
    draw.rectangle(BOX, COLOR)
    draw.text((62, 72), name, fill=(20, 30, 120), font=load_font(18))
    return picture.convert(mode)


def encoded(picture: Image.Image, format: str = "JPEG", **options: Any) -> bytes:  # noqa: ANN401 - Pillow's
    stream = io.BytesIO()
    picture.save(stream, format, **options)
    return stream.getvalue()


def pixels(data: bytes) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def outside(size: tuple[int, int], box: tuple[int, int, int, int], unit: int) -> np.ndarray[Any, Any]:
    """Mask of the pixels beyond the units that a box touches, and beyond the pixel around them."""
    mask = np.ones((size[1], size[0]), bool)
    left, top = box[0] // unit * unit, box[1] // unit * unit
    right, bottom = -(-box[2] // unit) * unit, -(-box[3] // unit) * unit
    around = 1 if unit > 1 else 0
    mask[max(0, top - around) : bottom + around, max(0, left - around) : right + around] = False
    return mask


@pytest.mark.parametrize(
    ("format", "options", "unit"),
    [
        ("JPEG", {"quality": 85}, 16),
        ("JPEG", {"quality": 60, "subsampling": 0}, 8),
        ("JPEG", {"quality": 85, "subsampling": 1, "progressive": True}, 16),
        ("PNG", {}, 1),
    ],
)
def test_only_the_box_changes_and_nothing_of_the_name_is_left(
    format: str, options: dict[str, Any], unit: int
) -> None:
    data = encoded(screen(), format, **options)
    result = patch_picture(data, [Patch(BOX)])
    (box,) = result.boxes
    old, new = pixels(data), pixels(result.data)
    assert not result.reencoded
    assert Image.open(io.BytesIO(result.data)).format == format
    mask = outside((203, 157), box, unit)
    assert np.array_equal(old[mask], new[mask])
    left, top, right, bottom = box
    inside = new[top:bottom, left:right]
    assert abs(inside - np.array(COLOR)).max() <= 24
    assert np.ptp(inside, axis=(0, 1)).max() <= 24


@pytest.mark.parametrize("mode", ["L", "RGBA", "P"])
def test_other_kinds_of_pictures_are_painted_too(mode: str) -> None:
    formats = ("JPEG", "PNG") if mode == "L" else ("PNG",)
    for format in formats:
        result = patch_picture(encoded(screen(mode), format), [Patch(BOX)])
        left, top, right, bottom = result.boxes[0]
        assert np.ptp(pixels(result.data)[top:bottom, left:right], axis=(0, 1)).max() <= 24
        assert not result.reencoded


def test_the_replacement_has_the_ink_and_size_of_what_was_there() -> None:
    data = encoded(screen(), "PNG")
    new = Image.open(io.BytesIO(patch_picture(data, [Patch(BOX, "赵晓晨")]).data))
    expected = screen(name="赵晓晨")
    ink = [(np.asarray(one.convert("L")) < 128)[70:95, 60:160] for one in (new, expected)]
    assert 0.6 < ink[0].sum() / ink[1].sum() < 1.6
    darkest = min(new.convert("RGB").crop(BOX).getcolors(9999) or [], key=lambda entry: sum(entry[1]))[1]
    assert max(abs(a - b) for a, b in zip(darkest, (20, 30, 120), strict=True)) < 40


def test_an_unreadable_jpeg_of_four_colours_is_compressed_again_and_says_so() -> None:
    data = encoded(screen("CMYK"))
    assert patch_picture(data, [Patch(BOX)]).reencoded


def test_a_box_outside_of_the_picture_paints_nothing() -> None:
    data = encoded(screen())
    assert patch_picture(data, [Patch((900, 900, 950, 950))]).data == data


def test_metadata_goes_and_pixels_stay() -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken by 张伟明"
    for format, options in (("JPEG", {"comment": b"secret", "exif": exif}), ("PNG", {"exif": exif})):
        data = encoded(screen(), format, **options)
        plain = strip_metadata(data)
        assert has_metadata(data)
        assert not has_metadata(plain)
        assert "张伟明".encode() not in plain
        assert b"secret" not in plain
        assert np.array_equal(pixels(data), pixels(plain))
    assert not has_metadata(encoded(screen()))
    assert strip_metadata(encoded(screen()) + b"preview\xff\xd8") == encoded(screen())


def test_a_picture_behind_the_picture_and_comments_between_its_scans_go() -> None:
    plain = encoded(screen(), progressive=True)
    scans = [at for at in range(len(plain)) if plain.startswith(b"\xff\xda", at)]
    comment = b"\xff\xfe\0\x0d13812345678"
    with_comment = plain[: scans[2]] + comment + plain[scans[2] :]
    behind = encoded(Image.new("RGB", (40, 40)), comment=b"13812345678")
    for data in (with_comment, plain + behind, with_comment + behind, plain + b"13812345678"):
        assert has_metadata(data)
        cleaned = strip_metadata(data)
        assert cleaned == strip_metadata(plain)
        assert (pixels(cleaned) == pixels(plain)).all()
    assert not has_metadata(strip_metadata(plain))


@pytest.mark.parametrize("format", ["JPEG", "PNG"])
def test_a_lying_picture_becomes_upright_because_its_orientation_goes(format: str) -> None:
    lying = StoredPicture(format=format, orientation=6, size=(48, 96))
    box = (20, 60, 40, 80)
    patched = patch_picture(lying.write(), [Patch(box)])
    unpatched = redact_picture(
        lying.write(), None, (), TextReplacer(Pseudonyms(b"0123456789abcdef", "1", ()), ())
    )
    for data in (patched.data, unpatched.data):
        with Image.open(io.BytesIO(data)) as picture:
            assert (picture.format, picture.size) == (format, (48, 96))
        assert not has_metadata(data)
        assert pixels(data)[4, 4] == pytest.approx(lying.corner, abs=8)
    assert patched.boxes[0][:2] >= (0, 0)
    assert patched.reencoded == unpatched.reencoded == (format == "JPEG")


@pytest.mark.parametrize("mode", ["L 16", "RGB 16"])
def test_a_picture_of_sixteen_bits_keeps_its_look(mode: str) -> None:
    deep = StoredPicture(format="PNG", mode=mode)
    patched = patch_picture(deep.write(), [Patch((40, 60, 50, 70))])
    assert pixels(patched.data)[4, 4] == pytest.approx(deep.corner, abs=1)


@pytest.mark.parametrize("data", [b"", b"GIF89a", encoded(screen())[:400], encoded(screen(), "PNG")[:200]])
def test_an_unreadable_picture_is_one_line(data: bytes) -> None:
    with pytest.raises(InputError, match="the picture cannot be read"):
        patch_picture(data, [Patch(BOX)])
