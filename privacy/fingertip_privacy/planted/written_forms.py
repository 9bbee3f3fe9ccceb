"""Forms in which people, programs and screen readers write a number or a mailbox."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_HAN, _FORMAL, _SPOKEN = "〇一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖", "洞幺两三四五六拐八勾"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenForm:
    """A form of a number.

    Attributes:
        name: The form in words.
        write: Writes the digits of a number so; None for a number that is not written in this form.
    """

    name: str
    write: Callable[[str], str | None]


def _group(number: str) -> list[str]:
    """The groups that are usual: 3-4-4 for a mobile number, 6-8-4 for a resident ID, fours for a card."""
    sizes = {11: (3, 4, 4), 18: (6, 8, 4)}.get(len(number)) or (4,) * -(-len(number) // 4)
    groups, at = [], 0
    for size in sizes:
        groups.append(number[at : at + size])
        at += size
    return groups


def _join(sign: str) -> Callable[[str], str | None]:
    return lambda number: sign.join(_group(number))


def _replace(digits: Sequence[str]) -> Callable[[str], str | None]:
    """Writes with other digits; a number that ends with a letter is not written so."""
    return lambda number: "".join(digits[int(one)] for one in number) if number.isdecimal() else None


def _script(zero: str) -> Callable[[str], str | None]:
    return _replace([chr(ord(zero) + value) for value in range(10)])


def _in_words(number: str) -> str | None:
    return " ".join(_WORDS[int(one)] for one in number) if number.isdecimal() else None


def _of_phone(sizes: Sequence[int], sign: str = " ") -> Callable[[str], str | None]:
    def write(number: str) -> str | None:
        if len(number) != sum(sizes):
            return None
        ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
        return sign.join(number[end - size : end] for size, end in zip(sizes, ends, strict=True))

    return write


_SIGNS = {
    "blank": " ", "two blanks": "  ", "hyphen": "-", "no-break space": "\u00a0", "narrow space": "\u202f",
    "thin space": "\u2009", "ideographic space": "\u3000", "no-break hyphen": "\u2011", "en dash": "\u2013",
    "em dash": "\u2014", "minus": "\u2212", "middle dot": "\u00b7", "katakana dot": "\u30fb", "point": ".",
    "slash": "/", "fraction slash": "\u2044", "underscore": "_", "tilde": "~", "bar": "|", "colon": ":",
    "full-width comma": "\uff0c", "listing comma": "\u3001", "full stop": "\u3002", "equals": "=",
    "apostrophe": "'", "line break": "\n", "hyphen in blanks": " - ", "zero-width space": "\u200b",
    "soft hyphen": "\u00ad", "word joiner": "\u2060", "combining joiner": "\u034f", "left-to-right": "\u200e",
}  # fmt: skip
_SCRIPTS = {
    "full-width": "０", "Arabic": "٠", "Persian": "۰", "Devanagari": "०", "Thai": "๐", "bold": "𝟎",
    "monospace": "𝟶",
}  # fmt: skip

FORMS: tuple[WrittenForm, ...] = (
    WrittenForm(name="plain", write=lambda number: number),
    *(WrittenForm(name=name, write=_join(sign)) for name, sign in _SIGNS.items()),
    *(WrittenForm(name=f"{name} digits", write=_script(zero)) for name, zero in _SCRIPTS.items()),
    WrittenForm(name="keycaps", write=_replace([f"{value}\ufe0f\u20e3" for value in range(10)])),
    WrittenForm(name="circled digits", write=_replace("⓪①②③④⑤⑥⑦⑧⑨")),
    WrittenForm(name="superscripts", write=_replace("⁰¹²³⁴⁵⁶⁷⁸⁹")),
    WrittenForm(name="Chinese digits", write=_replace(_HAN)),
    WrittenForm(name="Chinese digits of amounts", write=_replace(_FORMAL)),
    WrittenForm(name="Chinese digits as said on the phone", write=_replace(_SPOKEN)),
    WrittenForm(name="English words", write=_in_words),
    WrittenForm(name="digit by digit", write=lambda number: " ".join(number)),
    WrittenForm(name="digit by digit with hyphens", write=lambda number: "-".join(number)),
    WrittenForm(name="2-3-3-3", write=_of_phone((2, 3, 3, 3))),
    WrittenForm(name="3-3-5", write=_of_phone((3, 3, 5))),
    WrittenForm(name="4-3-4", write=_of_phone((4, 3, 4), "-")),
    WrittenForm(name="3-2-2-2-2", write=_of_phone((3, 2, 2, 2, 2))),
    WrittenForm(
        name="first group in brackets",
        write=lambda number: f"({number[:3]}) {number[3:7]}-{number[7:]}" if len(number) == 11 else None,
    ),
)


def write_mailbox_forms(name: str, host: str, end: str) -> list[str]:
    """Write the mailbox NAME@HOST.END in each of its forms."""
    plain = f"{name}@{host}.{end}"
    wide = "".join(chr(ord(sign) + 0xFEE0) for sign in plain)
    return [
        plain, plain.upper(), wide, f"{name}＠{host}．{end}", f"{name} @ {host}.{end}",
        f"{name}@{host}。{end}", f"{name}\u200b@{host}.{end}", f"{name}@{host[:2]}\u00ad{host[2:]}.{end}",
        f"{name}@{host}\u2060.{end}",
        f"{name}[at]{host}[dot]{end}", f"{name} (at) {host} (dot) {end}", f"{name}(at){host}.{end}",
        f"{name} at {host} dot {end}", f"{name}@{host}[.]{end}", f"{name} AT {host} DOT {end}",
        f"{name}{{at}}{host}.{end}", f"{name}<at>{host}<dot>{end}",
    ]  # fmt: skip
