"""Safe XML parser of accessibility trees: bounded in size, without entities or network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, cast

from lxml import etree

from fingertip_dataset.errors import AccessibilityTreeError

if TYPE_CHECKING:
    from lxml.etree._parser import CustomTargetParser
    from lxml.etree._saxparser import ParserTarget

MAX_BYTES = 16 * 2**20
"""Maximum size of a tree; the largest known real one has 0.3 MB."""


class TreeTarget:
    """Base of parser targets; subclasses add `start(tag, attributes)` and `end(tag)`.

    Attributes:
        root: Name of the first element that is not a `node`.
    """

    def __init__(self) -> None:
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


def read_tree(xml: bytes | str, parser: CustomTargetParser[None]) -> None:
    """Parse `xml` with a parser of `tree_parser`; the parser's target holds the result.

    Args:
        xml: Bytes in the encoding that they declare, or text, for which a declared encoding is ignored.
        parser: Parser that calls its target.

    Raises:
        AccessibilityTreeError: The tree is too large, not well-formed, or refused by the target.
    """
    if len(xml) > MAX_BYTES:
        raise AccessibilityTreeError(f"expected a tree of at most {MAX_BYTES} bytes, got {len(xml)}")
    try:
        etree.fromstring(xml if isinstance(xml, bytes) else _encode(xml), parser)
    except etree.XMLSyntaxError as error:
        reason = " ".join(str(error.msg).split())[:200]
        raise AccessibilityTreeError(f"expected a well-formed accessibility tree, got: {reason}") from error


def _encode(text: str) -> bytes:
    text = text.removeprefix("\ufeff")
    # text is encoded as UTF-8 here, whatever encoding its declaration names
    if text.startswith("<?xml"):
        text = text.partition("?>")[2]
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise AccessibilityTreeError(
            f"the text has half a surrogate pair at position {error.start}"
        ) from error
