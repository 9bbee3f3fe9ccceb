"""Texts of the pages in their templates: in English, with what the switch needs for the other language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from fingertip_pages.message_catalogue import dump_messages, encode_message, format_message, read_messages
from fingertip_pages.sentences import translate, translate_parts

if TYPE_CHECKING:
    from markupsafe import Markup

GroupName = Callable[[str, str], str]
"""Returns the name of a group, by its grouping such as "app", in a language; the group itself if unknown."""

WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")

_CHINESE = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_WORDS = re.compile("[A-Za-z]{2}|[\u3400-\u9fff\uf900-\ufaff]")


def language_of(text: str) -> str:
    """Return the language tag of data: Chinese if the text has a Chinese character.

    >>> language_of("打车去机场"), language_of("call a taxi")
    ('zh-Hans', 'en')
    """
    return "zh-Hans" if _CHINESE.search(text) else "en"


def template_functions(english: GroupName, chinese: GroupName) -> Mapping[str, Callable[..., Markup | str]]:
    """Return the functions of all templates.

    `t(key, **values)` is a text of the catalogue in a span, `tin` the attribute of an element that has
    the text itself (`tt`), `ta(name, ...)` an attribute that is a text. `hint(name, text)` is an attribute
    that is a sentence, `choice(group, by)` the end of an option's tag with the name of a group.
    `messages_of(page, ...)` is the JSON from which the switch takes the texts.
    """
    return {
        "t": _render_span,
        "tt": _format_text,
        "tin": _mark_element,
        "ta": _render_attribute,
        "hint": _render_hint,
        "choice": partial(_render_choice, english_group=english, chinese_group=chinese),
        "messages_of": _dump_messages,
    }


def template_filters(english: GroupName, chinese: GroupName) -> Mapping[str, Callable[..., Markup]]:
    """Return the filters of all templates.

    Args:
        english: Returns the English name of a group of a grouping such as "app".
        chinese: Returns the Chinese name.

    `data` is data in a span with its language, `lang` that attribute alone. `group(by)` is the name of a
    group, as are `app`, `place` and `category`; its name in the page's language follows it, where one is
    known. `moment` is a time with its weekday. `note` is a sentence that commands print, in the page's
    language; `parts` one with data in it.
    """
    group = partial(_render_group, english_group=english, chinese_group=chinese)
    return {
        "data": _render_data,
        "lang": _render_language,
        "moment": _render_moment,
        "group": group,
        "app": partial(group, by="app"),
        "place": partial(group, by="scenario"),
        "category": partial(group, by="category"),
        "note": partial(_render_note, find=translate),
        "parts": partial(_render_note, find=translate_parts),
    }


def _markup(form: str, *values: object) -> Markup:
    """Fill values into markup, each escaped unless it is markup itself."""
    from markupsafe import Markup

    return Markup(form).format(*values)  # noqa: S704 - the form is always one of this file


def _dump_messages(*pages: str) -> Markup:
    from markupsafe import Markup

    return Markup(dump_messages(read_messages(), pages))  # noqa: S704 - JSON without an angle bracket


def _format_text(key: str, **values: object) -> str:
    return format_message(read_messages(), key, values)


def _render_span(key: str, **values: object) -> Markup:
    return _markup('<span data-t="{}">{}</span>', encode_message(key, values), _format_text(key, **values))


def _mark_element(key: str, **values: object) -> Markup:
    return _markup(' data-t="{}"', encode_message(key, values))


def _render_attribute(name: str, key: str, **values: object) -> Markup:
    return _render_switched(name, _format_text(key, **values), encode_message(key, values))


def _render_switched(name: str, text: str, encoded: str) -> Markup:
    return _markup(' {0}="{1}" data-t-{0}="{2}" data-translated', name, text, encoded)


def _render_language(text: object) -> Markup:
    return _markup(' lang="{}"', language_of(str(text)))


def _render_data(text: object) -> Markup:
    return _markup("<span{}>{}</span>", _render_language(text), text)


def _render_group(name: str, by: str, english_group: GroupName, chinese_group: GroupName) -> Markup:
    english, chinese = english_group(name, by), chinese_group(name, by)
    shown = _render_data(name)
    if english != name:
        shown = _markup('{}<span class="only-en" lang="en"> ({})</span>', shown, english)
    if chinese != name:
        shown = _markup('{}<span class="only-zh" lang="zh-Hans">（{}）</span>', shown, chinese)
    return shown


def _render_choice(name: str, by: str, english_group: GroupName, chinese_group: GroupName) -> Markup:
    """Return attribute and text of an option, whose text cannot have parts of two languages."""
    english, chinese = english_group(name, by), chinese_group(name, by)
    if english == chinese == name:
        return _markup("{}>{}", _render_language(name), name)
    shown = english if english == name or language_of(name) != "en" else f"{english} ({name})"
    other = chinese if chinese == name else f"{chinese}（{name}）"
    return _markup(' data-t="{}">{}', _encode_both(shown, other), shown)


def _render_moment(time: datetime, *, dated: bool = True) -> Markup:
    """Render a time with its weekday, and with its date if it is `dated`."""
    day, clock = f"{time:%Y-%m-%d} " if dated else "", f"{time:%H:%M}"
    english = f"{time:%a} {day}{clock}"
    both = _encode_both(english, f"{day}{WEEKDAYS[time.weekday()]} {clock}")
    return _markup('<span data-t="{}">{}</span>', both, english)


def _render_note(text: object, *data: str, find: Callable[..., str | None]) -> Markup:
    words = str(text)
    translated = find(words, *data)
    if translated is not None:
        return _markup('<span data-t="{}">{}</span>', _encode_both(words, translated), words)
    return _render_data(words) if _WORDS.search(words) else _markup("{}", words)


def _render_hint(name: str, text: str, *data: str) -> Markup:
    """Return an attribute that is a sentence or a list of them, of which `data` are parts that are data."""
    translated = translate_parts(text, *data)
    if translated is None:
        return _markup(' {}="{}"', name, text)
    return _render_switched(name, text, _encode_both(text, translated))


def _encode_both(english: str, other: str) -> str:
    return json.dumps({"en": english, "zh": other}, ensure_ascii=False)
