"""The Chinese font of a page: Noto Sans SC (SIL Open Font License 1.1), with the page's own characters only.

A page that is one file embeds the subset, so that Chinese shows where no Chinese font is installed: in
containers, on servers, in print. HarfBuzz (the extra `pages`) makes the subset in a hundredth of a second;
without it a page has the reader's own fonts. The subset is packed as WOFF, whose compression is in Python's
own library: WOFF2 at a quality that takes as long is 2 % smaller, for another package of 5 MB.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FAMILY = "FingerTip Chinese"
"""Name of the font in tokens.css, which comes after the reader's own Chinese fonts."""

_RANGES = ((0x2E80, 0x303F), (0x3040, 0x312F), (0x31A0, 0x9FFF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F),
           (0xFF00, 0xFFEF), (0x20000, 0x323AF))  # fmt: skip
"""Ideographs, their punctuation, kana and full-width forms."""


def find_font_file() -> Path:
    """Path of the whole font, 8 MB, which a server on the reader's own computer sends as it is."""
    from pylopdf_fonts_zh_cn import sans_path

    return sans_path()


def make_font_face(text: str) -> str:
    """A `@font-face` rule with the characters of a text that are Chinese or Japanese; "" if there are none.

    Args:
        text: The whole page, or more.

    Returns:
        The rule; "" also where HarfBuzz is not installed.
    """
    characters = sorted(filter(_is_drawn, set(text)))
    content = _make_subset(characters) if characters else b""
    if not content:
        return ""
    data = base64.b64encode(_pack_woff(content)).decode("ascii")
    return _make_rule(f'url("data:font/woff;base64,{data}") format("woff")')


def served_font_face(address: str) -> str:
    """A `@font-face` rule for the whole font at an address of the page's own server."""
    return _make_rule(f'url("{address}") format("opentype")')


def _make_rule(source: str) -> str:
    ranges = ", ".join(f"U+{first:X}-{last:X}" for first, last in _RANGES)
    rule = f'font-family: "{FAMILY}"; font-display: block; unicode-range: {ranges}; src: {source};'
    return f"@font-face {{ {rule} }}\n"


def _is_drawn(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _RANGES)


def _make_subset(characters: Iterable[str]) -> bytes:
    """The font with these characters; b"" where HarfBuzz is not installed."""
    try:
        import uharfbuzz
    except ImportError:
        return b""
    harfbuzz: Any = uharfbuzz
    kept = harfbuzz.SubsetInput()
    kept.flags = harfbuzz.SubsetFlags.NO_HINTING
    kept.unicode_set.update(map(ord, characters))
    kept.layout_feature_tag_set.clear()
    face = harfbuzz.Face(harfbuzz.Blob.from_file_path(str(find_font_file())))
    return bytes(harfbuzz.subset(face, kept).blob.data)


def _pack_woff(font: bytes) -> bytes:
    """A font packed as WOFF 1.0 (W3C Recommendation of 2012): each table compressed, in its order."""
    count = struct.unpack_from(">H", font, 4)[0]
    entries, body = [], b""
    start = 44 + 20 * count
    for number in range(count):
        tag, check, offset, length = struct.unpack_from(">4sLLL", font, 12 + 16 * number)
        table = font[offset : offset + length]
        packed = min(zlib.compress(table, 9), table, key=len)
        entries.append(struct.pack(">4sLLLL", tag, start + len(body), len(packed), length, check))
        body += packed + b"\0" * (-len(packed) % 4)
    whole = 12 + 16 * count + sum(-(-struct.unpack_from(">L", entry, 12)[0] // 4) * 4 for entry in entries)
    header = struct.pack(
        ">4s4sLHHLHHLLLLL", b"wOFF", font[:4], start + len(body), count, 0, whole, 1, 0, 0, 0, 0, 0, 0
    )
    return header + b"".join(entries) + body
