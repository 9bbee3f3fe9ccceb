"""Parts of HTML pages: data URIs, and templates."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fingertip_pages.page_texts import GroupName, template_filters, template_functions

if TYPE_CHECKING:
    from jinja2 import Template

_PICTURES: Mapping[str, bytes] = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff"}


def find_picture_kind(content: bytes) -> str | None:
    """The format of an image file, "png" or "jpeg"; None for anything else."""
    kinds = [kind for kind, start in _PICTURES.items() if content.startswith(start)]
    return kinds[0] if kinds else None


def data_uri(content: bytes, kind: str) -> str:
    """A picture of a kind ("png", "jpeg") as a data URI."""
    return f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"


def load_template(
    package: str, name: str, *, english: GroupName, chinese: GroupName, base: str | None = None
) -> Template:
    """A page's Jinja template; every value is escaped. Its texts are those of `page_texts`.

    Args:
        package: Import name of the template's package.
        name: File name of the template.
        english: Returns the English name of a group of a grouping such as "app".
        chinese: Returns the Chinese name.
        base: Import name of the package of the template that it extends.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loader = ChoiceLoader([PackageLoader(folder, "") for folder in (package, base) if folder is not None])
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.globals.update(template_functions(english, chinese))
    environment.filters.update(template_filters(english, chinese))
    return environment.get_template(name)
