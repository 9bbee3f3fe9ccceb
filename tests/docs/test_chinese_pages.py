"""docs/zh/: the newcomer's pages in Chinese keep step with the English ones: headings, code, links.

The pages are start.md, install.md, dataset.md, score.md, bring-an-agent.md and benchmark-your-model.md.
"""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

import pytest

from fingertip_pages.message_catalogue import CATALOGUE, SENTENCES
from tests.page_blocks import ROOT, blocks

ENGLISH, CHINESE = ROOT / "docs", ROOT / "docs" / "zh"
TERMS = CHINESE / "terms.md"
OWN_LINKS = {"docs/install.md", "docs/terms.md"}
"""Links that only Chinese pages have: to the list of all extras, and to the terms."""
PAGES = sorted(page for page in CHINESE.glob("*.md") if page != TERMS)
LINK = re.compile(r"\]\(([^)\s]+)\)")
OTHER_WORDS = ("排行榜", "评判器", "无障碍树", "可访问性树", r"\btokens?\b", "嵌入器", "代理", "轨道一", "您")
"""Words for which docs/zh/terms.md has another one."""
HAN = re.compile(r"[\u4e00-\u9fff]")


def read_prose(page: Path) -> str:
    """Text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def read_headings(page: Path) -> list[tuple[int, str]]:
    """Level and text of each heading."""
    return [(len(marks), text) for marks, text in re.findall(r"^(#+) (.+)$", read_prose(page), re.MULTILINE)]


def list_code(page: Path) -> list[str]:
    """The lines of all blocks of code, without comments, which are in the language of their page."""
    lines = []
    for block in blocks(page):
        lines.append(f"``` {block.language} {block.file}")
        lines += [re.sub(r"(^|\s+)# .*", "", line) for line in block.text.splitlines()]
    return [line for line in lines if line.strip()]


def make_anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site make it."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def resolve_links(page: Path) -> set[str]:
    """Targets of a page's links; Chinese pages and pictures count as the English ones of their names."""
    found = set()
    for link in LINK.findall(read_prose(page)):
        path = link.partition("#")[0]
        if path and "://" not in link:
            target = (page.parent / path).resolve()
            target = ENGLISH / target.name if target.parent == CHINESE else target
            path = str(target.relative_to(ROOT)).replace(".zh.png", ".png")
        found.add(path or f"docs/{page.name}")
    return found


@pytest.fixture(scope="module")
def terms() -> dict[str, str]:
    """Chinese term -> English one, of docs/zh/terms.md."""
    rows = re.findall(r"^\| (?!中文|-)(.+?) \| (.+?) \| .+ \|$", TERMS.read_text("utf-8"), re.MULTILINE)
    return {
        term: word
        for terms, words in rows
        for term, word in zip(terms.split("、"), words.split(", "), strict=False)
    }


def test_the_terms_are_those_of_the_pages_and_reports(terms: dict[str, str]) -> None:
    assert len(terms) > 30
    catalogues = "".join(file.read_text("utf-8") for file in (CATALOGUE, SENTENCES))
    used = catalogues + "".join(read_prose(page) for page in PAGES)
    assert [term for term in terms if term not in used] == []
    english = "".join(page.read_text("utf-8") for page in ENGLISH.rglob("*.md") if page.parent != CHINESE)
    assert [word for word in terms.values() if word not in english.lower()] == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.zh.md"], ids=lambda page: page.name)
def test_a_chinese_page_keeps_to_the_terms(page: Path) -> None:
    prose = re.sub(r"`[^`]*`", "", read_prose(page))
    assert [word for word in OTHER_WORDS if re.search(word, prose)] == []


def test_the_way_of_a_newcomer_is_there_in_chinese() -> None:
    assert {page.name for page in PAGES} == set(re.findall(r"[a-z-]+\.md", str(__doc__)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_chinese_page_has_the_headings_of_the_english_one(page: Path) -> None:
    english, chinese = read_headings(ENGLISH / page.name), read_headings(page)
    assert [level for level, _ in chinese] == [level for level, _ in english], (english, chinese)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_chinese_page_has_the_code_of_the_english_one(page: Path) -> None:
    difference = unified_diff(list_code(ENGLISH / page.name), list_code(page), lineterm="", n=0)
    assert not (changes := "\n".join(difference)), changes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_chinese_page_has_links_of_the_english_one_and_they_lead_somewhere(page: Path) -> None:
    assert resolve_links(page) - resolve_links(ENGLISH / page.name) <= OWN_LINKS
    for link in LINK.findall(read_prose(page)):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in {make_anchor(text) for _, text in read_headings(target)}, link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_chinese_page_is_chinese(page: Path) -> None:
    """No paragraph, heading or list item was left in English; cells may be names and numbers."""
    left = [
        line
        for line in read_prose(page).splitlines()
        if line.strip() and not line.startswith(("|", "<!--", "# FingerTip")) and not HAN.search(line)
    ]
    assert left == []
    # a comma of ASCII between Chinese characters is a slip of the keyboard
    assert re.findall(r"[\u4e00-\u9fff][,;:?!][\u4e00-\u9fff]", read_prose(page)) == []
