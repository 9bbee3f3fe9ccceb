"""Plain pictures, which every server, browser and library shows alike."""

from __future__ import annotations

from functools import lru_cache

from fingertip_dataset.errors import InputError
from fingertip_dataset.pictures import is_transparent, open_screenshot, read_orientation, write_jpeg
from fingertip_dataset.release.screens.images import read_image_header


def write_plain(screenshot: bytes) -> bytes:
    """Write a screenshot anew if servers differ in how they show it.

    Some servers turn a picture by its EXIF orientation, others do not; the same is true of CMYK, of 16 bits a
    colour, and of transparent pixels.

    Args:
        screenshot: A picture file's bytes.

    Returns:
        The same bytes if all servers show them alike, or if they are no picture; otherwise a JPEG file's
        bytes: upright, RGB, 8 bits a colour.
    """
    try:
        return screenshot if is_plain(screenshot) else _write_anew(screenshot)
    except InputError:
        # only a format that reads the pixels refuses them
        return screenshot


def is_plain(screenshot: bytes) -> bool:
    """Whether all servers show a picture alike: upright, not CMYK, 8 bits a colour, no transparent pixel.

    Only the header is read, and the pixels of pictures with an alpha channel.

    Raises:
        InputError: It is no picture.
    """
    if screenshot.startswith(b"RIFF"):
        # WebP has no other colours
        return read_orientation(screenshot) == 1 and not _is_transparent(screenshot)
    header = read_image_header(screenshot)
    return header.is_plain and not (header.alpha and _is_transparent(screenshot))


# a prompt can show the last five screens, each of which is needed in five prompts
_is_transparent = lru_cache(maxsize=32)(is_transparent)


@lru_cache(maxsize=32)
def _write_anew(screenshot: bytes) -> bytes:
    return write_jpeg(open_screenshot(screenshot))
