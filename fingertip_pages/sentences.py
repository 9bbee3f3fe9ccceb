"""Chinese of the sentences that commands print in English and pages show: notes, caveats, titles, conditions.

A sentence is known by its English, as it is with gettext, so its author needs no second text, and it may come
from a verification that was made long ago. sentences.toml has the pairs; a text that is in none of them, such
as a submitter's words, stays as it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

CATALOGUE = Path(__file__).with_name("sentences.toml")
"""English -> Chinese. `{name}` stands for any words, `{name:n}` for a number, `{name:t}` for words that are
in the catalogue themselves, `{name:p}` for a list of which some parts may be."""

_PLACEHOLDER = re.compile(r"\{(\w+)(?::(n|t|p))?\}")
_NUMBER = r"[+\u2212-]?[\d,]*\d(?:\.\d+)?"
_SEPARATORS: Mapping[str, str] = {"; ": "；", ", ": "、", " and ": "和"}
"""What joins the parts of a list."""

_WORD = re.compile("[A-Za-z]{2}")
_RUNS = re.compile(r"(?P<note>.+) \((?P<runs>[^()]+)\)\.", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePair:
    """A sentence in both languages.

    Attributes:
        english: Matches the whole English text, with a group for each value.
        chinese: The Chinese text, with `{name}` for each value.
        known: Names of values that must be in the catalogue themselves.
        lists: Names of values of which some parts may be.
        fixed: Number of characters that are no value: the more of them match, the better.
    """

    english: re.Pattern[str]
    chinese: str
    known: frozenset[str]
    lists: frozenset[str]
    fixed: int


@cache
def read_sentences() -> Mapping[str, str]:
    """English -> Chinese, with placeholders."""
    tables = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return {english: chinese for table in tables.values() for english, chinese in table.items()}


@cache
def _pairs() -> tuple[SentencePair, ...]:
    found = [_pair(english, chinese) for english, chinese in read_sentences().items() if "{" in english]
    return tuple(sorted(found, key=lambda pair: -pair.fixed))


def _pair(english: str, chinese: str) -> SentencePair:
    parts, end = [], 0
    kinds: dict[str, set[str]] = {"t": set(), "p": set()}
    for found in _PLACEHOLDER.finditer(english):
        name, kind = found.groups()
        value = _NUMBER if kind == "n" else ".+?"
        parts += [re.escape(english[end : found.start()]), f"(?P<{name}>{value})"]
        end = found.end()
        if kind in kinds:
            kinds[kind].add(name)
    pattern = "".join([*parts, re.escape(english[end:])])
    return SentencePair(
        english=re.compile(pattern, re.DOTALL),
        chinese=chinese,
        known=frozenset(kinds["t"]),
        lists=frozenset(kinds["p"]),
        fixed=len(_PLACEHOLDER.sub("", english)),
    )


@lru_cache(maxsize=4096)
def chinese(text: str) -> str | None:
    """The Chinese of a text; None if the catalogue does not have all of it.

    >>> chinese("split train: the paper's is test_suggestion")
    '数据划分 train：论文用的是 test_suggestion'
    >>> chinese("My agent. It is fast.") is None
    True
    """
    if not _WORD.search(text):
        return None
    found = None
    if text.endswith("."):
        found = _of_runs(text) or _with_stop(_sentence(text[:-1]))
    return found or _sentence(text) or _list(text)


def chinese_parts(text: str, *data: str) -> str | None:
    """The Chinese of a list of which some parts may be data, as in a title; None if it has none of them.

    Args:
        text: The list.
        data: Parts that are data even if the catalogue has such words.

    >>> chinese_parts("Simulated phones, people, 1 screen", "people")
    '模拟手机、people、1 张截图'
    """
    whole = None if any(data) else chinese(text)
    if whole is not None:
        return whole
    parts = text.split(", ")
    found = [None if part in data else chinese(part) for part in parts]
    if not any(found):
        return None
    return "、".join(new or old for new, old in zip(found, parts, strict=True))


def _sentence(text: str) -> str | None:
    exact = read_sentences().get(text)
    if exact is not None:
        return exact
    for pair in _pairs():
        found = pair.english.fullmatch(text)
        if found is not None and (values := _values(pair, found.groupdict())) is not None:
            return _PLACEHOLDER.sub(lambda name: values[name[1]], pair.chinese)
    return None


def _values(pair: SentencePair, found: Mapping[str, str]) -> Mapping[str, str] | None:
    values = {
        name: chinese_parts(value) if name in pair.lists else chinese(value) for name, value in found.items()
    }
    if any(values[name] is None for name in pair.known if _WORD.search(found[name])):
        return None
    return {name: value or found[name] for name, value in values.items()}


def _list(text: str) -> str | None:
    """A list whose parts are all known."""
    for sign, joint in _SEPARATORS.items():
        if sign in text:
            found = [chinese(part) for part in text.split(sign)]
            if all(found):
                return joint.join(filter(None, found))
    return None


def _of_runs(text: str) -> str | None:
    """A note with the names of its runs behind it."""
    found = _RUNS.fullmatch(text)
    note = found and _sentence(found["note"])
    return f"{note}（{found['runs']}）。" if found and note else None


def _with_stop(text: str | None) -> str | None:
    return text and f"{text}。"
