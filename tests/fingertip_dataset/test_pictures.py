"""One frame for the loader and for whatever is derived: upright, RGB, 8 bits a colour."""

from __future__ import annotations

import io
import warnings
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from fingertip_dataset.errors import InputError, ReleaseError
from fingertip_dataset.pictures import open_screenshot, read_orientation, read_picture_size
from fingertip_dataset.plain_pictures import write_plain
from fingertip_dataset.release.screens.images import read_image_header
from tests.examples import examples
from tests.stored_pictures import CORNER, DEEP, KINDS, SIZE, StoredPicture, make_chunk

STORED = st.builds(
    lambda kind, **fields: StoredPicture(format=kind[0], mode=kind[1], **fields),
    kind=st.sampled_from(KINDS),
    orientation=st.integers(1, 8),
    size=st.tuples(st.integers(17, 90), st.integers(17, 90)),
)
TURNED_BY_XMP = [StoredPicture(format=name, orientation=6, xmp=True) for name in ("JPEG", "PNG")]


def load(data: bytes) -> Image.Image:
    """Return the picture as `load_dataset` shows it."""
    import datasets

    image: Image.Image = datasets.Image().decode_example({"bytes": data, "path": None})
    return image


def check_red_corner(image: Image.Image, stored: StoredPicture) -> None:
    """Check that the corner, and nothing else, has the corner's colour."""
    pixels = np.asarray(image.convert("RGBA").convert("RGB")).astype(int)
    assert np.abs(pixels[2 : CORNER - 8, 2 : CORNER - 8] - stored.corner).max() < 16
    assert pixels[CORNER + 8 :].min(initial=255) > 230
    assert pixels[:, CORNER + 8 :].min(initial=255) > 230


@settings(max_examples=examples(150), deadline=None)
@given(stored=STORED)
def test_sizes_and_pixels_are_those_that_the_loader_shows(stored: StoredPicture) -> None:
    data = stored.write()
    assert load(data).size == read_picture_size(data) == stored.size
    assert read_orientation(data) == stored.orientation
    shown = open_screenshot(data)
    assert (shown.mode, shown.size) == ("RGB", stored.size)
    check_red_corner(shown, stored)
    if stored.format != "WEBP":
        header = read_image_header(data)
        assert (header.width, header.height, header.orientation) == (*stored.size, stored.orientation)
    if stored.mode != "L 16":
        # of a picture that it turns, the loader drops the transparency of a palette
        assert np.array_equal(np.asarray(load(data).convert("RGBA").convert("RGB")), np.asarray(shown))


@settings(max_examples=examples(100), deadline=None)
@given(stored=STORED)
def test_a_plain_picture_is_sent_byte_for_byte_and_others_anew(stored: StoredPicture) -> None:
    data = stored.write()
    sent = write_plain(data)
    assert (sent == data) == stored.is_plain
    with Image.open(io.BytesIO(sent)) as image:
        # no reader has to turn or to convert it
        assert image.size == stored.size
        assert image.getexif().get(0x112) is None
        assert stored.is_plain or (image.format, image.mode) == ("JPEG", "RGB")
        check_red_corner(image, stored)
    assert write_plain(sent) == sent


@pytest.mark.parametrize("stored", TURNED_BY_XMP, ids=lambda stored: stored.format)
def test_an_orientation_in_xmp_data_counts_as_for_the_loader(stored: StoredPicture) -> None:
    data = stored.write()
    assert load(data).size == read_picture_size(data) == SIZE
    assert read_image_header(data).orientation == 6
    check_red_corner(open_screenshot(data), stored)


def test_exif_data_behind_the_pixels_of_a_png_count() -> None:
    data = StoredPicture(format="PNG", orientation=6).write()
    length = 12 + int.from_bytes(data[33:37])
    moved = data[:33] + data[33 + length : -12] + data[33 : 33 + length] + data[-12:]
    assert load(moved).size == read_picture_size(moved) == SIZE
    assert read_image_header(moved).orientation == 6


@pytest.mark.parametrize("orientation", [0, 1, 9, 700])
def test_an_unknown_orientation_is_upright(orientation: int) -> None:
    exif, stream = Image.Exif(), io.BytesIO()
    exif[0x112] = orientation
    Image.new("RGB", SIZE).save(stream, "JPEG", exif=exif)
    assert load(stream.getvalue()).size == read_picture_size(stream.getvalue()) == SIZE
    assert read_image_header(stream.getvalue()).is_plain


def test_transparent_pixels_are_sent_in_their_colour() -> None:
    picture = Image.new("RGBA", SIZE, (200, 24, 24, 0))
    for mode in ("RGBA", "P"):
        stream = io.BytesIO()
        picture.convert(mode).save(stream, "PNG")
        sent = write_plain(stream.getvalue())
        assert sent.startswith(b"\xff\xd8")
        assert open_screenshot(sent).getpixel((5, 5)) == pytest.approx((200, 24, 24), abs=4)


def test_a_palette_with_transparency_warns_of_nothing() -> None:
    data = StoredPicture(format="PNG", mode="P with transparency").write()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        open_screenshot(data)
        write_plain(data)


@pytest.mark.parametrize("mode", DEEP)
def test_grey_of_sixteen_bits_is_not_cut_at_255(mode: str) -> None:
    stored = StoredPicture(format="PNG", mode=mode)
    assert open_screenshot(stored.write()).getpixel((3, 3)) == stored.corner


def test_damaged_exif_data_are_named_where_the_loader_would_crash() -> None:
    data = StoredPicture(format="PNG").write()
    broken = data[:33] + make_chunk(b"eXIf", b"garbage") + data[33:]
    with pytest.raises(SyntaxError):
        load(broken)
    for read in (read_picture_size, open_screenshot):
        with pytest.raises(InputError, match="expected "):
            read(broken)
    with pytest.raises(ReleaseError, match="expected EXIF data that can be read"):
        read_image_header(broken)


@settings(max_examples=examples(200), deadline=None)
@given(
    kind=st.sampled_from([b"eXIf", b"iTXt", b"tEXt", b"zTXt"]),
    content=st.binary(max_size=60),
    name=st.booleans(),
)
def test_any_exif_data_are_read_or_refused(kind: bytes, content: bytes, name: bool) -> None:
    words = b"XML:com.adobe.xmp\0" if kind == b"iTXt" else b"Raw profile type exif\0"
    front = words if name and kind != b"eXIf" else b"MM\0*\0\0\0\x08\0\x01" if name else b""
    data = StoredPicture(format="PNG").write()
    data = data[:33] + make_chunk(kind, front + content) + data[33:]
    with suppress(InputError):
        assert read_image_header(data).width in SIZE
    with suppress(InputError):
        assert open_screenshot(data).width in SIZE
    jpeg, part = StoredPicture(format="JPEG").write(), b"Exif\0\0" + front + content
    jpeg = jpeg[:2] + b"\xff\xe1" + (len(part) + 2).to_bytes(2) + part + jpeg[2:]
    with suppress(InputError):
        assert open_screenshot(jpeg).size == read_picture_size(jpeg)


@pytest.mark.parametrize(
    ("data", "got"),
    [
        (
            StoredPicture(format="JPEG").write().replace(b"\x08\0\x60\0\x40\3", b"\x0c\0\x60\0\x40\3"),
            "12 bits",
        ),
        (
            StoredPicture(format="JPEG").write().replace(b"\x08\0\x60\0\x40\3", b"\x08\0\x60\0\x40\2"),
            "got 2 ",
        ),
        (StoredPicture(format="PNG").write().replace(b"\0\x60\x08\2\0", b"\0\x60\x03\2\0"), "type 2 with 3"),
    ],
)
def test_colours_that_no_reader_decodes_are_named(data: bytes, got: str) -> None:
    with pytest.raises(ReleaseError, match=got):
        read_image_header(data)
    with pytest.raises(OSError, match="cannot identify"):
        load(data)
