"""Text of a server's body, in whatever encoding it comes."""

from __future__ import annotations

import codecs
import re
from json import detect_encoding

BOM = "\ufeff"

MOST_OF_PAIRS = 0.8
"""Share of usual ones among the two-byte characters of a text, from which it counts as Chinese."""

_GBK_PAIR = re.compile(rb"[\x81-\xfe][\x40-\xfe]")
# punctuation and full-width letters, and the 3,755 most frequent characters
_USUAL_PAIR = re.compile(rb"[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.IGNORECASE)


def decode_body(content: bytes, content_type: str = "") -> str:
    r"""Decode a body.

    JSON is UTF-8, and most servers that declare another encoding send UTF-8 all the same, so that a body
    that can be UTF-8 is. Others are UTF-16 or UTF-32 by their zero bytes, or in the encoding that is
    declared. Chinese without a declaration is GBK. What is left is read as UTF-8 with replacement
    characters. A byte order mark is dropped.

    Args:
        content: The body.
        content_type: Header `content-type`, which may declare an encoding.

    >>> decode_body("\ufeff早".encode("utf-16"))
    '早'
    >>> decode_body("早".encode("gbk"), "text/plain; charset=GBK")
    '早'
    >>> decode_body("早上".encode("gbk")), decode_body("fähig".encode("latin-1"))
    ('早上', 'f\ufffdhig')
    """
    for encoding in (detect_encoding(content), find_charset(content_type)):
        try:
            return content.decode(encoding).removeprefix(BOM)
        except UnicodeError:
            continue
    return _decode_chinese(content) or content.decode("utf-8", "replace").removeprefix(BOM)


def _decode_chinese(content: bytes) -> str:
    """Decode GBK that nobody has declared; "" if the bytes are hardly that.

    Most characters of a Chinese text are of the first level of GB2312, which the letters of Latin-1 among
    ASCII and the bytes of UTF-8 that breaks off rarely are.
    """
    pairs = _GBK_PAIR.findall(content)
    usual = sum(1 for pair in pairs if _USUAL_PAIR.fullmatch(pair))
    try:
        return content.decode("gb18030") if usual >= MOST_OF_PAIRS * len(pairs) else ""
    except UnicodeError:
        return ""


def find_charset(content_type: str) -> str:
    """Find the encoding that a header declares; UTF-8 if it declares none, or none that Python knows as text.

    >>> find_charset('application/json; charset="gb2312"'), find_charset("text/html; charset=rot13")
    ('gb18030', 'utf-8')
    """
    found = _CHARSET.search(content_type)
    try:
        name = codecs.lookup(found[1]).name if found else "utf-8"
        "".encode(name)
    except LookupError:
        return "utf-8"
    # the name of a part of it often stands for the whole
    return "gb18030" if name in ("gb2312", "gbk") else name
