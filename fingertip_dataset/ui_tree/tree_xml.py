"""The one way from the XML of an accessibility tree to its nodes: bounded, no entities, no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, cast

from lxml import etree

from fingertip_dataset.errors import AccessibilityTreeError

if TYPE_CHECKING:
    from lxml.etree._parser import CustomTargetParser
    from lxml.etree._saxparser import ParserTarget

MAX_BYTES = 16 * 2**20
"""Of one tree; the largest of the real ones at hand has 0.3 MB."""


class TreeTarget:
    """What a tree parser calls, but for `start(tag, attributes)` and `end(tag)`, which are a reader's own.

    Attributes:
        root: Name of the first element that is no `node`; None where there is none.
    """

    def __init__(self) -> None:
        self.root: str | None = None

    def close(self) -> None:
        """Called by lxml at the end, also of a tree that is refused."""

    def doctype(self, name: str | None, public: str | None, system: str | None, /) -> NoReturn:
        """Called by lxml before any entity is declared."""
        raise AccessibilityTreeError(
            f"expected a tree without document type, got <!DOCTYPE {str(name)[:40]}>"
        )

    def check(self, has_nodes: bool) -> None:
        """To be called when all is read; a `hierarchy` may be empty.

        Raises:
            AccessibilityTreeError: There are no nodes, and the root is none of a tree.
        """
        if not has_nodes and self.root != "hierarchy":
            raise AccessibilityTreeError(f"expected node elements, got none in <{str(self.root)[:40]}>")


def tree_parser(target: TreeTarget) -> CustomTargetParser[None]:
    """An lxml parser that builds nothing but calls `target`.

    No DTD, no network, and no entities, for a document type is refused before it could declare one; libxml2
    itself bounds the depth (256 elements) and the length of a text (10 MB).
    """
    return etree.XMLParser(
        target=cast("ParserTarget[None]", target),
        # False would hand on "&amp;" as "&#38;"
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
    )


def read_tree(xml: bytes | str, parser: CustomTargetParser[None]) -> None:
    """Run `xml` through a parser of `tree_parser`; the result is with the parser's target.

    Args:
        xml: Bytes in the encoding that they declare, or text, where a declared encoding says nothing.
        parser: Calls its target.

    Raises:
        AccessibilityTreeError: Too large, not well-formed, or refused by the target.
    """
    if len(xml) > MAX_BYTES:
        raise AccessibilityTreeError(f"expected a tree of at most {MAX_BYTES} bytes, got {len(xml)}")
    try:
        etree.fromstring(xml if isinstance(xml, bytes) else _encoded(xml), parser)
    except etree.XMLSyntaxError as error:
        words = " ".join(str(error.msg).split())[:200]
        raise AccessibilityTreeError(f"expected a well-formed accessibility tree, got: {words}") from error


def _encoded(text: str) -> bytes:
    text = text.removeprefix("\ufeff")
    if text.startswith("<?xml"):
        text = text.partition("?>")[2]
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise AccessibilityTreeError(
            f"expected text, got half a character at position {error.start}"
        ) from error
