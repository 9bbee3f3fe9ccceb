"""The pinyin keyboard at work: letters are composed above its keys until a candidate or they are committed.

What is composed stands with the page whose field is typed into, `entry["typing"]`, and goes with the
keyboard. A phone on which nothing is composed has the state of one without such a keyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from simulated_phone.language.language import CHINESE
from simulated_phone.machine.faults import PINYIN_KEYBOARD
from simulated_phone.machine.state import PINYIN_IME
from simulated_phone.touch.pinyin import MOST_LETTERS, SEPARATOR, Typing, candidates

if TYPE_CHECKING:
    from simulated_phone.machine.machine import Machine

_FULL_WIDTH: Mapping[str, str] = MappingProxyType(
    {",": "，", ".": "。", "?": "？", "!": "！", ":": "：", ";": "；"}
)
"""Punctuation -> what it is in Chinese mode."""


def find_typing(phone: Machine, entry: Mapping[str, Any]) -> Typing | None:
    """Composed text of a page with its candidates; None if the phone has no pinyin keyboard or no Chinese."""
    if phone.current_ime != PINYIN_IME or phone.locale != CHINESE:
        return None
    latin = bool(phone.data.get("latin", False))
    record = entry.get("typing")
    if record is None or latin or record["field"] != entry["focus"]:
        return Typing(latin=latin)
    return Typing(latin=latin, letters=record["letters"], page=record["page"])


def takes_keys(phone: Machine) -> bool:
    """Whether a hardware keyboard's characters are composed rather than typed, as `input text` sends them.

    They are while something is composed, and always on a phone with the fault `pinyin_keyboard`.
    """
    shown = phone.shown()
    found = find_typing(phone, shown.entry)
    if found is None or found.latin or shown.focus is None or shown.focus.password:
        return False
    return bool(found.letters) or PINYIN_KEYBOARD in phone.faults


def drop(phone: Machine) -> None:
    """Forget what is composed."""
    phone.shown().entry.pop("typing", None)


def _typing(phone: Machine) -> Typing:
    return find_typing(phone, phone.shown().entry) or Typing(latin=True)


def _keep(phone: Machine, letters: str, page: int = 0) -> None:
    shown = phone.shown()
    shown.entry.pop("typing", None)
    if letters and shown.entry["focus"] is not None:
        shown.entry["typing"] = {"field": shown.entry["focus"], "letters": letters, "page": page}


def type_character(phone: Machine, character: str) -> None:
    """A key with a character: composed if it is a letter, a choice if it is a digit or the space."""
    found, focus = _typing(phone), phone.shown().focus
    if found.latin or focus is None or focus.password:
        phone.edit(lambda text: text + character)
    elif character.isascii() and (character.isalpha() or (found.letters and character == SEPARATOR)):
        _keep(phone, (found.letters + character)[:MOST_LETTERS])
    elif found.letters and character in "123456789":
        choose(phone, found.first + int(character) - 1)
    elif found.letters and character == " ":
        choose(phone, found.first)
    else:
        _commit_all(phone)
        # a point within a number stays one
        plain = character == "." and (phone.shown().focus or focus).text[-1:].isdigit()
        phone.edit(lambda text: text + (character if plain else _FULL_WIDTH.get(character, character)))


def choose(phone: Machine, index: int) -> None:
    """Commit a candidate; letters that it does not take stay composed."""
    letters = _typing(phone).letters
    found = candidates(letters) if letters else ()
    if index < len(found):
        _keep(phone, letters[found[index].length :])
        phone.edit(lambda text: text + found[index].text)


def _commit_all(phone: Machine) -> None:
    while _typing(phone).letters:
        choose(phone, 0)


def turn(phone: Machine, pages: int) -> None:
    """Show the next or the previous candidates."""
    found = _typing(phone)
    if found.letters and not (pages > 0 and found.last_page):
        _keep(phone, found.letters, max(0, found.page + pages))


def delete(phone: Machine) -> None:
    """The backspace key: the last composed letter, else the last character of the field."""
    letters = _typing(phone).letters
    if letters:
        _keep(phone, letters[:-1])
    else:
        phone.edit(lambda text: text[:-1])


def enter(phone: Machine) -> None:
    """The Enter key: commits the letters as they are, else does what the field's Enter key does."""
    if not _commit_letters(phone):
        phone.enter()


def switch_mode(phone: Machine) -> None:
    """Change between Chinese and English; composed letters are committed as they are."""
    _commit_letters(phone)
    if not phone.data.pop("latin", False):
        phone.data["latin"] = True


def _commit_letters(phone: Machine) -> bool:
    letters = _typing(phone).letters
    if letters:
        _keep(phone, "")
        phone.edit(lambda text: text + letters.replace(SEPARATOR, ""))
    return bool(letters)


ACTIONS: Mapping[str, Callable[..., None]] = MappingProxyType(
    {
        "android.candidate": choose,
        "android.candidates": turn,
        "android.delete_key": delete,
        "android.enter_key": enter,
        "android.mode_key": switch_mode,
    }
)
"""Name of a keyboard's action -> its implementation."""
