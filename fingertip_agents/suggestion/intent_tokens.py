"""Removal of a model's tokens and a page's marks at the ends of an answer, and reading of calls in XML.

Within a text they stay, because a person may search for "<br>" or "[INST]".
"""

from __future__ import annotations

import html
import json
import re

_NAMES = "BOS|EOS|INST|SYS|PAD|CLS|SEP|UNK|MASK|END|EOT|STOP"
_PAIRS = "ANSWER|ANS|RESPONSE|FINAL|OUTPUT|OUT|RESULT|INTENT"
_TOKEN = (
    rf"\[/?(?:{_NAMES}|{_PAIRS}|TOOL_CALLS|AVAILABLE_TOOLS)\]|</?(?:pad|unk|s|bos|eos|mask|sep|cls)>"
    r"|<\|/?[A-Za-z][\w ]{0,40}\|>|<｜[^｜<>\n]{1,40}｜>|<0x[0-9A-Fa-f]{2}>|</?(?:br|p|div|span)\s*/?>"
    r"|&(?:nbsp|emsp|ensp|#160);|\\{1,2}[nrt]"
)
# "</s> 是什么" is a person's question
_BEFORE = re.compile(
    rf"\s*(?:{_TOKEN})(?!\s*(?:是|的|怎么|什么|有|标签|标记|和|与|(?:is|means?|tags?|tokens?|and|vs|in)\b))"
)
_BEHIND = re.compile(rf"(?:{_TOKEN})\s*\Z")
_PADDING = re.compile(r"\A\s*(?:(?:\[(?:BOS|PAD|UNK|CLS)\]|<(?:pad|unk|bos|s|cls)>)\s*)+")
_PROMPT = re.compile(r"\A\s*\[INST\].{0,2000}?\[/INST\]\s*(?=\S)", re.DOTALL)
_ENTITY = r"&(?:quot|apos|ldquo|rdquo|lsquo|rsquo|laquo|raquo|lt|gt|amp|#3[49]|#x2[27]|#822[01]|#x201[cd]);"
_LAST_ENTITY = re.compile(rf"{_ENTITY[:-1]};?\Z")
_ESCAPED = re.compile(rf"\A(?:{_ENTITY}).*{_ENTITY}[.。！!]?\Z", re.DOTALL)
_BRACKETED = re.compile(rf"\[({_PAIRS})\](.*?)\[/\1\]", re.DOTALL)
_CALL = re.compile(
    r"\A\s*<(?:\w{1,20}:)?(?:tool_call|tool_calls|function_calls?|function|invoke|parameter)\b"
)
_PARAMETER = re.compile(
    r"<(?:\w{1,20}:)?parameter(?:="
    r"|\s+name\s*=\s*)[\"']?([^\"'<>\n]{1,40})[\"']?\s*>(.*?)</(?:\w{1,20}:)?parameter>"
    r"|<arg_key>\s*([^<>\n]{1,40}?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>",
    re.DOTALL,
)
_OPEN_CALL = re.compile(r"\A\s*<(tool_calls?|function_calls?)>(?=\s*[\[{])")

_SEARCHED = re.compile(
    r"(?:搜索?|查询?|输入|含义|关于|\b(?:search|for|about|of|type|enter|what is|the))\s*\Z", re.IGNORECASE
)
"""Words in front of a token that a person asks for."""

_WRITTEN_CALL = re.compile(
    r"\s*[A-Za-z_][\w.]{2,40}\(\s*(?:[A-Za-z_]\w{0,30}\s*[=:]\s*)?([\"'])(?P<text>(?:(?!\1).)+)\1\s*\)\s*"
)

MOST_TOKENS = 50
"""Maximum number of tokens removed at each end."""


def remove_padding(text: str) -> str:
    """Remove the tokens of padding and of a beginning in front of an answer."""
    return _PADDING.sub("", text)


def remove_tokens(text: str) -> str:
    r"""Remove tokens, line breaks of pages and written "\n" at both ends, unless nothing else is left.

    >>> remove_tokens("[BOS]看消息[EOS]"), remove_tokens("<br>看消息<br/>"), remove_tokens("搜索<br>标签")
    ('看消息', '看消息', '搜索<br>标签')
    """
    rest = _PROMPT.sub("", text)
    for _ in range(MOST_TOKENS):
        if token := _BEFORE.match(rest):
            rest = rest[token.end() :]
        elif token := _BEHIND.search(rest[-200:]):
            shorter = rest[: len(rest) - len(token[0])].rstrip()
            if _SEARCHED.search(shorter):
                break
            rest = shorter
        else:
            break
    call = _OPEN_CALL.match(rest)
    if call and f"</{call[1]}>" not in rest:
        rest = rest[call.end() :]
    if _ESCAPED.match(rest.strip()):
        rest = html.unescape(rest.strip())
    return rest if any(map(str.isalnum, rest)) else text


def find_bracketed(text: str) -> re.Match[str] | None:
    """Find the answer within a pair such as [ANSWER] and [/ANSWER]: its second group."""
    return _BRACKETED.search(text)


def read_xml_call(text: str) -> dict[str, str] | None:
    """Read the parameters of a call in XML, in the spellings of open models; None without one.

    >>> read_xml_call("<function=suggest><parameter=intent>看消息</parameter></function>")
    {'intent': '看消息'}
    """
    if not _CALL.match(text):
        return None
    found = {
        (one[1] or one[3]).strip(): (one[2] if one[1] else one[4]).strip()
        for one in _PARAMETER.finditer(text)
    }
    return found or None


def read_written_call(text: str) -> str | None:
    r"""Read the one quoted argument of a call that is the whole text; None for any other text.

    >>> read_written_call('suggest(intent="看消息")'), read_written_call(r'suggest(intent="\\text{看消息}")')
    ('看消息', '\\text{看消息}')
    """
    call = _WRITTEN_CALL.fullmatch(text)
    if call is None:
        return None
    try:
        return str(json.loads(f'"{call["text"]}"', strict=False))
    except ValueError:
        return call["text"]


def ends_with_entity(text: str) -> bool:
    """Whether a text ends with a quote or bracket as a page writes it, such as "&quot;"; its ";" may lack."""
    return bool(_LAST_ENTITY.search(text[-12:]))
