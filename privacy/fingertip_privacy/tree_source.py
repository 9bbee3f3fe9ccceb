"""An accessibility tree as it is written: attributes, and what stands beside tags, also in a broken one."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

ATTRIBUTE = re.compile(
    r"""(?<![\w:.-])(?P<name>[A-Za-z_:][\w:.-]*)(?P<equals>\s*=\s*)(?P<quote>["'])(?P<value>[^<]*?)(?P=quote)"""
)
# without possessive groups: Python 3.11.0 to 3.11.4 let them match too little
PIECE = re.compile(
    r"""(?P<raw><!--(?:(?!<!--|-->).)*-->|<!\[CDATA\[(?:(?!<!\[CDATA|\]\]>).)*\]\]>)"""
    r"""|(?P<tag><[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>)|[^<]+""",
    re.DOTALL,
)
"""A comment, a tag, or a text between them; each stops at the next, so broken trees take no longer."""
ELEMENT = re.compile(r"(?<=\A<)/?[^\s<>/=?]+|(?<=\A</)[^\s<>/=?]+")
"""The name of a tag's element."""
_ENCODING = re.compile(rb"""\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,30})["']""")
_SOME_TEXT = re.compile(r"<!|>\s*[^<\s]")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|lt|gt|amp|quot|apos);")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def tree_text(data: bytes) -> tuple[str, str]:
    """Text of a tree's file and the encoding that reads it: the stated one, otherwise UTF-8."""
    stated = _ENCODING.match(data)
    encoding = stated[1].decode("ascii") if stated else "utf-8"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        if codecs.lookup(encoding).name != "utf-8":
            return data.decode(encoding), encoding
    except (LookupError, UnicodeError):
        pass
    return data.decode("utf-8", "surrogateescape"), "utf-8"


def unescape(text: str) -> str:
    """A text with the characters that its entities name.

    >>> unescape("&#49;3 &amp; 4")
    '13 & 4'
    """

    def character(match: re.Match[str]) -> str:
        name = match[1]
        if not name.startswith("#"):
            return _NAMED[name]
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]

    return _ENTITY.sub(character, text)


def list_texts_between_tags(xml: str) -> Iterator[str]:
    """Yield each text between tags and each comment; a tree of Android has no such text."""
    if _SOME_TEXT.search(xml) is None:
        return
    for piece in PIECE.finditer(xml):
        if not piece["tag"] and not piece[0].isspace():
            yield piece[0] if piece["raw"] else unescape(piece[0])


_OTHER_TAG = re.compile(r"""<(?!/|!|node[\s/>])[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>""")
"""The tag of an element that is no node, or the declaration."""
_QUOTED = re.compile(r"""=\s*(?:"[^"<]*"|'[^'<]*')""")
_NAME = re.compile(r"[^\s<>/=?]+")


def list_tag_texts(xml: str) -> Iterator[tuple[str, str]]:
    """Yield place and text of each attribute of what is no node, and of each name that may hold a number."""
    for number, tag in enumerate(_OTHER_TAG.finditer(xml), 1):
        for match in ATTRIBUTE.finditer(tag[0]):
            if match["value"]:
                yield f"tag {number}@{match['name']}", unescape(match["value"])
    names = _QUOTED.sub("", xml)
    if may_hold_number(names):
        for number, name in enumerate(sorted({*_NAME.findall(" ".join(_names_of(names)))}), 1):
            if may_hold_number(name):
                yield f"name {number}", name


def _names_of(xml: str) -> Iterator[str]:
    return (piece["tag"].strip("<>/?") for piece in PIECE.finditer(xml) if piece["tag"])


_DIGITS = re.compile(r"(?:\d\D{0,4}){7}")


def may_hold_number(text: str) -> bool:
    """Whether a text that a program wrote may hold a person's number or mailbox.

    >>> may_hold_number("android.widget.TextView"), may_hold_number("com.shop:id/u13812345678")
    (False, True)
    """
    return _DIGITS.search(text) is not None or "@" in text or "＠" in text


def find_loose_attributes(xml: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of whatever looks like an attribute, in a tree that is not well-formed."""
    for match in ATTRIBUTE.finditer(xml):
        yield match["name"], unescape(match["value"])
