"""Verification codes, pick-up codes, passwords and PINs: only where a word beside them says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, before

_CODE = re.compile(
    r"(?<![0-9A-Za-z.¥$￥-])(?:[A-Z]-)?(?:[0-9]{4,8}|[0-9]{3}[- ][0-9]{3}|[0-9]{2}-[0-9]{2}-[0-9]{2})"
    r"(?![0-9A-Za-z%]|\.[0-9])"
)
_PICK_UP = re.compile(r"(?<![0-9A-Za-z-])[0-9A-Z]{1,3}-[0-9]{1,3}-[0-9]{3,5}(?![0-9A-Za-z-])")
_PICKED_UP = re.compile(r"(?:取件码|提货码|取餐码|取票码)(?:为|是|: ?|:| )*([A-Z][0-9]{2,6})(?![0-9A-Za-z-])")
_PASSWORD = re.compile(
    r"(?:密码|口令|password|passcode)(?:为|是|: ?|:| is | )(?!的|请|错|不|已|须|必)"
    r"(?!(?:required|incorrect|wrong|changed|reset|must|should|invalid|expired|forgotten|protected|strength|hint|"
    r"show|hide|optional|manager|settings?|is|not|and|or|has|for|to|too)\b)"
    r"([A-Za-z0-9@#$%^&*_.!-]{4,32})",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"验证码|校验码|动态码|动态密码|确认码|登录码|授权码|激活码|邀请码|密码|口令|取件码|提货码|取餐码|取票码|"
    r"verif(?:y|ication)|security code|passcode|one[- ]time|\botp\b|\bpin\b|pick-?up code|"
    r"confirmation code|log-?in code|sign-?in code|access code|code is|code:"
)
_TAKEN = re.compile(r"取件码|提货码|取餐码|取票码|快递柜|pick-?up")
_AFTER = 36
"""Characters behind a code in which the word may stand: `483920（登录验证码`."""


def find_secret_codes(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield codes with a word for codes shortly before or behind them."""
    text = given.text
    for match in _CODE.finditer(text):
        if _WORD.search(before(given, match.start(), 20)):
            yield _span(match.start(), match.end(), 0.92, "number after a word for codes")
        elif _WORD.search(text[match.end() : match.end() + _AFTER].lower()):
            yield _span(match.start(), match.end(), 0.85, "number before a word for codes")
    for match in _PICK_UP.finditer(text):
        named = _TAKEN.search(before(given, match.start(), 20))
        yield _span(match.start(), match.end(), 0.92 if named else 0.4, "pick-up code")
    for match in _PICKED_UP.finditer(text):
        yield _span(match.start(1), match.end(1), 0.92, "letter and number after a word for codes")
    for match in _PASSWORD.finditer(text):
        yield _span(match.start(1), match.end(1), 0.93, "text after a word for passwords")


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.CODE, start=start, end=end, confidence=confidence, rule=rule)
