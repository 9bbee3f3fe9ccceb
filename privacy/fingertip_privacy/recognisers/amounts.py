"""Amounts that a person sent, received or has: prices are not private, so a word or the app must say so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, before

_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,2})?|[0-9]{1,9}(?:\.[0-9]{1,2})?"
_AMOUNT = re.compile(
    rf"(?<![0-9A-Za-z.])[+-]?(?P<sign>[¥￥$€£]|RMB|CNY|USD)? ?(?P<number>{_NUMBER})(?![0-9]|\.[0-9])"
    r"(?! ?[%％]) ?(?P<unit>元|块钱|块|万元|yuan|dollars)?",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"转账|转给|转出|转入|红包|收款|收到|到账|入账|余额|存款|工资|薪|奖金|支出|收入|借给|借了|还款|欠|汇款|提现|充值|代付|"
    r"应还|账单|理财|balance|transfer|sent|received|paid|payment|owe|salary|deposit|withdr|payroll"
)
_CENTS = re.compile(r"\.[0-9]{2}$")
_DUE = re.compile(r"还款|余额|到账|转账|应还|欠款")
_OFFERED = re.compile(r"最高|最多|可得|up to|as much as")
"""Words of an advertisement: nobody has got that much."""
_RANGE = re.compile(r"[-~–—至](?=[0-9¥￥$]|\Z)")
_NEAR = re.compile(r"转账|红包|收款|到账|已收|给你|transferred|sent you|received")
_BANKS = re.compile(
    r"bank|alipay|wallet|\bpay\b|\.pay|yinhang|zhifu|unionpay|cmb|icbc|ccb|abchina", re.IGNORECASE
)


def find_amounts(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield amounts after a word for transfers and accounts, and those in the apps of banks."""
    text = given.text
    bank = bool(_BANKS.search(given.package))
    for match in _AMOUNT.finditer(text):
        cents = _CENTS.search(match["number"])
        if not (
            match["sign"]
            or match["unit"]
            or (cents and (bank or _DUE.search(before(given, match.start(), 8))))
        ):
            continue
        if _RANGE.match(text, match.end()) or _RANGE.search(text, max(0, match.start() - 2), match.start()):
            # wages of an advertisement, prices from and to
            continue
        start, end = match.span("number")
        words = before(given, match.start(), 16)
        if _WORD.search(words) and not _OFFERED.search(words):
            yield _span(start, end, 0.85, "amount after a word for transfers")
        elif _NEAR.search(text[match.end() : match.end() + 8].lower()):
            yield _span(start, end, 0.75, "amount before a word for transfers")
        elif bank and (cents or match["sign"]):
            # round amounts with a unit alone are choices, such as those of a top-up
            yield _span(start, end, 0.7, "amount in the app of a bank")


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.AMOUNT, start=start, end=end, confidence=confidence, rule=rule)
