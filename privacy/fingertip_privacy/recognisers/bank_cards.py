"""Numbers of bank cards: of 13 to 19 digits, and the last four of a card that is named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.grouped_digits import DigitGroups, find_digit_groups
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, before

_LEAST, _MOST = 13, 19
_DIGITS = re.compile(r"(?<![0-9A-Za-z.*])[1-9][0-9]{3}(?:[ -]?[0-9]){9,15}(?![0-9A-Za-z*])")
_GROUPS = re.compile(r"[0-9]{4}(?:([ -])[0-9]{4})(?:\1[0-9]{1,4}){1,3}|[0-9]{4}[ -][0-9]{6}[ -][0-9]{4,5}")
_OTHER_GROUPS = frozenset({(4, 6, 4), (4, 6, 5), (6, 10), (6, 13), (4, 4, 8), (8, 8)})
_LENGTHS = frozenset(range(_LEAST, _MOST + 1))
_MASKED = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9]{4}[ -]?)?(?:[*\u00b7●]{2,4}[ -]?){1,3}[0-9]{3,4}(?![0-9A-Za-z*])"
)
_TAIL = re.compile(
    r"(?:(?:尾号|尾数|末四位|ending(?: in| with)?|last four)(?:为|是|:| )*"
    r"|(?:储蓄卡|信用卡|借记卡|银行卡|银行) ?\()"
    r"([0-9]{4})(?![0-9])",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"卡号|银行卡|储蓄卡|信用卡|借记卡|工资|打到|打款|汇到|收款|银联|"
    r"card|visa|mastercard|amex|unionpay|iban|account number"
)
_OTHER = re.compile(r"订单|单号|编号|流水|交易号|order|tracking|serial|imei|isbn|条码|条形码|barcode")


def luhn(digits: str) -> bool:
    """Whether the last digit is right by ISO/IEC 7812.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def find_bank_cards(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield card numbers; without groups of four and a word for cards the check digit must be right."""
    text = given.text
    for match in _DIGITS.finditer(text):
        digits = re.sub("[ -]", "", match[0])
        if not _LEAST <= len(digits) <= _MOST:
            continue
        words = before(given, match.start())
        named, right = bool(_CONTEXT.search(words)), luhn(digits)
        if len(digits) == _LEAST and digits[0] != "4" and not named:
            # the number of a product; cards of so few digits begin with 4
            continue
        grouped = _GROUPS.fullmatch(match[0]) is not None
        confidence = _confidence(named=named, right=right, grouped=grouped, other=bool(_OTHER.search(words)))
        if confidence:
            rule = f"card number, check digit {'right' if right else 'wrong'}"
            yield _span(match.start(), match.end(), confidence, rule)
    yield from _of_groups(given, text)
    for match in _TAIL.finditer(text):
        yield _span(match.start(1), match.end(1), 0.6, "last digits of a card")
    for match in _MASKED.finditer(text):
        if _CONTEXT.search(before(given, match.start())):
            yield _span(match.start(), match.end(), 0.65, "card number, partly masked")


def _of_groups(given: TextInput, text: str) -> Iterator[RecognisedSpan]:
    """Card numbers in groups, with any sign between them."""
    for part in find_digit_groups(text, _LENGTHS):
        words = before(given, part.start)
        named, right = bool(_CONTEXT.search(words)), luhn(part.digits)
        if part.digits[0] == "0" or part.is_list or not (named or (right and _is_grouped(part))):
            continue
        if len(part.digits) == _LEAST and part.digits[0] != "4" and not named:
            continue
        confidence = _confidence(named=named, right=right, grouped=True, other=bool(_OTHER.search(words)))
        rule = f"card number in groups, check digit {'right' if right else 'wrong'}"
        yield _span(part.start, part.end, confidence, rule)


def _is_grouped(part: DigitGroups) -> bool:
    """Whether a card number is written so: in fours, digit by digit, or as American Express and others."""
    fours = {*part.sizes[:-1]} == {4} and part.sizes[-1] <= 4
    return fours or part.one_by_one or part.sizes in _OTHER_GROUPS


def _confidence(*, named: bool, right: bool, grouped: bool, other: bool) -> float:
    if named:
        return 0.97 if right else 0.65
    if other:
        return 0.3 if right else 0.0
    if right:
        return 0.92 if grouped else 0.85
    return 0.55 if grouped else 0.0


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.BANK_CARD, start=start, end=end, confidence=confidence, rule=rule)
