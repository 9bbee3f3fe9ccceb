"""Attacks: names that look like others, or that hide characters."""

from __future__ import annotations

from board.tests.fingertip_leaderboard.forging import Attack, of_head, set_in_head, together

HIDDEN = {
    "an empty Braille pattern": "Ha\u2800bit",
    "a Hangul filler": "Ha\u3164bit",
    "a half-width Hangul filler": "Ha\uffa0bit",
    "a grapheme joiner": "Ha\u034fbit",
    "a variation selector": "Habit\ufe0f",
    "a supplementary variation selector": "Habit\U000e0100",
    "a Mongolian vowel separator": "Ha\u180ebit",
    "a Khmer inherent vowel": "Ha\u17b4bit",
    "a soft hyphen": "Ha\u00adbit",
    "a musical symbol without ink": "Ha\U0001d159bit",
    "a tag": "Habit\U000e0041",
}
"""Name of an attack -> name of an agent with a character that cannot be seen."""

STYLED = {
    "one full-width letter": "Ｈabit",
    "full-width letters": "Ｈａｂｉｔ",
    "a mathematical letter": "𝐇abit",
    "mathematical letters": "𝓗𝓪𝓫𝓲𝓽",
    "a mathematical digit": "Habit 𝟕B",
    "a double-struck letter": "ℍabit",
    "a circled letter": "Ⓗabit",
    "a Cherokee letter": "Ꮋabit",
    "a Greek letter": "Habιt",
    "a Cyrillic letter": "Нabit",
    "an Armenian letter": "Habiտ",
    "a Coptic letter": "ⲎAbit",
    "a Lisu letter": "ꓧabit",
}
"""Name of an attack -> name of an agent with a letter that looks like another."""


def _named(name: str, value: str, *path: str) -> Attack:
    return of_head(f"{name} in {'.'.join(path)}", "confusable", set_in_head(*path, value=value))


NAMES = together(
    [_named(name, value, "card", "name") for name, value in (HIDDEN | STYLED).items()],
    [
        _named("a Hangul filler", HIDDEN["a Hangul filler"], "card", "model"),
    ],
    [
        _named("a mathematical letter", STYLED["a mathematical letter"], "card", "description"),
    ],
    [
        _named("a full-width letter", STYLED["one full-width letter"], "run", "agent", "name"),
    ],
)
