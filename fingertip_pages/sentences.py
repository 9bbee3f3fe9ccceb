"""Chinese of the sentences that commands print in English and pages show: notes, caveats, titles, conditions.

A sentence is known by its English, as it is with gettext, so its author needs no second text, and it may come
from a verification that was made long ago. sentences.toml has the pairs, in the form of all
catalogues; a text that is in none of them, such as a submitter's words, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from fingertip_pages.message_catalogue import SENTENCES, read_messages

_PLACEHOLDER = re.compile(r"\{(\w+)(?::(n|t|p))?\}")
"""A value: `{name}` stands for any words, `{name:n}` for a number, `{name:t}` for words that are in the
catalogue themselves, `{name:p}` for a list of which some parts may be."""

_NUMBER = r"[+\u2212-]?[\d,]*\d(?:\.\d+)?"
_SEPARATORS: Mapping[str, str] = {"; ": "；", ", ": "、", " and ": "和"}
"""What joins the parts of a list."""

_WORD = re.compile("[A-Za-z]{2}")
_RUNS = re.compile(r"(?P<note>.+) \((?P<runs>[^()]+)\)\.", re.DOTALL)
_PLAIN_RUNS = re.compile(r"(?P<note>.+) \((?P<runs>[^()\s]+(?:, [^()\s]+)*)\)\.", re.DOTALL)
"""Runs whose names have no spaces: parentheses with several words are rather the end of the note."""


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
    """Return English -> Chinese, with placeholders."""
    return {forms["en"]: forms["zh"] for forms in read_messages(SENTENCES).values()}


@cache
def _compile_pairs() -> tuple[SentencePair, ...]:
    found = [
        _compile_pair(english, chinese) for english, chinese in read_sentences().items() if "{" in english
    ]
    return tuple(sorted(found, key=lambda pair: -pair.fixed))


def _compile_pair(english: str, chinese: str) -> SentencePair:
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
def translate(text: str) -> str | None:
    """Return the Chinese of a text; None if the catalogue does not have all of it.

    >>> translate("split train: the paper's is test_suggestion")
    '数据划分 train：论文用的是 test_suggestion'
    >>> translate("My agent. It is fast.") is None
    True
    """
    if not _WORD.search(text):
        return None
    found = None
    if text.endswith("."):
        sentence = _add_stop(_translate_sentence(text[:-1]))
        found = _translate_note_of_runs(text, _PLAIN_RUNS) or sentence or _translate_note_of_runs(text, _RUNS)
    return found or _translate_sentence(text) or _translate_list(text)


def translate_parts(text: str, *data: str) -> str | None:
    """Return the Chinese of a list of which some parts may be data, as in a title; None if no part is known.

    Args:
        text: The list.
        data: Parts that are data even if the catalogue has such words.

    >>> translate_parts("Simulated phones, people, 1 screen", "people")
    '模拟手机、people、1 张截图'
    """
    whole = None if any(data) else translate(text)
    if whole is not None:
        return whole
    parts = text.split(", ")
    found = [None if part in data else translate(part) for part in parts]
    if not any(found):
        return None
    return "、".join(new or old for new, old in zip(found, parts, strict=True))


def _translate_sentence(text: str) -> str | None:
    exact = read_sentences().get(text)
    if exact is not None:
        return exact
    for pair in _compile_pairs():
        found = pair.english.fullmatch(text)
        if found is not None and (values := _translate_values(pair, found.groupdict())) is not None:
            return _PLACEHOLDER.sub(lambda name: values[name[1]], pair.chinese)
    return None


def _translate_values(pair: SentencePair, found: Mapping[str, str]) -> Mapping[str, str] | None:
    values = {
        name: translate_parts(value) if name in pair.lists else translate(value)
        for name, value in found.items()
    }
    if any(values[name] is None for name in pair.known if _WORD.search(found[name])):
        return None
    return {name: value or found[name] for name, value in values.items()}


def _translate_list(text: str) -> str | None:
    """A list whose parts are all known."""
    for sign, joint in _SEPARATORS.items():
        if sign in text:
            found = [translate(part) for part in text.split(sign)]
            if all(found):
                return joint.join(filter(None, found))
    return None


def _translate_note_of_runs(text: str, form: re.Pattern[str]) -> str | None:
    """A note with the names of its runs behind it."""
    found = form.fullmatch(text)
    note = found and _translate_sentence(found["note"])
    return f"{note}（{found['runs']}）。" if found and note else None


def _add_stop(text: str | None) -> str | None:
    return text and f"{text}。"
