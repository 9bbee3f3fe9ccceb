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

from functools import cache
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING

from fingertip_dataset.pictures import open_screenshot

if TYPE_CHECKING:
    from PIL.Image import Image


def open_resized(picture: bytes, size: tuple[int, int]) -> Image:
    """The pixels of a screenshot, upright, RGB, at a width and height in px.

    Args:
        picture: A PNG, JPEG or WebP file's bytes.
        size: Width and height of the result, px.

    Raises:
        InputError: The file cannot be decoded.
    """
    return resize_screen(open_screenshot(picture), size)


def resize_screen(image: Image, size: tuple[int, int]) -> Image:
    """Scale an image by a bicubic filter.

    Args:
        image: An RGB or a grey image, 8 bits a colour.
        size: Width and height of the result, px.

    Returns:
        A new image; `image` itself if it has that size.
    """
    if image.size == size:
        return image
    resizer = _load_resizer()
    return _resize_by_pillow(image, size) if resizer is None else _resize_fast(resizer, image, size)


def describe_decoder() -> str:
    """Name what decodes and resizes screens, with versions: two machines of one name see the same pixels."""
    from PIL import __version__, features

    jpeg = features.version("libjpeg_turbo")
    library = f"libjpeg-turbo {jpeg}" if jpeg else f"libjpeg {features.version('jpg')}"
    resizer = "pillow" if _load_resizer() is None else f"cykooz-resizer {version('cykooz-resizer')}"
    return f"pillow {__version__}, {library}, resized by {resizer}"


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
        fast = _resize_fast(cykooz_resizer, probe, (11, 17))
    except Exception:
        # it reads Pillow's memory: what a Pillow of tomorrow makes it raise is not known
        return None
    pairs = zip(fast.tobytes(), _resize_by_pillow(probe, (11, 17)).tobytes(), strict=True)
    return cykooz_resizer if all(abs(one - other) <= 1 for one, other in pairs) else None


def _resize_fast(package: ModuleType, image: Image, size: tuple[int, int]) -> Image:
    from PIL import Image

    # Pillow's bicubic filter is the one of Catmull and Rom
    bicubic = package.ResizeAlg.convolution(package.FilterType.catmull_rom)
    resized = Image.new(image.mode, size)
    # a resizer of its own for each call: threads share none
    package.Resizer().resize_pil(image, resized, package.ResizeOptions(resize_alg=bicubic))
    return resized


def _resize_by_pillow(image: Image, size: tuple[int, int]) -> Image:
    from PIL.Image import Resampling

    rows = image.resize((image.width, size[1]), Resampling.BICUBIC)
    return rows.resize(size, Resampling.BICUBIC)
