"""English names of intent categories, places and apps, for viewers who do not read the release's language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fingertip_dataset.release.settings import OTHER_PLACE, PUBLISHED, ReleaseSettings

FILE = Path(__file__).with_name("english_names.toml")


@cache
def _names() -> dict[str, dict[str, str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def english_category(category: str, settings: ReleaseSettings = PUBLISHED) -> str:
    """The English name of an intent category; the category itself where none is known.

    Args:
        category: The category, as the tables name it.
        settings: Settings of the release, whose own names take precedence.

    >>> english_category("闹钟/计时"), english_category("其他")
    ('alarm/timer', '其他')
    """
    return _named(category.strip(), settings.categories, _names()["categories"]) or category


def english_place(scenario: str, settings: ReleaseSettings = PUBLISHED) -> str:
    """The English name of a listed place; the place as written for any other.

    >>> english_place("住所"), english_place("快递站")
    ('residence', '快递站')
    """
    category = settings.place_category(scenario)
    return scenario if category == OTHER_PLACE else category


def english_app(app: str, settings: ReleaseSettings = PUBLISHED) -> str:
    """The English name of an app by its package, with or without an activity; the package if none is known.

    >>> english_app("com.tencent.mm"), english_app("com.android.chrome/.Main"), english_app("org.unknown")
    ('WeChat', 'Chrome', 'org.unknown')
    """
    package = app.strip().partition("/")[0]
    return _named(package, settings.apps, _names()["apps"]) or app


def _named(name: str, own: Mapping[str, str], known: Mapping[str, str]) -> str | None:
    return own.get(name) or known.get(name)
