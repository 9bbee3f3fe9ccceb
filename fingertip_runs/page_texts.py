"""Texts of the pages in their templates: in English, with what the switch needs for the other language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

    from simulated_phone.page_base.message_catalogue import Messages

CATALOGUE = Path(__file__).with_name("messages.toml")
"""The texts of every page of these packages but the frame's own, which are with the frame."""

_CHINESE = re.compile("[\u3400-\u9fff\uf900-\ufaff]")


@cache
def page_messages() -> Messages:
    """All texts: the frame's and the pages'."""
    from simulated_phone.page_base.message_catalogue import OWN, read_messages

    return {**read_messages(OWN), **read_messages(CATALOGUE)}


def language_of(text: str) -> str:
    """The language tag of data: Chinese if the text has a Chinese character.

    >>> language_of("打车去机场"), language_of("call a taxi")
    ('zh-Hans', 'en')
    """
    return "zh-Hans" if _CHINESE.search(text) else "en"


def template_functions() -> Mapping[str, Callable[..., Markup | str]]:
    """Functions of all templates.

    `t(key, **values)` is a text of the catalogue in a span, `tin` the attribute of an element that has
    the text itself (`tt`), `ta(name, ...)` an attribute that is a text. `messages_of(page, ...)` is the JSON
    from which the switch takes the texts.
    """
    return {"t": _span, "tt": _text, "tin": _within, "ta": _attribute, "messages_of": _messages}


def template_filters() -> Mapping[str, Callable[..., Markup]]:
    """Filters of all templates.

    `data` is data in a span with its language, `lang` that attribute alone; `app`, `place` and `category`
    have the English name beside, where one is known.
    """
    return {"data": _data_span, "lang": _lang, "app": _app, "place": _place, "category": _category}


def _messages(*pages: str) -> Markup:
    from markupsafe import Markup

    from simulated_phone.page_base.message_catalogue import messages_json

    return Markup(messages_json(page_messages(), pages))  # noqa: S704 - JSON without an angle bracket


def _text(key: str, **values: object) -> str:
    from simulated_phone.page_base.message_catalogue import message

    return message(page_messages(), key, values)


def _span(key: str, **values: object) -> Markup:
    from markupsafe import Markup

    from simulated_phone.page_base.message_catalogue import marked

    return Markup('<span data-t="{}">{}</span>').format(marked(key, values), _text(key, **values))


def _within(key: str, **values: object) -> Markup:
    from markupsafe import Markup

    from simulated_phone.page_base.message_catalogue import marked

    return Markup(' data-t="{}"').format(marked(key, values))


def _attribute(name: str, key: str, **values: object) -> Markup:
    from markupsafe import Markup

    from simulated_phone.page_base.message_catalogue import marked

    return Markup(' {0}="{1}" data-t-{0}="{2}" data-translated').format(
        name, _text(key, **values), marked(key, values)
    )


def _lang(text: object) -> Markup:
    from markupsafe import Markup

    return Markup(' lang="{}"').format(language_of(str(text)))


def _data_span(text: object) -> Markup:
    from markupsafe import Markup

    return Markup('<span lang="{}">{}</span>').format(language_of(str(text)), text)


def _app(app: str) -> Markup:
    """An app's package with its English name, where one is known."""
    from fingertip_dataset.english_names import english_app

    return _with_english(app, english_app(app))


def _place(scenario: str) -> Markup:
    from fingertip_dataset.english_names import english_place

    return _with_english(scenario, english_place(scenario))


def _category(category: str) -> Markup:
    from fingertip_dataset.english_names import english_category

    return _with_english(category, english_category(category))


def _with_english(name: str, english: str) -> Markup:
    from markupsafe import Markup

    if english == name:
        return _data_span(name)
    return Markup('{} <span lang="en">({})</span>').format(_data_span(name), english)
