"""Screens at the size at which a model sees them, and the name of what decoded them.

Training and running make the same call, so a model sees the same in both: the whole screen is decoded, then
made smaller by a bicubic filter over all pixels below a new one, rows before columns.

Measured on 24 screenshots of the authors' release (JPEG, 1080x2280, colour at half resolution) for
qwen2.5-vl at 0.8 megapixels (588x1288), milliseconds of CPU time on one busy core: Pillow decodes in 7.0 and
resizes in 28.9, cykooz-resizer resizes in 3.6. Decoding by simplejpeg instead (4.2, and 1.4 for an image of
Pillow; the same pixels) saves a tenth of what is left, too little for a second package. A JPEG decoded at a
fraction of its size gains nothing: its half is smaller than the model's picture, and its five eighths take
longer than the whole and come out at 41 to 50 dB.

Pillow alone, where cykooz-resizer is not installed, gives the same picture but for 0.2 % of the values, which
are off by one. Pillow's own order, columns first, differs by up to 17 of 255 in single values (60 to 70 dB);
JPEG at quality 92 costs 40 to 50 dB.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from fingertip_dataset.pictures import (
    LARGEST_SIDE,
    TURNED,
    convert_picture,
    find_orientation,
    open_picture,
    open_screenshot,
    turn_upright,
)

if TYPE_CHECKING:
    from PIL.Image import Image

Filter = Literal["bicubic", "bilinear", "any"]

_FAST: dict[Filter, str] = {"bicubic": "catmull_rom", "bilinear": "bilinear", "any": "catmull_rom"}
"""Filter -> its name in cykooz-resizer; Pillow's bicubic filter is the one of Catmull and Rom."""


def open_resized(picture: bytes, size: tuple[int, int]) -> Image:
    """The pixels of a screenshot, upright, RGB, at a width and height in px.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.
        size: Width and height of the result, px.

    Raises:
        InputError: The file cannot be decoded.
    """
    return resize_screen(open_screenshot(picture), size)


def open_scaled(picture: bytes, width: int) -> Image:
    """The pixels of a screenshot, upright, RGB, scaled to a width, for people.

    A JPEG is decoded at a half, a quarter or an eighth of its size where that is wide enough, which takes a
    fraction of the time.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.
        width: Width of the result, px; less for a picture that would be higher than a JPEG can be.

    Raises:
        InputError: The file cannot be decoded.
    """
    return _open_scaled(picture, lambda size: min(width / size[0], LARGEST_SIDE / size[1]), "any")


def open_within(picture: bytes, longest: int) -> Image:
    """The pixels of a screenshot, upright, RGB, made smaller until no side is longer than some px.

    A JPEG is decoded at a fraction of its size where that is large enough.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.
        longest: Length of the longer side of the result, px; a smaller picture stays as it is.

    Raises:
        InputError: The file cannot be decoded.
    """
    return _open_scaled(picture, lambda size: min(1.0, longest / max(size)), "bicubic")


def open_reduced(picture: bytes, shortest: int) -> Image:
    """The pixels of a screenshot, upright, RGB, a JPEG at the fraction of its size that is just large enough.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.
        shortest: Length that the shorter side has at least, px, unless the picture is smaller.

    Raises:
        InputError: The file cannot be decoded.
    """
    with open_picture(picture) as image:
        image.draft(None, (shortest, shortest))
        return convert_picture(image)


def open_grey(picture: bytes) -> Image:
    """The brightness of a screenshot's pixels, upright, 8 bits; a JPEG holds it apart from the colours.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.

    Raises:
        InputError: The file cannot be decoded.
    """
    with open_picture(picture) as image:
        image.draft("L", None)
        upright = turn_upright(image)
    return upright if upright.mode == "L" else convert_picture(upright).convert("L")


def resize_screen(image: Image, size: tuple[int, int], filter: Filter = "bicubic") -> Image:
    """Scale an image by a filter over all pixels below a new one.

    Args:
        image: An RGB or a grey image, 8 bits a colour.
        size: Width and height of the result, px.
        filter: "bicubic"; "bilinear", which is softer; "any" for pages: bicubic, or without cykooz-resizer
            another one that takes less time.

    Returns:
        A new image; `image` itself if it has that size.
    """
    if image.size == size:
        return image
    resizer = _load_resizer()
    if resizer is None:
        return _resize_by_pillow(image, size, filter)
    return _resize_fast(resizer, image, size, filter)


def describe_decoder() -> str:
    """Name what decodes and resizes screens, with versions: two machines of one name see the same pixels."""
    from PIL import __version__, features

    jpeg = features.version("libjpeg_turbo")
    library = f"libjpeg-turbo {jpeg}" if jpeg else f"libjpeg {features.version('jpg')}"
    resizer = "pillow" if _load_resizer() is None else f"cykooz-resizer {version('cykooz-resizer')}"
    return f"pillow {__version__}, {library}, resized by {resizer}"


def _open_scaled(picture: bytes, find_factor: Callable[[tuple[int, int]], float], filter: Filter) -> Image:
    """A picture scaled by the factor that is found for its upright width and height in px."""
    with open_picture(picture) as image:
        turned = find_orientation(image) in TURNED
        size = image.size[::-1] if turned else image.size
        factor = find_factor(size)
        wanted = (max(1, round(size[0] * factor)), max(1, round(size[1] * factor)))
        image.draft(None, wanted[::-1] if turned else wanted)
        upright = convert_picture(image)
    return resize_screen(upright, wanted, filter)


@cache
def _load_resizer() -> ModuleType | None:
    """The package cykooz_resizer, or None if it is missing or cannot read the images of this Pillow."""
    from PIL import Image

    try:
        import cykooz_resizer
    except ImportError:
        return None
    probe = Image.linear_gradient("L").resize((23, 31)).convert("RGB")
    try:
        fast = _resize_fast(cykooz_resizer, probe, (11, 17), "bicubic")
    except Exception:
        # it reads Pillow's memory: what a Pillow of tomorrow makes it raise is not known
        return None
    pairs = zip(fast.tobytes(), _resize_by_pillow(probe, (11, 17), "bicubic").tobytes(), strict=True)
    return cykooz_resizer if all(abs(one - other) <= 1 for one, other in pairs) else None


def _resize_fast(package: ModuleType, image: Image, size: tuple[int, int], filter: Filter) -> Image:
    from PIL import Image

    kernel = package.ResizeAlg.convolution(getattr(package.FilterType, _FAST[filter]))
    resized = Image.new(image.mode, size)
    # a resizer of its own for each call: threads share none
    package.Resizer().resize_pil(image, resized, package.ResizeOptions(resize_alg=kernel))
    return resized


def _resize_by_pillow(image: Image, size: tuple[int, int], filter: Filter) -> Image:
    from PIL.Image import Resampling

    if filter == "any":
        # without a weight for parts of pixels, some columns of text would be sharper than others
        return image.resize(size, Resampling.HAMMING, reducing_gap=1.1)
    kernel = Resampling[filter.upper()]
    return image.resize((image.width, size[1]), kernel).resize(size, kernel)
