"""Headers agree with a decoder, and no truncation is taken for a whole picture."""

from __future__ import annotations

import io
import struct
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.screens.images import read_image_header


def picture(format: str, mode: str = "RGB", size: tuple[int, int] = (37, 23), **options: object) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 60).convert(mode).save(out, format, **options)
    return out.getvalue()


def with_thumbnail() -> bytes:
    thumbnail = picture("JPEG", size=(8, 8))
    exif = b"Exif\0\0" + thumbnail
    whole = picture("JPEG")
    return whole[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + whole[2:]


JPEGS = {
    "baseline": picture("JPEG"),
    "progressive": picture("JPEG", progressive=True),
    "grey": picture("JPEG", "L"),
    "cmyk": picture("JPEG", "CMYK"),
    "restarts": picture("JPEG", restart_marker_blocks=1),
    "thumbnail": with_thumbnail(),
    "fill bytes": picture("JPEG").replace(b"\xff\xdb", b"\xff\xff\xff\xdb", 1),
}
PNGS = {mode: picture("PNG", mode) for mode in ("RGB", "RGBA", "L", "P", "1")}


@pytest.mark.parametrize("data", [*JPEGS.values(), *PNGS.values()], ids=[*JPEGS, *PNGS])
def test_size_and_format_are_those_of_the_decoder(data: bytes) -> None:
    header = read_image_header(data)
    with Image.open(io.BytesIO(data)) as image:
        assert (header.width, header.height) == image.size
        assert header.format == str(image.format).lower()
    for padding in (b"\0", b"\0" * 4096, b"\n", b"\xff" * 7):
        assert read_image_header(data + padding) == header


@pytest.mark.parametrize("data", [*JPEGS.values(), *PNGS.values()], ids=[*JPEGS, *PNGS])
def test_no_truncated_image_is_accepted(data: bytes) -> None:
    for end in range(len(data)):
        with pytest.raises(ReleaseError, match="expected "):
            read_image_header(data[:end])
        with pytest.raises(ReleaseError, match="expected "):
            read_image_header(data[:end] + b"\0" * (len(data) - end))


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\xff\xd8", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"]),
)
def test_any_bytes_are_read_or_refused(data: bytes, front: bytes) -> None:
    with suppress(ReleaseError):
        header = read_image_header(front + data)
        assert header.width > 0 < header.height


@given(st.sampled_from([*JPEGS.values(), *PNGS.values()]), st.integers(0, 2**32), st.integers(0, 255))
def test_a_changed_byte_never_crashes_the_reader(data: bytes, at: int, byte: int) -> None:
    at %= len(data)
    with suppress(ReleaseError):
        read_image_header(data[:at] + bytes([byte]) + data[at + 1 :])


def bomb(width: int, height: int) -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n\0\0\0\r" + header + struct.pack(">I", zlib.crc32(header)) + PNGS["RGB"][33:]


@pytest.mark.parametrize(
    ("data", "got"),
    [
        (bomb(100_000, 100_000), "100000x100000"),
        (bomb(30_000, 30_000), "30000x30000"),
        (bomb(0, 10), "0x10"),
        (bomb(2**31, 1), "2147483648x1"),
        (b"", "an empty file"),
        (b"\0" * 1000, "00 00 00 00"),
        (b"GIF89a", "GIF"),
        (b"RIFF\0\0\0\0WEBP", "WebP"),
        (b"BM\0\0", "BMP"),
        (b"\xff\xd8" + b"\xff" * 1000, "truncated"),
        (b"\xff\xd8\xff\xd9", "its end"),
        (b"\xff\xd8\xff\xda\0\2\xff\xd9", "without one"),
        (b"\xff\xd8\xff\xe0\0\2" * 1, "truncated"),
    ],
)
def test_invalid_screenshots_are_refused(data: bytes, got: str) -> None:
    with pytest.raises(ReleaseError, match=got):
        read_image_header(data)


def test_segments_of_length_zero_do_not_hang() -> None:
    with pytest.raises(ReleaseError):
        read_image_header(b"\xff\xd8" + b"\xff\xe0\0\0" * 100_000)
    for endless in (b"\xff", b"\xff\xe0\0\2", b"\xff\x01"):
        with pytest.raises(ReleaseError, match="within 10000 JPEG segments"):
            read_image_header(b"\xff\xd8" + endless * 5_000_000)
