"""Ids of accounts, orders and parcels: after a word for them, or in the form of a carrier's numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput

_WORDS = (
    r"微信号?|wechat(?: id)?|QQ号?|支付宝账?号?|抖音号|快手号|小红书号|B站号|微博|账号|帐号|账户名|账户|"
    r"用户名|会员号|会员卡号|"
    r"用户ID|UID|用户编号|客户号|客户编号|学号|工号|户号|订单编号|订单号|运单号|快递单号|物流单号|单号|流水号|交易单号|交易号|商户单号|"
    r"username|user name|user id|user no|account (?:number|no|name|id)|account|order (?:number|no|id)|order|"
    r"booking (?:reference|number|code)|confirmation (?:number|no)|reservation (?:number|code)|"
    r"record locator|PNR|"
    r"tracking (?:number|no|id)|tracking|member (?:number|no|id)|customer (?:number|no|id)"
)
_NAMED = re.compile(
    rf"(?:^|[^A-Za-z])(?:{_WORDS})(?:是|为|\.|:| |#)*(@?[A-Za-z0-9][A-Za-z0-9_.-]{{3,38}}[A-Za-z0-9])"
    r"(?![A-Za-z0-9@])",
    re.IGNORECASE,
)
_LABEL = re.compile(rf"(?:{_WORDS}) ?:? ?", re.IGNORECASE)
_TOKEN = re.compile(r"@?[A-Za-z0-9][A-Za-z0-9_.-]{3,38}[A-Za-z0-9]")
_CARRIER = re.compile(
    r"(?<![0-9A-Za-z])(?:(?:SF|YT|JD|ZTO|STO|JT|DPK|EMS|YD)[A-Z]{0,2}[0-9]{10,15}|[A-Z]{2}[0-9]{9}[A-Z]{2}|1Z[0-9A-Z]{16})"
    r"(?![0-9A-Za-z])"
)
_OWN_FORM = re.compile(r"(?<![0-9A-Za-z])(?:wxid_[A-Za-z0-9]{6,20}|id_[0-9]{5,12})(?![0-9A-Za-z])")


def find_account_ids(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield ids; a word after a word for accounts counts only if it has a digit or an underscore."""
    text = given.text
    for match in _NAMED.finditer(text):
        if _like_an_id(match[1]):
            yield _span(match.start(1), match.end(1), 0.85, "id after a word for accounts")
    if given.label and _LABEL.fullmatch(given.label) and _TOKEN.fullmatch(text) and _like_an_id(text):
        yield _span(0, len(text), 0.85, "id beside a label for accounts")
    for match in _CARRIER.finditer(text):
        yield _span(match.start(), match.end(), 0.85, "number of a parcel")
    for match in _OWN_FORM.finditer(text):
        yield _span(match.start(), match.end(), 0.85, "id of an account")


def _like_an_id(token: str) -> bool:
    return any(sign.isdecimal() or sign == "_" for sign in token)


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.ACCOUNT, start=start, end=end, confidence=confidence, rule=rule)
