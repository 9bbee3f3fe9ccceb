"""Redaction of a screenshot's pixels: solid boxes with replacement texts; every other pixel stays.

A JPEG is not compressed again: the blocks of its transform that a box touches are replaced, and the
coefficients of all others are copied, so what was lost before is all that is lost. Outside of these blocks
(up to 16 px beyond a box) pixels are equal, but for the one pixel row and column around them whose colour a
decoder interpolates. EXIF data, thumbnails and comments are left out of a redacted picture.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import InputError, MissingExtraError
from fingertip_dataset.picture_metadata import strip_metadata
from fingertip_dataset.pictures import FAULTS, open_screenshot
from fingertip_dataset.release.screens.images import read_image_header
from fingertip_privacy.redaction.text_look import MARGIN, Edges, Patch, look_of, shows_something, write_text

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image

_JPEG = b"\xff\xd8"


@dataclass(frozen=True, slots=True)
class PatchedPicture:
    """A redacted picture.

    Attributes:
        data: Bytes of the picture, in the format that it had.
        boxes: The boxes that were painted, within the picture.
        reencoded: Whether all pixels were compressed again, because the file is a JPEG of a rare kind.
    """

    data: bytes
    boxes: tuple[Edges, ...]
    reencoded: bool = False


def patch_picture(data: bytes, patches: Sequence[Patch]) -> PatchedPicture:
    """Paint boxes over a JPEG or PNG, and leave out its metadata.

    Args:
        data: Bytes of the picture.
        patches: The boxes; parts outside of the picture are ignored.

    Raises:
        InputError: The picture cannot be read.
        MissingExtraError: jpeglib is not installed.
    """
    return _patch_picture(data, tuple(sorted(set(patches))))


# a screen often comes back within an episode, with the same finds
@lru_cache(maxsize=16)
def _patch_picture(data: bytes, patches: tuple[Patch, ...]) -> PatchedPicture:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
    except (*FAULTS, Image.DecompressionBombError) as error:
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"the picture cannot be read: {reason}") from None
    if not read_image_header(data).is_plain:
        patched = patch_picture(write_upright(data), patches)
        return replace(patched, reencoded=data.startswith(_JPEG))
    wanted = _choose_visible(picture, patches)
    if not wanted:
        return PatchedPicture(strip_metadata(data), ())
    painted = _paint(picture, wanted)
    drawn = tuple(patch.box for patch in wanted)
    if picture.format != "JPEG":
        stream = io.BytesIO()
        painted.save(stream, "PNG", **_png_options(picture))
        return PatchedPicture(strip_metadata(stream.getvalue()), drawn)
    new = _replace_blocks(data, picture, painted, drawn)
    if new is not None:
        return PatchedPicture(strip_metadata(new), drawn)
    stream = io.BytesIO()
    painted.convert("RGB").save(stream, "JPEG", quality=95, subsampling=0)
    return PatchedPicture(stream.getvalue(), drawn, reencoded=True)


def write_upright(data: bytes) -> bytes:
    """Write a picture anew: upright, RGB, 8 bits a colour, in the format that it had.

    Without metadata the stored pixels of a picture with an EXIF orientation would be shown lying.

    Raises:
        InputError: The picture cannot be read.
    """
    stream, picture = io.BytesIO(), open_screenshot(data)
    if data.startswith(_JPEG):
        picture.save(stream, "JPEG", quality=95, subsampling=0)
    else:
        picture.save(stream, "PNG")
    return stream.getvalue()


def _choose_visible(picture: Image.Image, patches: Sequence[Patch]) -> list[Patch]:
    """The patches within the picture, but for those of elements that it does not show."""
    found = []
    for patch in patches:
        left, top, right, bottom = box = _within(patch.box, picture.size)
        if left < right and top < bottom and not (patch.if_shown and not shows_something(picture, box)):
            found.append(replace(patch, box=box))
    return found


def require_jpeglib() -> None:
    """Check that the package for JPEG blocks is installed.

    Raises:
        MissingExtraError: It is not.
    """
    try:
        import jpeglib  # noqa: F401 - whether it can be imported
    except ImportError as error:
        raise MissingExtraError("jpeglib", "privacy") from error


def _within(box: Edges, size: tuple[int, int]) -> Edges:
    left, top, right, bottom = box
    return (
        max(0, left - MARGIN),
        max(0, top - MARGIN),
        min(size[0], right + MARGIN),
        min(size[1], bottom + MARGIN),
    )


def _png_options(picture: Image.Image) -> dict[str, Any]:
    names = ("icc_profile", "transparency", "gamma")
    return {name: picture.info[name] for name in names if name in picture.info}


# ---- painting


def _paint(picture: Image.Image, patches: Sequence[Patch]) -> Image.Image:
    from PIL import Image

    alpha = picture.getchannel("A") if picture.mode in ("RGBA", "LA") else None
    # Pillow would copy the pixels, which nobody else needs
    painted = picture if picture.mode == "RGB" else picture.convert("RGB")
    looks = [look_of(painted, patch.box) for patch in patches]
    # all boxes before all texts, so that no box covers the text of another
    for patch, look in zip(patches, looks, strict=True):
        painted.paste(look.background, patch.box)
    for patch, look in zip(patches, looks, strict=True):
        if patch.text:
            write_text(painted, patch, look)
    if picture.mode == "L" and all(len({*look.background}) == 1 for look in looks):
        return painted.convert("L")
    if alpha is not None:
        for patch in patches:
            alpha.paste(255, patch.box)
        painted = Image.merge("RGBA", (*painted.split(), alpha))
    return painted


# ---- JPEG


def _replace_blocks(
    data: bytes, picture: Image.Image, painted: Image.Image, boxes: Sequence[Edges]
) -> bytes | None:
    """The JPEG with the blocks under the boxes from the painted picture; None for a rare kind of JPEG."""
    from PIL.JpegImagePlugin import get_sampling

    require_jpeglib()
    import jpeglib

    sampling = get_sampling(picture)
    if picture.mode not in ("L", "RGB") or (picture.mode == "RGB" and sampling not in (0, 1, 2)):
        return None
    across, down = ((8, 8), (16, 8), (16, 16))[sampling] if picture.mode == "RGB" else (8, 8)
    with tempfile.TemporaryDirectory(prefix="fingertip-redact-") as folder:
        old, new = Path(folder, "old.jpg"), Path(folder, "new.jpg")
        old.write_bytes(data)
        try:
            whole = jpeglib.read_dct(str(old))
            arrays = _components(whole, picture.mode)
            for box in boxes:
                left, top = box[0] // across * across, box[1] // down * down
                right = min(-(-box[2] // across) * across, picture.width)
                bottom = min(-(-box[3] // down) * down, picture.height)
                part = painted.crop((left, top, right, bottom)).convert(picture.mode)
                part.save(new, "JPEG", qtables=_tables(picture), subsampling=_subsampling(picture))
                pieces = _components(jpeglib.read_dct(str(new)), picture.mode)
                _put(arrays, pieces, left, top, (across, down))
            whole.write_dct(str(new))
        except (OSError, ValueError, RuntimeError, KeyError):
            return None
        return new.read_bytes()


def _tables(picture: Image.Image) -> Any:  # noqa: ANN401 - only a JPEG has the attribute
    return picture.quantization  # type: ignore[attr-defined]


def _subsampling(picture: Image.Image) -> int:
    from PIL.JpegImagePlugin import get_sampling

    return get_sampling(picture) if picture.mode == "RGB" else -1


def _components(jpeg: Any, mode: str) -> list[np.ndarray[Any, Any]]:  # noqa: ANN401 - jpeglib has no types
    return [jpeg.Y] if mode == "L" else [jpeg.Y, jpeg.Cb, jpeg.Cr]


def _put(
    arrays: list[np.ndarray[Any, Any]],
    pieces: list[np.ndarray[Any, Any]],
    left: int,
    top: int,
    unit: tuple[int, int],
) -> None:
    """Copy the blocks of a part of the picture to their places."""
    for number, (array, piece) in enumerate(zip(arrays, pieces, strict=True)):
        # chroma has one block for a unit, luma as many as fit
        step = (8, 8) if number == 0 else unit
        row, column = top // step[1], left // step[0]
        rows = min(piece.shape[0], array.shape[0] - row)
        columns = min(piece.shape[1], array.shape[1] - column)
        array[row : row + rows, column : column + columns] = piece[:rows, :columns]
