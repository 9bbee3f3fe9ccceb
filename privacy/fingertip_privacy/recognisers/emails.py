"""E-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?"
_HAN_LABEL = r"[\u4e00-\u9fffA-Za-z0-9-]{1,30}?"
_HAN_ENDS = (
    "中国|公司|网络|网址|网店|网站|在线|集团|商城|商店|移动|政务|公益|香港|台湾|新加坡|我爱你|中文网|手机|时尚|企业|"
    "机构|世界|信息"
)
"""Domains of the first level that are written in Chinese, of those that IANA lists."""
_LOCAL = r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9_%+-])?"
_POINT = r"[.。]"
_OPEN, _CLOSE = r" {0,2}[\[({<*_] {0,2}", r" {0,2}[\])}>*_] {0,2}"
_BRACKETED_AT = rf"{_OPEN}(?:at|a|@|艾特|圈a){_CLOSE}"
_SAID_AT = rf"(?:{_BRACKETED_AT}| ?@ ?| (?:at|艾特) |艾特)"
_SAID_POINT = rf"(?:{_OPEN}(?:dot|\.|点){_CLOSE}| (?:dot|点) |点)"
_END = "[A-Za-z]{2,12}(?![A-Za-z0-9])"
_PLAIN = re.compile(rf"{_LOCAL} ?@ ?{_LABEL}(?:{_POINT}{_LABEL})*{_POINT}{_END}")
_CHINESE = re.compile(
    rf"(?:{_LOCAL}|(?<!\w)[\u4e00-\u9fff]{{1,8}}) ?@ ?(?:{_HAN_LABEL}{_POINT}){{1,3}}(?:{_HAN_ENDS}|{_END})"
)
_BRACKETED = re.compile(rf"{_LOCAL}{_BRACKETED_AT}{_LABEL}(?:{_POINT}{_LABEL})*{_POINT}{_END}", re.IGNORECASE)
_SAID = re.compile(
    rf"{_LOCAL}{_SAID_AT}{_LABEL}(?:(?:{_POINT}|{_SAID_POINT}){_LABEL})*{_SAID_POINT}{_END}", re.IGNORECASE
)
"""With a point in words or brackets; "me at example.com" is a place."""


def find_emails(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield e-mail addresses; OCR puts a space next to the @ at times, and people write "at" and "dot"."""
    for pattern, rule in (
        (_PLAIN, "e-mail address"),
        (_CHINESE, "e-mail address of a Chinese domain"),
        (_BRACKETED, "e-mail address with its at in brackets"),
        (_SAID, "e-mail address in words"),
    ):
        for match in pattern.finditer(given.text):
            yield RecognisedSpan(
                kind=FindKind.EMAIL, start=match.start(), end=match.end(), confidence=0.97, rule=rule
            )
