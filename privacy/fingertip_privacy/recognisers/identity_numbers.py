"""Resident IDs, passports and social security numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.grouped_digits import SEPARATOR
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, before

_PROVINCES = frozenset(
    (
        *range(11, 16),
        *range(21, 24),
        *range(31, 38),
        *range(41, 47),
        *range(50, 55),
        *range(61, 66),
        71,
        81,
        82,
        83,
    )
)
"""First two digits by GB/T 2260, with those of residence permits."""
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
_EDGE = r"(?![0-9A-Za-z])"
_DAY = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_RESIDENT = re.compile(
    r"(?<![0-9A-Za-z])[1-9][0-9]{5} ?(?:18|19|20)[0-9]{2}" + _DAY + r" ?[0-9]{3}[0-9Xx]" + _EDGE
)
_GROUPED = re.compile(r"(?<![0-9A-Za-z])[1-9](?:[ -]?[0-9]){16}[ -]?[0-9Xx]" + _EDGE)
_SEPARATED = re.compile(
    rf"(?<![0-9A-Za-z])[1-9](?:{SEPARATOR}{{0,4}}[0-9]){{16}}{SEPARATOR}{{0,4}}[0-9Xx]" + _EDGE
)
_MASKED = re.compile(r"(?<![0-9A-Za-z])[1-9][0-9]{2,5}[*\u00b7●]{6,12}[0-9]{0,3}[0-9Xx]" + _EDGE)
_OLD = re.compile(r"(?<![0-9A-Za-z])[1-9][0-9]{7}" + _DAY + r"[0-9]{3}" + _EDGE)
_PASSPORT = re.compile(r"(?<![0-9A-Za-z])[A-Z]{1,2}[0-9]{7,9}" + _EDGE)
_PASSPORT_DIGITS = re.compile(
    r"(?:passport|护照)(?: no\.?| number|号码?)?[: #]*([A-Z]{0,2}[0-9]{7,9})" + _EDGE, re.IGNORECASE
)
_SOCIAL = re.compile(
    r"(?<![0-9A-Za-z-])(?!000|666|9)[0-9]{3}([-_./\u00b7 ] {,2})[0-9]{2}\1[0-9]{4}(?![0-9A-Za-z-])"
)
_CONTEXT = re.compile(
    r"身份证|证件|护照|通行证|台胞证|驾驶证|驾照|居住证|driver|passport|\bid\b|identity|ssn|social security"
)


def check_digit(number: str) -> str:
    """Check digit of a resident ID by ISO 7064 MOD 11-2, from its first 17 digits.

    >>> check_digit("11010519491231002")
    'X'
    """
    return _CHECKS[sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, number, strict=False)) % 11]


def find_identity_numbers(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield numbers of identity documents; a wrong check digit lowers the confidence and drops nothing."""
    text = given.text
    for match in _RESIDENT.finditer(text):
        digits = match[0].replace(" ", "").upper()
        right = digits[17] == check_digit(digits)
        known = int(digits[:2]) in _PROVINCES
        rule = f"resident ID, check digit {'right' if right else 'wrong'}"
        yield _span(match, 0.99 if right and known else 0.75 if right or known else 0.55, rule)
    for match in _GROUPED.finditer(text):
        if _RESIDENT.fullmatch(re.sub("[ -]", "", match[0])) and _RESIDENT.fullmatch(match[0]) is None:
            yield _span(match, 0.9, "resident ID in groups")
    for match in _SEPARATED.finditer(text):
        digits = re.sub("[^0-9X]", "", match[0].upper())
        if digits != match[0].upper() and _RESIDENT.fullmatch(digits) and digits[17] == check_digit(digits):
            yield _span(match, 0.98, "resident ID in groups, check digit right")
    for match in _PASSPORT_DIGITS.finditer(text):
        yield _span(match, 0.8, "passport number after a word for documents", group=1)
    for match in _MASKED.finditer(text):
        named = _CONTEXT.search(before(given, match.start()))
        yield _span(match, 0.8 if named else 0.5, "resident ID, partly masked")
    for pattern, rule in ((_OLD, "resident ID of 15 digits"), (_PASSPORT, "passport number")):
        for match in pattern.finditer(text):
            if _CONTEXT.search(before(given, match.start(), 22)):
                yield _span(match, 0.8, f"{rule} after a word for documents")
    for match in _SOCIAL.finditer(text):
        named = _CONTEXT.search(before(given, match.start(), 26))
        yield _span(match, 0.9 if named else 0.6, "social security number")


def _span(match: re.Match[str], confidence: float, rule: str, *, group: int = 0) -> RecognisedSpan:
    start, end = match.span(group)
    return RecognisedSpan(kind=FindKind.RESIDENT_ID, start=start, end=end, confidence=confidence, rule=rule)
