"""The language of a phone: Chinese, or a catalogue in `languages/` (docs/developers/add-a-language.md).

Every text stands in the code in Chinese and is its own key: `_("闹钟")`. A catalogue, `languages/en.po`, has
the text in another language; Chinese needs none, and one more language is one more file.

There are two kinds of modules with texts:

- Apps, builders and voice input are *executed once for each language*: data, goals and rules are those of an
  app in that language. Such a module begins with `_ = messages(__name__)` and imports others of its kind
  relatively (`from .data import ...`, `from ...builders import forms`): it gets those of its own language.
- All others (bars, keyboard, system pages) exist once. They import `gettext as _` and call it inside
  functions; it follows the phone that is at work. A table of such a module holds `later("静音")`.

A text with values is a template, `_("{hour}时").format(hour=hour)`; an f-string cannot be translated. A text
that has other words for one thing than for several is `_n("{count}首", count)`, where
`_n = counted_messages(__name__)`: its entry in the catalogue has a form for each (gettext's plural forms).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, partial
from gettext import c2py
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Protocol

from simulated_phone.phone_errors import PhoneNameError

CHINESE = "zh"
"""The language of the texts in the code."""
FOLDER = Path(__file__).parent
_PREFIX = "in_"
_SPOKEN = ContextVar("spoken", default=CHINESE)


class Translate(Protocol):
    """The function `_`: a Chinese text, and a context where one is needed, to the text in a language."""

    def __call__(self, text: str, context: str = "", /) -> str:
        """The text in the language."""


class TranslateCounted(Protocol):
    """The function `_n`: a Chinese text and a number to the text in a language that goes with the number."""

    def __call__(self, text: str, number: int, /) -> str:
        """The text in the language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Catalogue:
    """The texts of a language.

    Attributes:
        tag: The language tag, "en-US".
        texts: Context and Chinese text -> text.
        counted: Chinese text -> its plural forms.
        form: The index of a number's plural form.
    """

    tag: str
    texts: Mapping[tuple[str, str], str] = field(default_factory=lambda: MappingProxyType({}))
    counted: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    form: Callable[[int], int] = int


def languages() -> tuple[str, ...]:
    """The languages of phones: Chinese, and those with a catalogue.

    >>> languages()
    ('zh', 'en')
    """
    return (CHINESE, *sorted(path.stem for path in FOLDER.glob("*.po")))


def check_language(locale: str) -> str:
    """Return the language's name if a phone speaks it.

    Raises:
        PhoneNameError: There is none.
    """
    if locale not in languages():
        names = languages()
        raise PhoneNameError(
            f"no phone speaks {locale!r}; there are {', '.join(names)}", name=locale, names=names
        )
    return locale


@lru_cache(maxsize=8)
def _load_catalogue(locale: str) -> _Catalogue:
    if locale == CHINESE:
        return _Catalogue(tag="zh-CN")
    # only phones in other languages need it
    from babel.messages.pofile import read_po

    with (FOLDER / f"{check_language(locale)}.po").open("rb") as file:
        catalogue = read_po(file)
    texts: dict[tuple[str, str], str] = {}
    counted: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        if message.pluralizable:
            counted[str(message.id[0])] = tuple(message.string or ())
        elif message.id and message.string:
            texts[str(message.context or ""), str(message.id)] = str(message.string)
    return _Catalogue(
        tag=str(catalogue.locale_identifier).replace("_", "-"),
        texts=MappingProxyType(texts),
        counted=MappingProxyType(counted),
        form=c2py(catalogue.plural_expr),
    )


def tag(locale: str) -> str:
    """The language tag of the system: "zh-CN", "en-US"."""
    return _load_catalogue(locale).tag


def translate(locale: str, text: str, context: str = "") -> str:
    """The Chinese text in a language; the text itself where the catalogue lacks it.

    Args:
        locale: The language.
        text: The Chinese text.
        context: Tells apart what is one word in Chinese: "said" is a pattern that phrases are searched for,
            "switch" the state of a switch.
    """
    return _load_catalogue(locale).texts.get((context, text), text)


def translate_count(locale: str, text: str, number: int) -> str:
    """The Chinese text in a language, in the plural form of a number.

    >>> translate_count("en", "{count}首", 1), translate_count("en", "{count}首", 2)
    ('{count} song', '{count} songs')
    """
    catalogue = _load_catalogue(locale)
    forms = catalogue.counted.get(text)
    return forms[catalogue.form(number)] if forms and all(forms) else text


def find_locale(module: str) -> str:
    """The language of a module that is executed once for each, by its name.

    >>> find_locale("simulated_phone.apps.clock"), find_locale("simulated_phone.in_en.apps.clock")
    ('zh', 'en')
    """
    found = [part for part in module.split(".") if part.startswith(_PREFIX)]
    return found[0].removeprefix(_PREFIX) if found else CHINESE


def messages(module: str) -> Translate:
    """The function `_` of a module that is executed once for each language.

    Args:
        module: The module's `__name__`.
    """
    return partial(translate, find_locale(module))


def counted_messages(module: str) -> TranslateCounted:
    """The function `_n` of a module that is executed once for each language.

    Args:
        module: The module's `__name__`.
    """
    return partial(translate_count, find_locale(module))


def gettext(text: str, context: str = "") -> str:
    """The Chinese text in the language of the phone that is at work; arguments as of `translate`."""
    return translate(_SPOKEN.get(), text, context)


def ngettext(text: str, number: int) -> str:
    """The Chinese text in the language of the phone that is at work, in the plural form of a number."""
    return translate_count(_SPOKEN.get(), text, number)


def spoken() -> str:
    """The language of the phone that is at work."""
    return _SPOKEN.get()


@contextmanager
def speak_language(locale: str) -> Iterator[None]:
    """Within this context, `gettext` gives that language."""
    before = _SPOKEN.set(locale)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def import_module_in(locale: str, package: str, name: str) -> ModuleType:
    """A module as it is executed in a language, in the package `PACKAGE.in_LOCALE` of the same files.

    Args:
        locale: The language.
        package: An imported package, "simulated_phone".
        name: The module's name in it, "apps.clock".

    Raises:
        PhoneSetupError: there is no such language.
    """
    if check_language(locale) == CHINESE:
        return import_module(f"{package}.{name}")
    copy = f"{package}.{_PREFIX}{locale}"
    if copy not in sys.modules:
        twin = ModuleType(copy, f"The modules of {package} in the language {locale}.")
        twin.__path__ = list(sys.modules[package].__path__)
        sys.modules[copy] = twin
    return import_module(f"{copy}.{name}")


def later(text: str) -> str:
    """The text itself, marked for the catalogues: `gettext` translates it where it is used."""
    return text
