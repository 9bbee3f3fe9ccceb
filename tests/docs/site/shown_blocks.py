"""The blocks of a page: headings, paragraphs, items, cells and code, as GitHub and as the site show them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import html
from markdown_it import MarkdownIt

BLOCKS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "blockquote", "th", "td", "pre")
INNER = {"ul", "ol", "p", "pre", "table", "blockquote", "div"}

Block = tuple[str, str]
"""Tag and text; "text" for paragraphs, which stand in lists with and without a tag of their own."""


def read_github(text: str) -> list[Block]:
    """The blocks of a page as GitHub shows them, by an independent reader of Markdown."""
    reader = MarkdownIt("commonmark").enable("table")
    return list_blocks(html.fromstring(f"<div>{reader.render(text)}</div>"))


def list_blocks(root: html.HtmlElement) -> list[Block]:
    for name in root.xpath(".//span[@class='filename']"):
        name.drop_tree()
    return [(tag, text) for tag, text in map(read_block, root.iter(*BLOCKS)) if tag != "text" or text]


def read_block(element: html.HtmlElement) -> Block:
    if element.tag == "pre":
        return "pre", element.text_content().rstrip()
    text = " ".join("".join(own_text(element)).split())
    return ("text" if element.tag in ("p", "li", "blockquote") else element.tag), text


def own_text(element: html.HtmlElement) -> Iterator[str]:
    """The text of an element without that of the blocks in it."""
    yield element.text or ""
    for child in element:
        if child.tag not in INNER:
            yield from own_text(child)
        yield child.tail or ""


def list_code_and_headings(blocks: list[Block]) -> list[Block]:
    return [block for block in blocks if re.fullmatch(r"h[1-6]|pre", block[0])]


def check_built_page(source: str, built: Path) -> list[str]:
    """What a page of the built site shows otherwise than its source."""
    (article,) = html.parse(str(built)).getroot().xpath("//article")
    for extra in article.xpath(".//a[@class='headerlink']"):
        extra.drop_tree()
    wanted, shown = (list_code_and_headings(found) for found in (read_github(source), list_blocks(article)))
    faults = [f"{want} is {got}" for want, got in zip(wanted, shown, strict=False) if want != got]
    faults += (
        [f"{len(wanted)} headings and blocks of code are {len(shown)}"] if len(wanted) != len(shown) else []
    )
    for code in article.xpath(".//pre | .//code"):
        code.drop_tree()
    return faults + (["``` outside of code"] if "```" in article.text_content() else [])
