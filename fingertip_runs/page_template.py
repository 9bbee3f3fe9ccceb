"""Templates of pages, with the English names of a dataset's apps, places and categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.english_names import english_app, english_category, english_place
from fingertip_pages.page_parts import load_template

if TYPE_CHECKING:
    from jinja2 import Template


def page_template(package: str, name: str, *, base: str | None = None) -> Template:
    """Return a page's Jinja template; every value is escaped.

    Args:
        package: Import name of the template's package.
        name: File name of the template.
        base: Import name of the package of the template that it extends.
    """
    return load_template(package, name, english=english_group, base=base)


def english_group(group: str, by: str) -> str:
    """The English name of a group of a grouping, such as "app"; the group itself where none is known.

    >>> english_group("住所", "scenario"), english_group("男", "sex")
    ('residence', '男')
    """
    known = {"app": english_app, "scenario": english_place, "category": english_category}
    return known[by](group) if by in known else group
