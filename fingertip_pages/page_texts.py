"""Texts of the pages in their templates: in English, with what the switch needs for the other language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from fingertip_pages.message_catalogue import marked, message, messages_json, read_messages
from fingertip_pages.sentences import chinese, chinese_parts

if TYPE_CHECKING:
    from markupsafe import Markup

GroupName = Callable[[str, str], str]
"""Returns the English name of a group of a grouping such as "app"; the group itself if none is known."""

_CHINESE = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_WORDS = re.compile("[A-Za-z]{2}|[\u3400-\u9fff\uf900-\ufaff]")


def language_of(text: str) -> str:
    """The language tag of data: Chinese if the text has a Chinese character.

    >>> language_of("打车去机场"), language_of("call a taxi")
    ('zh-Hans', 'en')
    """
    return "zh-Hans" if _CHINESE.search(text) else "en"


def template_functions(english: GroupName) -> Mapping[str, Callable[..., Markup | str]]:
    """Functions of all templates.

    `t(key, **values)` is a text of the catalogue in a span, `tin` the attribute of an element that has
    the text itself (`tt`), `ta(name, ...)` an attribute that is a text. `hint(name, text)` is an attribute
    that is a sentence, `choice(group, by)` the end of an option's tag with the name of a group.
    `messages_of(page, ...)` is the JSON from which the switch takes the texts.
    """
    return {
        "t": _span,
        "tt": _text,
        "tin": _within,
        "ta": _attribute,
        "hint": _hint,
        "choice": partial(_choice, english_group=english),
        "messages_of": _messages,
    }


def template_filters(english: GroupName) -> Mapping[str, Callable[..., Markup]]:
    """Filters of all templates.

    Args:
        english: Returns the English name of a group of a grouping such as "app".

    `data` is data in a span with its language, `lang` that attribute alone. `group(by)` is the name of a
    group, as are `app`, `place` and `category`; in English the English name stands beside, where one is
    known. `note` is a sentence that commands print, in the page's language; `parts` one with data in it.
    """
    return {
        "data": _data_span,
        "lang": _lang,
        "group": partial(_group, english_group=english),
        "app": partial(_group, by="app", english_group=english),
        "place": partial(_group, by="scenario", english_group=english),
        "category": partial(_group, by="category", english_group=english),
        "note": partial(_note, find=chinese),
        "parts": partial(_note, find=chinese_parts),
    }


def _messages(*pages: str) -> Markup:
    from markupsafe import Markup

    return Markup(messages_json(read_messages(), pages))  # noqa: S704 - JSON without an angle bracket


def _text(key: str, **values: object) -> str:
    return message(read_messages(), key, values)


def _span(key: str, **values: object) -> Markup:
    from markupsafe import Markup

    return Markup('<span data-t="{}">{}</span>').format(marked(key, values), _text(key, **values))


def _within(key: str, **values: object) -> Markup:
    from markupsafe import Markup

    return Markup(' data-t="{}"').format(marked(key, values))


def _attribute(name: str, key: str, **values: object) -> Markup:
    from markupsafe import Markup

    return Markup(' {0}="{1}" data-t-{0}="{2}" data-translated').format(
        name, _text(key, **values), marked(key, values)
    )


def _lang(text: object) -> Markup:
    from markupsafe import Markup

    return Markup(' lang="{}"').format(language_of(str(text)))


def _data_span(text: object) -> Markup:
    from markupsafe import Markup

    return Markup('<span lang="{}">{}</span>').format(language_of(str(text)), text)


def _group(name: str, by: str, english_group: GroupName) -> Markup:
    from markupsafe import Markup

    english = english_group(name, by)
    if english == name:
        return _data_span(name)
    return Markup('{} <span class="only-en" lang="en">({})</span>').format(_data_span(name), english)


def _choice(name: str, by: str, english_group: GroupName) -> Markup:
    """The attribute and text of an option, which has no parts that could have a language each."""
    from markupsafe import Markup

    english = english_group(name, by)
    if english == name:
        return Markup("{}>{}").format(_lang(name), name)
    shown = english if language_of(name) != "en" else f"{english} ({name})"
    return Markup(' data-t="{}">{}').format(_both(shown, name), shown)


def _note(text: object, *data: str, find: Callable[..., str | None]) -> Markup:
    from markupsafe import Markup

    words = str(text)
    translated = find(words, *data)
    if translated is None:
        return _data_span(words) if _WORDS.search(words) else Markup.escape(words)
    return Markup('<span data-t="{}">{}</span>').format(_both(words, translated), words)


def _hint(name: str, text: str, *data: str) -> Markup:
    """An attribute that is a sentence or a list of them, of which `data` are parts that are data."""
    from markupsafe import Markup

    translated = chinese_parts(text, *data)
    if translated is None:
        return Markup(' {}="{}"').format(name, text)
    return Markup(' {0}="{1}" data-t-{0}="{2}" data-translated').format(name, text, _both(text, translated))


def _both(english: str, other: str) -> str:
    return json.dumps({"en": english, "zh": other}, ensure_ascii=False)
