"""Safe XML parser of accessibility trees: bounded in size, without entities or network.

Android writes characters that XML 1.0 refuses: a character above U+FFFF as references to the two halves of
its surrogate pair, half a pair, control characters. Where the parser refuses a tree, `mend_characters`
replaces them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn, cast

from lxml import etree

from fingertip_dataset.errors import AccessibilityTreeError

if TYPE_CHECKING:
    from lxml.etree._parser import CustomTargetParser
    from lxml.etree._saxparser import ParserTarget

MAX_BYTES = 16 * 2**20
"""Maximum size of a tree; the largest known real one has 0.3 MB."""

_NO_CHARACTER = "\ufffd".encode()
_CONTROLS = bytes(sorted({*range(0x20)} - {*b"\t\n\r"}))
_HIGH = rb"x0*(d[89ab][0-9a-f]{2})|0*(5529[6-9]|55[3-9]\d\d|56[0-2]\d\d|563[01]\d)"
_LOW = rb"x0*(d[c-f][0-9a-f]{2})|0*(563[2-9]\d|56[4-9]\d\d|57[0-2]\d\d|573[0-3]\d|5734[0-3])"
_PAIR = re.compile(rb"&#(?:%b);&#(?:%b);" % (_HIGH, _LOW), re.IGNORECASE)
"""References to the two halves of a surrogate pair, in decimal or hexadecimal digits."""

_REFUSED = re.compile(
    rb"""&\#(?:
        0*(?: [0-8] | 1[124-9] | 2\d | 3[01]                      # control characters
            | 5529[6-9] | 55[3-9]\d\d | 56\d{3} | 57[0-2]\d\d | 573[0-3]\d | 5734[0-3]  # halves of a pair
            | 6553[45]                                          # U+FFFE, U+FFFF
            | 111411[2-9] | 11141[2-9]\d | 1114[2-9]\d\d | 111[5-9]\d{3} | 11[2-9]\d{4} | 1[2-9]\d{5}
            | [2-9]\d{6} | [1-9]\d{7,} )                          # beyond U+10FFFF
      | x0*(?: [0-8bcef] | 1[0-9a-f] | d[89a-f][0-9a-f]{2} | fff[ef]
            | 1[1-9a-f][0-9a-f]{4} | [2-9a-f][0-9a-f]{5} | [1-9a-f][0-9a-f]{6,} )
    );""",
    re.VERBOSE | re.IGNORECASE,
)
"""References to characters that XML 1.0 refuses."""

_RAW_PAIR = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
_RAW_HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
_OTHER_ENCODING = re.compile(rb"\s*<\?xml[^>]{0,99}\sencoding\s*=\s*['\"](?!utf-?8['\"])", re.IGNORECASE)


class TreeTarget:
    """Base of parser targets; subclasses add `start(tag, attributes)` and `end(tag)`.

    Attributes:
        root: Name of the first element that is not a `node`.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything: the same tree is parsed again, with other characters."""
        self.root: str | None = None

    def close(self) -> None:
        """Do nothing; lxml calls it at the end, also after an error."""

    def doctype(self, name: str | None, public: str | None, system: str | None, /) -> NoReturn:
        """Refuse a document type; lxml calls it before any entity is declared."""
        raise AccessibilityTreeError(
            f"expected a tree without document type, got <!DOCTYPE {str(name)[:40]}>"
        )

    def check(self, has_nodes: bool) -> None:
        """Check the finished tree; a `hierarchy` may be empty.

        Raises:
            AccessibilityTreeError: There are no nodes, and the root is not a `hierarchy`.
        """
        if not has_nodes and self.root != "hierarchy":
            raise AccessibilityTreeError(f"expected node elements, got none in <{str(self.root)[:40]}>")


def tree_parser(target: TreeTarget) -> CustomTargetParser[None]:
    """Make an lxml parser that builds no tree but calls `target`.

    No DTD, no network, and no entities, because a document type is refused before it could declare one;
    libxml2 itself limits the depth (256 elements) and the length of a text (10 MB).
    """
    return etree.XMLParser(
        target=cast("ParserTarget[None]", target),
        # False would pass "&amp;" on as "&#38;"
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
    )


def mend_characters(xml: bytes) -> bytes:
    r"""Replace what XML 1.0 refuses: a surrogate pair by its character, everything else by U+FFFD.

    These are references to surrogates and control characters, and both as bytes; U+FFFE and U+FFFF, and
    references beyond the last character.

    Args:
        xml: A tree in UTF-8, or in CESU-8, which writes the halves of a pair.

    >>> mend_characters(b"<a b='&#55357;&#56832; &#xd83d; &#8; \x01'/>").decode()
    "<a b='😀 \ufffd \ufffd \ufffd'/>"
    """
    if b"&#" in xml:
        xml = _REFUSED.sub(_NO_CHARACTER, _PAIR.sub(_join_references, xml))
    if len(xml.translate(None, _CONTROLS)) < len(xml):
        # a regular expression would take seconds for megabytes of them
        for control in _CONTROLS:
            xml = xml.replace(bytes([control]), _NO_CHARACTER)
    if b"\xef\xbf" in xml:
        xml = xml.replace(b"\xef\xbf\xbe", _NO_CHARACTER).replace(b"\xef\xbf\xbf", _NO_CHARACTER)
    if b"\xed" in xml:
        xml = _RAW_HALF.sub(_NO_CHARACTER, _RAW_PAIR.sub(_join_halves, xml))
    return xml


def _join_references(pair: re.Match[bytes]) -> bytes:
    high, high_decimal, low, low_decimal = pair.groups()
    first = int(high, 16) if high else int(high_decimal)
    second = int(low, 16) if low else int(low_decimal)
    return chr(0x10000 + (first - 0xD800) * 0x400 + second - 0xDC00).encode()


def _join_halves(pair: re.Match[bytes]) -> bytes:
    return (
        pair[0].decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16").encode()
    )


def mend_text(xml: str) -> str:
    """Replace what XML 1.0 refuses, as `mend_characters` does."""
    return mend_characters(xml.encode("utf-8", "surrogatepass")).decode()


def read_tree(xml: bytes | str, parser: CustomTargetParser[None]) -> bool:
    """Parse `xml` with a parser of `tree_parser`; the parser's target holds the result.

    Args:
        xml: Bytes in the encoding that they declare, or text, for which a declared encoding is ignored.
        parser: Parser that calls its target.

    Returns:
        Whether characters were replaced that XML 1.0 refuses.

    Raises:
        AccessibilityTreeError: The tree is too large, not well-formed, or refused by the target.
    """
    if len(xml) > MAX_BYTES:
        raise AccessibilityTreeError(f"expected a tree of at most {MAX_BYTES} bytes, got {len(xml)}")
    data = xml if isinstance(xml, bytes) else _encode(xml)
    try:
        etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        mended = _mend_bytes(data)
        if mended == data:
            raise _make_syntax_error(error) from error
    else:
        return False
    parser.target.reset()  # type: ignore[attr-defined]
    try:
        etree.fromstring(mended, parser)
    except etree.XMLSyntaxError as error:
        raise _make_syntax_error(error) from error
    return True


def _make_syntax_error(error: etree.XMLSyntaxError) -> AccessibilityTreeError:
    reason = " ".join(str(error.msg).split())[:200]
    return AccessibilityTreeError(f"expected a well-formed accessibility tree, got: {reason}")


def _mend_bytes(xml: bytes) -> bytes:
    """Mend a tree in UTF-8; one of another encoding (UTF-16 has a zero or a mark at its start) stays."""
    if xml[:2] in (b"\xff\xfe", b"\xfe\xff") or xml[:2].count(0) == 1 or _OTHER_ENCODING.match(xml):
        return xml
    return mend_characters(xml)


def _encode(text: str) -> bytes:
    text = text.removeprefix("\ufeff")
    # text is encoded as UTF-8 here, whatever encoding its declaration names
    if text.startswith("<?xml"):
        text = text.partition("?>")[2]
    return text.encode("utf-8", "surrogatepass")
