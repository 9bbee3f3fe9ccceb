"""Texts of the pages' interface, in English and Chinese side by side."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "zh")
"""Every text has each of these; `frame.js` switches between them."""

CATALOGUE = Path(__file__).with_name("messages.toml")
"""The texts of all pages but those of the metrics' Spaces."""

Messages = Mapping[str, Mapping[str, str]]
"""Key -> language -> text with `{name}` for each value; `one` is the English text for an `n` of 1."""


@cache
def read_messages(file: Path = CATALOGUE) -> Messages:
    """Read a catalogue: a TOML file with a table for each page, whose keys become `page.key`."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return {f"{name}.{key}": forms for name, table in tables.items() for key, forms in table.items()}


def message(messages: Messages, key: str, values: Mapping[str, object], language: str = "en") -> str:
    """A text with its values, as `frame.js` makes it.

    >>> texts = {"a.steps": {"en": "{n} steps", "one": "{n} step", "zh": "{n} 步"}}
    >>> message(texts, "a.steps", {"n": 1}), message(texts, "a.steps", {"n": "2"}, "zh")
    ('1 step', '2 步')
    """
    forms = messages[key]
    form = (
        forms["one"]
        if language == "en" and "one" in forms and str(values.get("n")) == "1"
        else forms[language]
    )
    for name, value in values.items():
        form = form.replace(f"{{{name}}}", str(value))
    return form


def messages_json(messages: Messages, pages: Iterable[str]) -> str:
    """The texts of some pages as the JSON that stands in a page; it cannot close its script element."""
    names = set(pages)
    chosen = {key: forms for key, forms in messages.items() if key.partition(".")[0] in names}
    return json.dumps(chosen, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def marked(key: str, values: Mapping[str, object]) -> str:
    """The value of a `data-t` attribute, from which `frame.js` makes the text again."""
    if not values:
        return key
    return json.dumps([key, {name: str(value) for name, value in values.items()}], ensure_ascii=False)
