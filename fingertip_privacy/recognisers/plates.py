"""Licence plates: of China by their form, of other countries after a word for plates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, before, half_width

_CHINESE = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][A-Z][ ·•・.\-]?"
    r"[A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳](?![A-Za-z0-9])"
)
_OTHER = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Z0-9 -]{0,8}[0-9])[A-Z0-9]{1,4}(?:[ -]?[A-Z0-9]{2,5}){1,2}(?![A-Za-z0-9])"
)
_CONTEXT = re.compile(r"车牌|plate|license no|licence no|registration")


def find_plates(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield licence plates."""
    text = half_width(given.text)
    for match in _CHINESE.finditer(text):
        if any(sign.isdecimal() for sign in match[0]):
            yield _span(match, 0.95, "licence plate of China")
    for match in _OTHER.finditer(text):
        if _CONTEXT.search(before(given, match.start())):
            yield _span(match, 0.75, "token after a word for plates")


def _span(match: re.Match[str], confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(
        kind=FindKind.PLATE, start=match.start(), end=match.end(), confidence=confidence, rule=rule
    )
