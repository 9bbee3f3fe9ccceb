"""Names of people: after words for people, before forms of address, and as whole lines of a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.name_words import (
    COMPOUND_SURNAMES,
    FAMILY_NAMES,
    GIVEN_NAMES,
    GROUP_WORDS,
    NO_GIVEN_NAMES,
    NOT_IN_NAMES,
    NOT_NAMES,
    PUBLIC_PEOPLE,
    RARE_SURNAMES,
    SURNAMES,
)
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput

NAMED, LINE, LINE_OF_TWO, UNSURE = 0.9, 0.45, 0.4, 0.55
"""Confidence after a word for people, and of a whole line, which the roster raises on pages of people."""

_HAN = "[\u4e00-\u9fff]"
_COMMON = f"(?:{'|'.join(COMPOUND_SURNAMES)}|[{''.join(sorted(SURNAMES))}])"
_ANY = f"(?:{'|'.join(COMPOUND_SURNAMES)}|[{''.join(sorted(SURNAMES | RARE_SURNAMES))}])"
_WORDS = (
    "收货人|收件人|签收人|寄件人|发件人|联系人|紧急联系人|姓名|真实姓名|户名|开户名|户主|持卡人|机主|乘客|乘车人|乘机人|入住人|"
    "取件人|预订人|投保人|被保险人|患者|就诊人|学生姓名|家长|收款人|付款人|收款方|付款方|转账给|客户|业主|我的名字是"
)
_AFTER_WORD = re.compile(
    rf"(?:{_WORDS})(?:姓名)?(?:是|为|[:：]|\s)+({_HAN}{{2,4}}(?:·{_HAN}{{1,8}})?)(?!{_HAN})"
)
_RIGHT_AFTER = re.compile(rf"(?:{_WORDS})({_ANY}{_HAN}{{1,2}})(?!{_HAN})")
_INTRODUCED = re.compile(rf"(?:我是|我叫)({_ANY}{_HAN}{{1,2}})(?!{_HAN})")
_LABEL = re.compile(rf"(?:{_WORDS})[:：]?")
_WEAK_LABELS = frozenset({"联系人", "客户", "家长", "业主", "乘客"})
_ADDRESSED = re.compile(
    rf"(?<!{_HAN})(?:您好，?|尊敬的|亲爱的)?({_ANY}{_HAN}{{0,2}})(?:先生|女士|小姐|同学|经理|师傅|医生)(?!{_HAN}{{3}})"
)
_GREETED = re.compile(
    rf"(?:您好|你好|尊敬的|亲爱的)[，, ]?({_ANY}{_HAN}{{0,3}}?)(?:先生|女士|小姐|同学|经理|师傅|医生|老师)"
)
_DEALT_WITH = re.compile(
    rf"(?:给|跟|和|找|联系|@|问|约|呼叫|拨打|发给|转给|打给|告诉|邀请|通话|来电) ?({_COMMON}{_HAN}{{1,2}}?)"
    r"(?= |发|打|说|转|的电话|的微信|的消息|的聊天|聊|留言|拨|回|通话|视频|语音|红包|，|。|,|$)"
)
_ENGLISH = r"[A-Z][a-z]+(?:[-'][A-Z][a-z]+)?"
_SOMEBODYS = re.compile(
    rf"(?<!{_HAN})({_COMMON}{_HAN}{{1,2}})的"
    r"(?:微信|名片|头像|聊天|电话|号码|消息|来电|位置|朋友圈|红包|转账|邀请|语音|视频通话|手机)"
)
_ENGLISH_DEALT_WITH = re.compile(
    r"(?:(?:message|call|text|e-?mail|chat|sent|transfer|paid|reply|video|voicemail)s? (?:to|from|with)"
    r"|^from) "
    rf"(?-i:({_ENGLISH} {_ENGLISH}))(?![a-z])",
    re.IGNORECASE,
)
_SMALL = re.compile("小(?:[时姐区学说店程组票费米吃心型数麦看样路卖灵]|$)")
"""Words that begin with the character of names such as 小红."""
_SOME_HAN = re.compile(rf"{_HAN}{{2,4}}")
_LINE = re.compile(rf"({_COMMON})({_HAN}{{1,2}})")
_RARE_LINE = re.compile(
    rf"(?:{'|'.join(COMPOUND_SURNAMES)}|[{''.join(sorted(SURNAMES | RARE_SURNAMES))}]){_HAN}{{1,2}}"
)
_MASKED = re.compile(rf"(?<!{_HAN})({_ANY}[*＊]{{1,3}}{_HAN}?|[*＊]{{1,3}}{_HAN})(?![{_HAN[1:-1]}*＊])")
_ENGLISH_AFTER = re.compile(
    r"(?:recipient|receiver|consignee|addressee|contact|passenger|guest|patient|cardholder|"
    r"card holder|account holder|"
    r"full name|customer|sender|\bname|\bdear|\bhi|\bhello|\bmr\.?|\bms\.?|\bmrs\.?|\bdr\.?|"
    r"\bcall|\btext|\bemail|\bmessage)"
    rf"(?:: ?| is | )(?-i:({_ENGLISH}(?: [A-Z]\.)?(?: {_ENGLISH}){{1,2}}))(?![a-z])",
    re.IGNORECASE,
)
_CAPITALS = re.compile(
    r"(?:乘机人|乘车人|旅客|乘客|姓名|入住人|passenger|guest|cardholder|card holder|name)(?: name)?[: ]+"
    r"(?-i:([A-Z]{2,15}[/ ][A-Z]{2,20}))(?![A-Za-z])",
    re.IGNORECASE,
)
"""Names as on tickets and cards."""
_ENGLISH_LABEL = re.compile(
    r"(?:recipient|receiver|name|full name|contact|passenger|guest|cardholder|sender|to|from):?",
    re.IGNORECASE,
)
_ENGLISH_LINE = re.compile(rf"({_ENGLISH})(?: [A-Z]\.)? ((?:Mc|Mac|O')?{_ENGLISH})")


def find_names(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield names; a person of public life only after a word for people."""
    text = given.text
    for pattern, confidence, rule in (
        (_AFTER_WORD, NAMED, "name after a word for people"),
        (_RIGHT_AFTER, 0.7, "name right after a word for people"),
        (_INTRODUCED, 0.8, "name after I am"),
        (_GREETED, 0.85, "name between a greeting and a form of address"),
        (_ADDRESSED, 0.6, "name before a form of address"),
        (_DEALT_WITH, 0.7, "name after a word for dealing with somebody"),
        (_MASKED, 0.5, "name, partly masked"),
        (_ENGLISH_AFTER, 0.85, "name after a word for people"),
        (_CAPITALS, 0.8, "name in capitals after a word for people"),
        (_SOMEBODYS, 0.75, "name before what is somebody's"),
    ):
        for match in pattern.finditer(text):
            if _may_be_name(match[1], strict=pattern in (_ADDRESSED, _DEALT_WITH, _INTRODUCED, _RIGHT_AFTER)):
                sure = confidence if _has_surname(match[1]) else UNSURE if len(match[1]) > 1 else LINE
                yield _span(match.start(1), match.end(1), sure, rule)
    for match in _ENGLISH_DEALT_WITH.finditer(text):
        if may_be_name(match[1], rare=True):
            yield _span(match.start(1), match.end(1), 0.8, "name after a word for dealing with somebody")
    if given.is_line:
        yield from _lines(given, text)


def _lines(given: TextInput, text: str) -> Iterator[RecognisedSpan]:
    stripped = text.strip()
    start = text.find(stripped)
    label = given.label.strip()
    if _is_labelled(stripped, label):
        sure = NAMED if _has_surname(stripped) else UNSURE
        yield _span(start, start + len(stripped), sure, "name beside a label for people")
    elif may_be_name(stripped):
        confidence = LINE_OF_TWO if len(stripped) == 2 else LINE
        yield _span(start, start + len(stripped), confidence, "whole line that is a surname and a given name")


def _is_labelled(line: str, label: str) -> bool:
    """Whether a label says that a line is a name; some are names of apps and tabs, too."""
    if _ENGLISH_LABEL.fullmatch(label):
        return _ENGLISH_LINE.fullmatch(line) is not None
    if _LABEL.fullmatch(label) is None:
        return False
    if label in _WEAK_LABELS:
        return may_be_name(line, rare=True)
    return _SOME_HAN.fullmatch(line) is not None and _may_be_name(line, strict=False)


def has_form_of_name(line: str) -> bool:
    """Whether a line is two words as English names are written, of whatever names; a weak sign alone."""
    match = _ENGLISH_LINE.fullmatch(line)
    return match is not None and match[2].lower() not in GROUP_WORDS


def may_be_name(line: str, *, rare: bool = False) -> bool:
    """Whether a line has the form of a name: a surname and one or two characters, or two English words.

    Args:
        line: A line without white space around it.
        rare: Also with rare surnames and of four characters, as on a page of people.
    """
    match = (_RARE_LINE if rare else _LINE).fullmatch(line)
    if match is not None:
        return _may_be_name(line) and line not in PUBLIC_PEOPLE
    match = _ENGLISH_LINE.fullmatch(line)
    if match is None:
        return False
    given, family = match[1].lower(), match[2].lower()
    return (
        family not in GROUP_WORDS
        and given in GIVEN_NAMES
        and (rare or family in FAMILY_NAMES or len(family) > 3)
    )


def _may_be_name(name: str, *, strict: bool = True) -> bool:
    if name in NOT_NAMES or "群聊" in name or name.partition(" ")[0].lower() in NO_GIVEN_NAMES:
        return False
    given = name[2:] if name[:2] in COMPOUND_SURNAMES else name[1:]
    if not _has_surname(name) and name[0] in NOT_IN_NAMES:
        return False
    return not (strict and (NOT_IN_NAMES.intersection(given) or _SMALL.search(given)))


def _has_surname(name: str) -> bool:
    """Whether a name begins with a surname and goes on; names of other alphabets are not known by surname."""
    if name.isascii() or "·" in name or "*" in name:
        return True
    return len(name) > 1 and (
        name[0] in SURNAMES or name[0] in RARE_SURNAMES or name[:2] in COMPOUND_SURNAMES
    )


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.NAME, start=start, end=end, confidence=confidence, rule=rule)
