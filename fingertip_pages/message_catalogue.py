"""Texts in English and Chinese side by side: of the pages' interface, and of printed sentences."""

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

SENTENCES = Path(__file__).with_name("sentences.toml")
"""The sentences that commands print in English and pages show: each key is the English text itself."""

Messages = Mapping[str, Mapping[str, str]]
"""Key -> language -> text with `{name}` for each value; `one` is the English text for an `n` of 1."""


@cache
def read_messages(file: Path = CATALOGUE) -> Messages:
    """Read a catalogue: a TOML file with a table for each page, whose keys become `page.key`.

    A key without an English text is that text.
    """
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        f"{name}.{key}": {"en": key, **forms}
        for name, table in tables.items()
        for key, forms in table.items()
    }


def format_message(messages: Messages, key: str, values: Mapping[str, object], language: str = "en") -> str:
    """Return a text with its values filled in, as `frame.js` does it.

    >>> texts = {"a.steps": {"en": "{n} steps", "one": "{n} step", "zh": "{n} 步"}}
    >>> format_message(texts, "a.steps", {"n": 1}), format_message(texts, "a.steps", {"n": "2"}, "zh")
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


def dump_messages(messages: Messages, pages: Iterable[str]) -> str:
    """Return the texts of some pages as JSON that cannot close the script element it stands in."""
    names = set(pages)
    chosen = {key: forms for key, forms in messages.items() if key.partition(".")[0] in names}
    return json.dumps(chosen, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def encode_message(key: str, values: Mapping[str, object]) -> str:
    """Return the value of a `data-t` attribute, from which `frame.js` makes the text again."""
    if not values:
        return key
    return json.dumps([key, {name: str(value) for name, value in values.items()}], ensure_ascii=False)
