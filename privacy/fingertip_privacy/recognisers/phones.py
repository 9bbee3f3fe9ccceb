"""Phone numbers: mobile numbers and landlines of China, partly masked ones, and those of other countries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.grouped_digits import DigitGroups, find_digit_groups
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, before

_BEFORE, _AFTER = r"(?<![0-9A-Za-z*.])", r"(?![0-9A-Za-z*])"
_DIGITS_OF_MOBILE = (
    r"(?:1[3-9][0-9][- ]?[0-9]{4}[- ]?[0-9]{4}|1[3-9][0-9]\.[0-9]{4}\.[0-9]{4}|1[3-9][0-9]{3}[- ][0-9]{6}"
    r"|1[3-9][0-9][- ][0-9]{3}[- ][0-9]{5}|1[3-9][0-9]{2}[- ][0-9]{3}[- ][0-9]{4})"
)
"""3-4-4 digits, also as people group them by hand."""
_MOBILE = re.compile(_BEFORE + r"(?:(?:\+|00)?86[- ]?)?" + _DIGITS_OF_MOBILE + _AFTER)
_BEHIND_LETTERS = re.compile(r"(?<=[A-Za-z])(?<![0-9A-Za-z]{12})1[3-9][0-9]{9}" + _AFTER)
_MASKED = re.compile(_BEFORE + r"1[3-9][0-9][- ]?[*\u00b7●xX]{4}[- ]?[0-9]{4}" + _AFTER)
_SIGN = r"[-. _/\u00b7]"
_LANDLINE = re.compile(
    rf"{_BEFORE}(?:\(0[0-9]{{2,3}}\) ?|0[0-9]{{2,3}}{_SIGN})[2-9][0-9]{{2,3}}{_SIGN}?[0-9]{{4}}"
    rf"(?:-[0-9]{{1,6}})?{_AFTER}"
)
_AMERICAN = re.compile(
    rf"(?<![0-9A-Za-z.])(?:(?:\+|00)?1{_SIGN}?)?(?:\([2-9][0-9]{{2}}\) {{0,2}}|[2-9][0-9]{{2}}{_SIGN} ?)"
    rf"[2-9][0-9]{{2}}{_SIGN} ?[0-9]{{4}}{_AFTER}"
)
_ELEVEN = re.compile(r"(?:0086|86|0)?(1[3-9][0-9]{9})")
_LENGTHS = frozenset({11, 12, 13, 15})
"""Digits of a mobile number, with 0, 86 or 0086 before it."""
_GROUPINGS = frozenset(
    {(3, 4, 4), (3, 3, 5), (3, 8), (7, 4), (4, 3, 4), (4, 4, 3), (5, 6), (5, 3, 3), (2, 3, 3, 3)}
    | {(3, 2, 3, 3), (3, 2, 2, 2, 2), (3, 4, 2, 2), (3, 2, 2, 4), (1, 10), (1, 2, 4, 4), (3, 5, 3)}
)
"""Sizes of groups that people write, apart from digits one by one."""
_BARE_LANDLINE = re.compile(_BEFORE + r"0(?:10|2[0-9]|[3-9][0-9]{2})[2-9][0-9]{6,7}" + _AFTER)
_LOCAL = re.compile(_BEFORE + r"[2-9][0-9]{6,7}" + _AFTER)
_CALLED = re.compile(r"座机|固话|电话|致电|拨打|\btel\b|phone|\bcall\b")
_TOLL_FREE = re.compile(r"(?:\+?1[-. ]?)?\(?(?:400|800|833|844|855|866|877|888)")
"""Numbers of companies, not of people."""
_PLAIN_TEN = re.compile(_BEFORE + r"[2-9][0-9]{9}" + _AFTER)
_CONTEXT = re.compile(r"电话|手机|联系方式|致电|拨打|来电|号码|phone|mobile|\btel\b|\bcall\b|contact")
_INTERNATIONAL = re.compile(r"\+[1-9]")


def find_phones(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield phone numbers."""
    text = given.text
    for pattern, confidence, rule in (
        (_MOBILE, 0.95, "mobile number of China"),
        (_MASKED, 0.7, "mobile number of China, partly masked"),
        (_BEHIND_LETTERS, 0.6, "mobile number of China behind letters"),
        (_LANDLINE, 0.85, "landline of China"),
        (_AMERICAN, 0.85, "number in groups of 3, 3 and 4 digits"),
    ):
        for match in pattern.finditer(text):
            if pattern is not _AMERICAN or not _TOLL_FREE.match(match[0]):
                yield _span(match.start(), match.end(), confidence, rule)
    yield from _of_groups(given, text)
    yield from _of_words(given, text)
    for match in _PLAIN_TEN.finditer(text):
        if _CONTEXT.search(before(given, match.start())):
            yield _span(match.start(), match.end(), 0.75, "ten digits after a word for phones")
    if _INTERNATIONAL.search(text):
        yield from _international(text)


def _of_groups(given: TextInput, text: str) -> Iterator[RecognisedSpan]:
    """Mobile numbers of China in groups of any size, with any sign between them."""
    for part in find_digit_groups(text, _LENGTHS):
        number = _ELEVEN.fullmatch(part.digits)
        if number is None or part.is_list or not _may_be_grouped(part, len(part.digits) - 11):
            continue
        start = part.start - (text[part.start - 1 : part.start] == "+")
        pairs = max(part.sizes) == 2 and "-" not in text[part.start : part.end]
        named = not pairs or _CONTEXT.search(before(given, start))
        # two digits a group are also a row of small numbers
        yield _span(start, part.end, 0.85 if named else 0.4, "mobile number of China, in groups")


def _may_be_grouped(part: DigitGroups, ahead: int) -> bool:
    """Whether people write a mobile number so.

    Args:
        part: The number.
        ahead: Digits of the country's code before it.
    """
    sizes = list(part.sizes)
    if ahead == 1 and sizes[0] == 1 and not part.one_by_one:
        # the 0 of a number stands with it
        return False
    if ahead and sizes[0] == ahead:
        sizes = sizes[1:]
    elif ahead:
        sizes[0] -= ahead
    # 1-800-555-0199 is American
    loose = part.loose and sizes[0] > 1
    return part.one_by_one or loose or len(sizes) == 1 or tuple(sizes) in _GROUPINGS


def _of_words(given: TextInput, text: str) -> Iterator[RecognisedSpan]:
    """Landlines without separators, surely only after a word for calls."""
    for match in _BARE_LANDLINE.finditer(text):
        named = _CALLED.search(before(given, match.start()))
        yield _span(
            match.start(), match.end(), 0.85 if named else 0.55, "landline of China, without separators"
        )
    for match in _LOCAL.finditer(text):
        if _CALLED.search(before(given, match.start(), 8)):
            yield _span(match.start(), match.end(), 0.7, "seven or eight digits after a word for calls")


def _international(text: str) -> Iterator[RecognisedSpan]:
    """Numbers with a country code, by the tables of phonenumbers."""
    from phonenumbers import Leniency, PhoneNumberMatcher

    for found in PhoneNumberMatcher(text, "CN", leniency=Leniency.POSSIBLE):
        if found.raw_string.startswith("+"):
            yield _span(found.start, found.end, 0.9, "number with a country code (phonenumbers)")


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.PHONE, start=start, end=end, confidence=confidence, rule=rule)
