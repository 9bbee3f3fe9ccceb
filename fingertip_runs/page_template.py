"""Templates of pages, with the English and Chinese names of a dataset's apps, places and categories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fingertip_dataset.chinese_names import (
    chinese_app,
    chinese_category,
    chinese_place,
    chinese_word,
    english_word,
)
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
    return load_template(package, name, english=english_group, chinese=chinese_group, base=base)


def english_group(group: str, by: str) -> str:
    """The English name of a group of a grouping, such as "app"; the group itself where none is known.

    >>> english_group("住所", "scenario"), english_group("男", "profile"), english_group("男", "sex")
    ('residence', 'male', '男')
    """
    return _name_group(group, by, (english_app, english_place, english_category, english_word))


def chinese_group(group: str, by: str) -> str:
    """The Chinese name of a group of a grouping; the group itself where none is known.

    >>> chinese_group("residence", "scenario"), chinese_group("com.android.dialer", "app")
    ('住所', '电话')
    """
    return _name_group(group, by, (chinese_app, chinese_place, chinese_category, chinese_word))


def _name_group(group: str, by: str, names: Sequence[Callable[[str], str]]) -> str:
    """The name of a group by the functions for an app, a place, a category and a word of a profile."""
    known = dict(zip(("app", "scenario", "category", "profile"), names, strict=True))
    return known[by](group) if by in known else group
