"""The pages of docs/: how many there are, how long the newcomer's are, that anchors exist, and no doubles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from docs.site.moved_pages import MOVED
from docs.site.site_map import START_PAGES, page_files
from tests.page_blocks import README, ROOT

DOCS = ROOT / "docs"
FOR_USERS = sorted(DOCS.glob("*.md"))
ALL = [*FOR_USERS, *sorted(DOCS.glob("developers/*.md")), *sorted(DOCS.glob("reference/*.md"))]
MOST_FOR_USERS = 33
WAY = ("start", "install", "dataset", "score", "bring-an-agent", "benchmark-your-model")
"""The newcomer's pages, in the order in which they lead to each other."""

MOST_WORDS = 1100
"""Words of a page that is read in five minutes, commands included."""

WORDS = 8
"""Words in a row that stand for a sentence."""

SHARE = 0.3
"""Share of a paragraph's rows of words that make it another page's paragraph."""

_FENCE = re.compile(r"^```.*?^```$", flags=re.MULTILINE | re.DOTALL)


def read_prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def read_paragraphs(page: Path) -> Iterator[tuple[str, set[tuple[str, ...]]]]:
    """Each paragraph, item or row of a page with its rows of words; link targets and numbers left out."""
    text = re.sub(r"\]\([^)]*\)", "]", read_prose(page))
    for paragraph in re.split(r"\n\s*\n|\n(?=- |\d+\. |\| )", text):
        words = re.findall(r"[^\W\d_]+", paragraph.lower())
        rows = {tuple(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1)}
        if len(rows) >= WORDS:
            yield paragraph, rows


def find_anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    heads = re.findall(r"^#+ (.+)$", read_prose(page), flags=re.MULTILINE)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", head.lower()).strip()) for head in heads}


def test_there_are_about_thirty_pages_for_users() -> None:
    assert 24 <= len(FOR_USERS) <= MOST_FOR_USERS, "details belong to docs/reference or docs/developers"


@pytest.mark.parametrize("name", WAY)
def test_a_page_of_the_newcomers_way_is_read_in_five_minutes(name: str) -> None:
    page = DOCS / f"{name}.md"
    assert len(page.read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_each_page_of_the_way_leads_to_the_next_and_the_readme_to_all() -> None:
    for page, following in pairwise(WAY[1:]):
        assert f"({following}.md)" in read_prose(DOCS / f"{page}.md").splitlines()[-1]
    links = re.findall(r"\(docs/([\w-]+)\.md\)", README.read_text(encoding="utf-8"))
    assert [link for link in links if link in WAY[1:]] == list(WAY[1:])


def test_every_anchor_that_a_page_links_to_exists() -> None:
    wrong = []
    for page in (README, ROOT / "README.zh.md", *ALL):
        for path, anchor in re.findall(r"\]\((?!http)([^)#\s]*)#([^)\s]+)\)", read_prose(page)):
            target = (page.parent / path).resolve() if path else page
            if target.suffix == ".md" and anchor not in find_anchors(target):
                wrong.append(f"{page.relative_to(ROOT)}: {path}#{anchor}")
    assert wrong == []


def test_no_page_has_a_paragraph_of_another_page() -> None:
    found = {page: list(read_paragraphs(page)) for page in (README, *ALL)}
    owners: dict[tuple[str, ...], set[Path]] = defaultdict(set)
    for page, paragraphs in found.items():
        for _, rows in paragraphs:
            for row in rows:
                owners[row].add(page)
    doubles = []
    for page, paragraphs in found.items():
        for paragraph, rows in paragraphs:
            shared = [row for row in rows if len(owners[row]) > 1]
            if len(shared) >= SHARE * len(rows):
                others = sorted({other.name for row in shared for other in owners[row]} - {page.name})
                doubles.append(f"{page.relative_to(ROOT)}, {', '.join(others)}: {paragraph[:80]}")
    assert doubles == []


def test_an_old_address_leads_to_a_page_and_no_page_stands_there() -> None:
    places = {place.removesuffix(".md") + ".html": Path(path) for path, place in page_files().items()}
    assert START_PAGES.keys() <= page_files().keys()
    for old, new in MOVED.items():
        place, _, anchor = new.partition("#")
        assert old not in places
        assert not anchor or anchor in find_anchors(ROOT / places[place]), new
        assert place in places, new
