"""Text of a server's body, in whatever encoding it comes."""

from __future__ import annotations

import codecs
import re
from json import detect_encoding

BOM = "\ufeff"

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.IGNORECASE)


def decode_body(content: bytes, content_type: str = "") -> str:
    r"""Decode a body.

    JSON is UTF-8, and most servers that declare another encoding send UTF-8 all the same, so that a body
    that can be UTF-8 is. Others are UTF-16 or UTF-32 by their zero bytes, or in the encoding that is
    declared. What is left is read as UTF-8 with replacement characters. A byte order mark is dropped.

    Args:
        content: The body.
        content_type: Header `content-type`, which may declare an encoding.

    >>> decode_body("\ufeff早".encode("utf-16"))
    '早'
    >>> decode_body("早".encode("gbk"), "text/plain; charset=GBK")
    '早'
    >>> decode_body("早".encode("gbk")) == "\ufffd\ufffd"
    True
    """
    for encoding in (detect_encoding(content), find_charset(content_type)):
        try:
            return content.decode(encoding).removeprefix(BOM)
        except UnicodeError:
            continue
    return content.decode("utf-8", "replace").removeprefix(BOM)


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
