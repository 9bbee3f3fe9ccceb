"""Parts of HTML pages: thumbnails, data URIs, and templates."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from fingertip_pages.page_texts import GroupName, template_filters, template_functions

if TYPE_CHECKING:
    from jinja2 import Template

_PICTURES: Mapping[str, bytes] = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff"}


def make_thumbnail(picture: bytes, width: int) -> str | None:
    """A screen scaled to a width (px), as a data URI; None if its pixels cannot be decoded."""
    small = scale_picture(picture, width, kind="jpeg", quality=70)
    return data_uri(small, "jpeg") if small else None


def scale_picture(picture: bytes, width: int, *, kind: Literal["jpeg", "webp"], quality: int) -> bytes | None:
    """A screen scaled to a width (px), as a file's bytes; None if its pixels cannot be decoded."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(picture)) as image:
            height = max(1, round(image.height * width / image.width))
            small = image.convert("RGB").resize((width, height), Image.Resampling.BOX, reducing_gap=2)
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    stream = io.BytesIO()
    small.save(stream, kind, quality=quality)
    return stream.getvalue()


def find_picture_kind(content: bytes) -> str | None:
    """The format of an image file, "png" or "jpeg"; None for anything else."""
    kinds = [kind for kind, start in _PICTURES.items() if content.startswith(start)]
    return kinds[0] if kinds else None


def data_uri(content: bytes, kind: str) -> str:
    """A picture of a kind ("png", "jpeg") as a data URI."""
    return f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"


def load_template(package: str, name: str, *, english: GroupName, base: str | None = None) -> Template:
    """A page's Jinja template; every value is escaped. Its texts are those of `page_texts`.

    Args:
        package: Import name of the template's package.
        name: File name of the template.
        english: Returns the English name of a group of a grouping such as "app".
        base: Import name of the package of the template that it extends.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loader = ChoiceLoader([PackageLoader(folder, "") for folder in (package, base) if folder is not None])
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.globals.update(template_functions(english))
    environment.filters.update(template_filters(english))
    return environment.get_template(name)
