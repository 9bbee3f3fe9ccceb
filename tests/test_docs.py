"""Documents: the packages, files and links that they name exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.test_architecture import PACKAGES, PLACES, ROOT, folder

DOCS = sorted((ROOT / "docs").rglob("*.md"))
CLI = "fingertip_cli"
_PATH = re.compile(r"`((?:[a-z_]+/)+(?:[\w.-]+\.(?:py|json|toml))?)`")


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_links_and_paths_in_documents_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!http|#)([^)#]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []
    roots = {*PACKAGES, *PLACES.values(), "tests", "benchmarks"}
    paths = [path for path in _PATH.findall(text) if path.split("/")[0] in roots]
    assert [path for path in paths if not (ROOT / PLACES.get(path.split("/")[0], "") / path).exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_cites_a_page_that_an_install_does_not_have(package: str) -> None:
    cited = []
    files = [file for file in sorted(folder(package).rglob("*.py")) if "docs/" in file.read_text("utf-8")]
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        held = [node.body[0] for node in ast.walk(tree) if isinstance(node, documented) and node.body]
        # strings that stand alone are documentation, those of a command its help
        alone = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
        shown = {id(one.value) for one in held if isinstance(one, ast.Expr)} if package == CLI else set()
        cited += [
            f"{file}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "docs/" in node.value
            if id(node) not in alone - shown
        ]
    assert cited == []


def test_each_glossary_term_names_its_module() -> None:
    page = (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", page, re.M)
    terms = [row for row in rows if row[0] != "term"]
    assert len(terms) > 30
    assert [term for term, _, place in terms if not _PATH.fullmatch(place)] == []
    assert [term for term, meaning, _ in terms if not meaning.endswith(".")] == []


def test_the_architecture_page_describes_every_package() -> None:
    page = (ROOT / "docs" / "developers" / "architecture.md").read_text(encoding="utf-8")
    assert [package for package in PACKAGES if package not in page] == []
