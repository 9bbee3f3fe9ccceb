"""Licence plates: of China by their form, of other countries after a word for plates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput

_CHINESE = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][A-Z][ ·•・.\-]?"
    r"[A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳](?![A-Za-z0-9])"
)
_LOWER = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][a-z][ ·•・.\-]?(?=[a-z]{0,2}[0-9]{3})"
    r"[a-hj-np-z0-9]{5,6}(?![A-Za-z0-9])"
)
_NAMED = re.compile(
    r"(?:车牌号?码?|licen[sc]e plate|plate|licen[sc]e no|registration)(?: number| no)?(?:是|为|\.|:| |#)*"
    r"((?-i:[A-Z0-9]{1,7}(?:[ •·-][A-Z0-9]{1,7}){0,2}))(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[A-Z0-9]{1,7}(?:[ •·-][A-Z0-9]{1,7}){0,2}")
_LABEL = re.compile(r"(?:车牌号?码?|(?:licen[sc]e )?plate(?: number)?):?", re.IGNORECASE)


def find_plates(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield licence plates."""
    text = given.text
    for match in _CHINESE.finditer(text):
        if _has_digit(match[0]):
            yield _span(match.start(), match.end(), 0.95, "licence plate of China")
    for match in _LOWER.finditer(text):
        yield _span(match.start(), match.end(), 0.7, "licence plate of China, in small letters")
    for match in _NAMED.finditer(text):
        if _has_digit(match[1]):
            yield _span(match.start(1), match.end(1), 0.8, "token after a word for plates")
    if _LABEL.fullmatch(given.label) and _TOKEN.fullmatch(text) and _has_digit(text):
        yield _span(0, len(text), 0.8, "token beside a label for plates")


def _has_digit(text: str) -> bool:
    return any(sign.isdecimal() for sign in text)


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.PLATE, start=start, end=end, confidence=confidence, rule=rule)
