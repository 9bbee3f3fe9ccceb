"""Chinese names of intent categories, places, apps and words of profiles, for viewers who read Chinese.

Places and words that a release in another language names by the English of the paper get the Chinese of the
published release.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from fingertip_dataset.release.words import SCENARIO_CATEGORIES

FILE = Path(__file__).with_name("chinese_names.toml")


@cache
def _names() -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return names | {"places": {english: chinese for chinese, english in SCENARIO_CATEGORIES.items()}}


def chinese_category(category: str) -> str:
    """The Chinese name of an intent category in English; the category itself where none is known.

    >>> chinese_category("Bank"), chinese_category("Garden")
    ('银行/支付', 'Garden')
    """
    return _names()["categories"].get(category.strip(), category)


def chinese_place(scenario: str) -> str:
    """The Chinese name of a listed place in English; the place as written for any other.

    >>> chinese_place("urban street"), chinese_place("住所")
    ('城市街道', '住所')
    """
    return _names()["places"].get(scenario.strip(), scenario)


def chinese_app(app: str) -> str:
    """The Chinese name of an app by its package, with or without an activity; the package if none is known.

    >>> chinese_app("com.tencent.mm/.Main"), chinese_app("org.unknown")
    ('微信', 'org.unknown')
    """
    return _names()["apps"].get(app.strip().partition("/")[0], app)


def chinese_word(word: str) -> str:
    """The Chinese of an English word of a profile, such as "married"; the word itself where none is known."""
    return _names()["words"].get(word.strip(), word)


def english_word(word: str) -> str:
    """The English of a Chinese word of a profile; the word itself where none is known.

    >>> chinese_word("married"), english_word("已婚"), english_word("江苏省南京市")
    ('已婚', 'married', '江苏省南京市')
    """
    return next((english for english, chinese in _names()["words"].items() if chinese == word.strip()), word)
