"""The Chinese of printed sentences: every sentence that the code can print has one, and none is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest

from execution_runner.scoring.task_scores import Decider
from fingertip_leaderboard.bundle.refusal import RefusalKind
from fingertip_leaderboard.evidence import LEGEND
from fingertip_leaderboard.space.hidden_section import _TITLES
from fingertip_metrics.published_beside import REFERENCES
from fingertip_pages.sentences import read_sentences, translate, translate_parts
from fingertip_runs.device_kinds import DEVICE_KINDS
from tests.test_architecture import PACKAGES, ROOT, SOURCES, folder
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


SHORTEST = 8
"""Characters of a piece of a sentence that is looked for; shorter ones are signs and joining words."""

PLACEHOLDER = re.compile(r"\{(\w+)(?::[ntp])?\}")


PRINTED: dict[str, list[str] | None] = VECTORS["printed"]
"""File -> the functions whose texts are sentences on pages; None for all of them."""


@cache
def catalogue() -> str:
    """All English of the catalogue; a value is a NUL."""
    return "\n".join(PLACEHOLDER.sub("\0", english) for english in read_sentences())


def texts(tree: ast.AST) -> Iterator[str]:
    """The pieces of texts in code that are between values, but for docstrings and formats."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            skipped |= set(ast.walk(node.format_spec))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            skipped |= {part for argument in node.args for part in ast.walk(argument)}
        if node not in skipped and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def printed(file: str, functions: list[str] | None) -> Iterator[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if functions is not None:
        found = [node for node in found if node.name in functions]
        assert {node.name for node in found} == set(functions), file
    for function in found:
        yield from texts(ast.Module(body=list(function.body), type_ignores=[]))


@pytest.mark.parametrize("file", PRINTED)
def test_each_printed_sentence_is_in_the_catalogue(file: str) -> None:
    pieces = {
        part
        for text in printed(file, PRINTED[file])
        for part in re.split(r"; |^, |: $|\.$", text)
        if " " in part.strip() and len(part) >= SHORTEST
    }
    assert pieces or file.endswith("outputs.py")
    assert {part for part in pieces if part.strip() not in catalogue()} == set()


def test_each_sentence_of_the_catalogue_is_in_the_code() -> None:
    files = [*SOURCES, *(path for package in PACKAGES for path in folder(package).rglob("*.j2"))]
    code = " ".join(path.read_text(encoding="utf-8") for path in files)
    code = re.sub(r'"\s*\n\s*f?"', "", code).replace("_", " ").casefold()
    lost = []
    for english in read_sentences():
        longest = max(re.split(r"\0|; |\. |: |, ", PLACEHOLDER.sub("\0", english)), key=len)
        words = longest.strip(" ()[]%.").replace("_", " ").casefold().split()
        if not any(" ".join(some) in code for some in (words[:4], words[-4:])):
            lost.append(english)
    assert "\n".join(lost) == ""


@pytest.mark.parametrize("kind", DEVICE_KINDS.values(), ids=lambda kind: kind.name)
def test_what_device_kinds_say_has_a_chinese_text(kind: object) -> None:
    words = [kind.board_title.capitalize(), kind.caveat, kind.board_caveat]  # type: ignore[attr-defined]
    assert [text for text in words if text and translate(text) is None] == []


def test_names_that_the_board_shows_have_a_chinese_text() -> None:
    words = [*LEGEND.values(), *REFERENCES.values(), *_TITLES.values(), *get_args(Decider)]
    words += [kind.value.replace("_", " ") for kind in RefusalKind]
    assert [text for text in words if translate(text) is None] == []


@pytest.mark.parametrize(("english", "expected"), VECTORS["sentences_are_put_together"])
def test_sentences_are_put_together(english: str, expected: str) -> None:
    assert translate(english) == expected


@pytest.mark.parametrize(
    "text", ["", "0.512", "My agent is the best.", "<b>one user</b>", "打车", "a\nb", "{n}"]
)
def test_what_others_wrote_stays_as_it_is(text: str) -> None:
    assert translate(text) is None
    assert translate_parts(text) is None
