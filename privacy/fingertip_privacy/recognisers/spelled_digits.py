"""Digits that are written as words, in Chinese or English, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_dataset.folded_text import FoldedText

_HAN = {
    "〇零○洞": "0", "一壹弌幺": "1", "二贰貳弍两": "2", "三叁參弎": "3", "四肆": "4", "五伍": "5",
    "六陆陸": "6", "七柒拐": "7", "八捌": "8", "九玖勾": "9",
}  # fmt: skip
HAN_VALUES = {sign: digit for signs, digit in _HAN.items() for sign in signs}
"""Chinese digit, also of amounts and as it is said on the phone -> its digit."""
_HAN_DIGITS = "".join(HAN_VALUES)
_ENGLISH = {
    "zero": "0", "oh": "0", "o": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9",
}  # fmt: skip
_TIMES = {"double": 2, "triple": 3}
_LEAST = 6
"""Least digits of a run: three or four in a row are also words, such as 三三两两."""

_HAN_RUN = re.compile(
    rf"[{_HAN_DIGITS}](?:[ ,，、.·-]{{0,2}}[{_HAN_DIGITS}]){{{_LEAST - 1},}}"
    rf"|(?=[0-9]*(?:[{_HAN_DIGITS}]+[0-9]+){{2}})[0-9{_HAN_DIGITS}]{{7,}}"
)
"""Chinese digits alone, or a mixture in which they stand between others: a last 一 may belong to a word."""
_WORD = rf"(?:(?:{'|'.join(_TIMES)})[ -])?(?:{'|'.join(_ENGLISH)}|[0-9])"
_ENGLISH_RUN = re.compile(
    rf"(?<![A-Za-z0-9]){_WORD}(?:[ ,.-]{{1,3}}{_WORD}){{{_LEAST - 3},}}(?![A-Za-z0-9])", re.IGNORECASE
)
_UNIT = re.compile(rf"(?:({'|'.join(_TIMES)})[ -])?([A-Za-z]+|[0-9])", re.IGNORECASE)


def read_spelled_digits(folded: FoldedText) -> FoldedText:
    """Write digits in place of runs of words for digits; a text without any stays.

    Args:
        folded: A folded text.

    >>> read_spelled_digits(FoldedText("电话幺三八一二三四五六七八")).text
    '电话13812345678'
    >>> read_spelled_digits(FoldedText("one three eight, one two three four, double five seven eight")).text
    '13812345578'
    """
    pieces: list[tuple[str, int, int]] = []
    at = 0
    for start, end, digits in _find_runs(folded.text):
        pieces += ((sign, place, place + 1) for place, sign in enumerate(folded.text[at:start], at))
        pieces += digits
        at = end
    if not at:
        return folded
    pieces += ((sign, place, place + 1) for place, sign in enumerate(folded.text[at:], at))
    spans = [folded.find_span(start, end) for _, start, end in pieces]
    return FoldedText(
        "".join(sign for sign, _, _ in pieces), [start for start, _ in spans], [end for _, end in spans]
    )


def _find_runs(text: str) -> Iterator[tuple[int, int, list[tuple[str, int, int]]]]:
    """Yield start and end of each run, and its digits with their places."""
    runs = [(match, _read_han) for match in _HAN_RUN.finditer(text)]
    runs += [(match, _read_english) for match in _ENGLISH_RUN.finditer(text)]
    end = 0
    for match, read in sorted(runs, key=lambda run: run[0].start()):
        digits = read(match)
        if match.start() >= end and any(text[start:stop] != sign for sign, start, stop in digits):
            end = match.end()
            yield match.start(), end, digits


def _read_han(match: re.Match[str]) -> list[tuple[str, int, int]]:
    return [
        (HAN_VALUES.get(sign, sign), at, at + 1)
        for at, sign in enumerate(match[0], match.start())
        if sign in HAN_VALUES or sign.isdecimal()
    ]


def _read_english(match: re.Match[str]) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    for unit in _UNIT.finditer(match.string, match.start(), match.end()):
        digit = _ENGLISH.get(unit[2].lower(), unit[2])
        found += [(digit, *unit.span())] * _TIMES.get((unit[1] or "").lower(), 1)
    return found
