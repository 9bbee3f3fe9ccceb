"""Opening and writing of screenshots: upright, RGB, 8 bits a colour in whatever is derived from them.

The bytes of a dataset's screenshots stay as they are recorded. `datasets` turns a picture upright by its EXIF
orientation when it decodes it; sizes, points, prompts, labels and pages use the same frame.
"""

from __future__ import annotations

import io
import struct
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP")
"""Formats of screenshots, by Pillow's names."""

JPEG_QUALITY = 92
"""JPEG quality of rewritten pictures, high enough for small letters and digits to stay sharp."""

LARGEST_SIDE = 65_500
"""Width and height of the largest JPEG, px."""

TURNED = frozenset(range(5, 9))
"""EXIF orientations of which the upright picture has width and height exchanged."""

_PNG = b"\x89PNG\r\n\x1a\n"

_STATING = (b"eXIf", *(kind + b"Raw profile type exif\0" for kind in (b"tEXt", b"zTXt", b"iTXt")))
_STATING += (b"iTXtXML:com.adobe.xmp\0",)
"""Beginnings of the chunks of a PNG that can state an orientation."""

_LONGEST = max(map(len, _STATING))

_FILTERS = threading.Lock()

FAULTS = (OSError, SyntaxError, ValueError, TypeError, LookupError, struct.error)
"""Errors of Pillow on a file that is no picture, or whose EXIF data are damaged."""


def read_picture_size(picture: bytes) -> tuple[int, int]:
    """Width and height of an upright screenshot, px, without decoding its pixels.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.

    Raises:
        InputError: The file is no picture, or its EXIF data are damaged.
    """
    with open_picture(picture) as image:
        width, height = image.size
    return (height, width) if read_orientation(picture) in TURNED else (width, height)


def read_orientation(picture: bytes) -> int:
    """EXIF orientation of a picture, 1 to 8; 1, upright, for a picture that states none or an unknown one.

    As in Pillow and `datasets`, it is that of the EXIF data (in PNG files the chunk eXIf, or a text), or else
    that of the XMP data.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.

    Raises:
        InputError: The EXIF data are damaged, so that no reader can decode the picture.
    """
    # Pillow decodes a PNG without EXIF data to its end in search of them
    if picture.startswith(_PNG) and not any(chunk.startswith(_STATING) for chunk in _list_chunks(picture)):
        return 1
    with open_picture(picture, "EXIF data that can be read") as image:
        return find_orientation(image)


def open_screenshot(picture: bytes) -> Image:
    """The pixels of a screenshot, upright, RGB, 8 bits a colour.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.

    Raises:
        InputError: The file cannot be decoded.
    """
    with open_picture(picture) as image:
        return convert_picture(image)


def is_transparent(picture: bytes) -> bool:
    """Whether a screenshot has a pixel that is not opaque.

    Raises:
        InputError: The file cannot be decoded.
    """
    with open_picture(picture) as image:
        if not image.has_transparency_data:
            return False
        least, _ = image.convert("RGBA").getchannel("A").getextrema()
        return bool(least != 255)


def write_jpeg(image: Image) -> bytes:
    """Encode an image as a JPEG file's bytes."""
    written = io.BytesIO()
    image.save(written, "JPEG", quality=JPEG_QUALITY)
    return written.getvalue()


def convert_picture(image: Image) -> Image:
    """Convert an opened picture to an upright one in RGB, with 8 bits a colour.

    Transparency is ignored: each pixel has the colour that the file states. Colour profiles change nothing.

    Args:
        image: A picture of any mode; it is returned itself if it is upright and RGB, and stays unchanged.

    Raises:
        OSError, SyntaxError, ValueError: The pixels, or the EXIF data, cannot be decoded.
    """
    image = turn_upright(image)
    if image.mode == "P":
        # without this step Pillow warns of palettes with transparency
        image = image.convert("RGBA")
    # Pillow would copy all pixels
    return image if image.mode == "RGB" else image.convert("RGB")


def turn_upright(image: Image) -> Image:
    """Turn an opened picture upright; grey of 16 bits becomes grey of 8.

    Args:
        image: A picture of any mode; it is returned itself if nothing is to be changed, and stays unchanged.

    Raises:
        OSError, SyntaxError, ValueError: The pixels, or the EXIF data, cannot be decoded.
    """
    from PIL.ImageOps import exif_transpose

    image.load()
    if find_orientation(image) != 1:
        image = exif_transpose(image)
    if image.mode.startswith("I"):
        # Pillow would cut grey of 16 bits at 255; of colours with 16 bits it takes the upper eight
        return image.convert("I").point(lambda level: level * (1 / 256)).convert("L")
    return image


def find_orientation(image: Image) -> int:
    """EXIF orientation of an opened picture, 1 to 8; 1 for one that states none or an unknown one."""
    from PIL.ExifTags import Base

    with _silence_warnings():
        orientation: Any = image.getexif().get(Base.Orientation)
    # a file may state anything
    return int(orientation) if orientation in range(2, 9) else 1


@contextmanager
def open_picture(picture: bytes, expected: str = "a screenshot as PNG or JPEG") -> Iterator[Image]:
    """Open a file by Pillow, and turn whatever it raises, also while it is decoded, into one error.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.
        expected: Beginning of the error's message.

    Raises:
        InputError: The file cannot be decoded.
    """
    from PIL import Image

    try:
        with _silence_warnings():
            image = Image.open(io.BytesIO(picture), formats=FORMATS)
        with image:
            yield image
    except (*FAULTS, Image.DecompressionBombError, Warning) as error:
        got = f"{len(picture)} bytes: {type(error).__name__}"
        raise InputError(f"expected {expected}, got {got}") from error


def _list_chunks(png: bytes) -> Iterator[bytes]:
    """Yield type and beginning of each chunk of a PNG, up to its end."""
    at = len(_PNG)
    while at + 8 <= len(png):
        yield png[at + 4 : at + 4 + _LONGEST]
        at += 12 + int.from_bytes(png[at : at + 4])


@contextmanager
def _silence_warnings() -> Iterator[None]:
    """Refuse a picture with too many pixels instead of warning; ignore damaged parts of EXIF data."""
    from PIL import Image

    # filters of warnings belong to the process: two threads would restore each other's
    with _FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        yield
