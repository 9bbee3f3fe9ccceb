"""Templates of pages, with the English and Chinese names of a dataset's apps, places and categories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    known: Mapping[str, Callable[[str], str]] = {
        "app": english_app,
        "scenario": english_place,
        "category": english_category,
        "profile": english_word,
    }
    return known[by](group) if by in known else group


def chinese_group(group: str, by: str) -> str:
    """The Chinese name of a group of a grouping; the group itself where none is known.

    >>> chinese_group("residence", "scenario"), chinese_group("com.android.dialer", "app")
    ('住所', '电话')
    """
    known: Mapping[str, Callable[[str], str]] = {
        "app": chinese_app,
        "scenario": chinese_place,
        "category": chinese_category,
        "profile": chinese_word,
    }
    return known[by](group) if by in known else group
