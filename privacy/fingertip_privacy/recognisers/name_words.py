"""Words of names: surnames, given names, and words that look like names and are none."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_WORDS: dict[str, str] = tomllib.loads(
    files("fingertip_privacy.recognisers").joinpath("name_words.toml").read_text(encoding="utf-8")
)


def _characters(name: str) -> frozenset[str]:
    return frozenset("".join(_WORDS[name].split()))


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORDS[name].split())


SURNAMES = _characters("surnames")
"""The hundred commonest surnames of China."""

RARE_SURNAMES = _characters("rare_surnames")
"""Rare surnames, and those that are words as well: they count beside a word for people, or on its pages."""

COMPOUND_SURNAMES = tuple(sorted(_words("compound_surnames")))
"""Surnames of two characters."""

NOT_IN_NAMES = _characters("not_in_names")
"""Characters that given names seldom have: a line with one of them is taken for no name."""

NOT_NAMES = _words("not_names")
"""Words that begin with the character of a surname."""

PUBLIC_PEOPLE = _words("public_people")
"""People of public life: singers, actors, writers, sportspeople, founders. Their names are no secret."""

GIVEN_NAMES = _words("given_names")
"""Frequent given names of English-speaking countries, in lower case."""

FAMILY_NAMES = _words("family_names")
"""Frequent family names of English-speaking countries, in lower case."""

GROUP_WORDS = _words("group_words")
"""Last words of the names of groups, which stand on the pages of people, in lower case."""

NO_GIVEN_NAMES = _words("no_given_names")
"""First words behind a word for people that begin no name, in lower case."""
