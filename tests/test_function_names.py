"""Names of functions begin with a verb, seldom with a participle; docstrings name their object."""

from __future__ import annotations

import ast
import re

from tests.function_names import MOST_EXCEPTIONS, NamedFunction, list_functions, read_exceptions
from tests.test_architecture import ROOT, SOURCES, syntax_tree

LEAST_VERBS, MOST_PARTICIPLES = 0.7, 0.02
UNNAMED = re.compile(r"(What|One|Its|Those|By|Likewise|The same)\b")
"""First words of docstrings that leave open what they are about."""


def named(name: str) -> NamedFunction:
    return NamedFunction(path=ROOT, line=1, name=name)


def test_functions_begin_with_a_verb() -> None:
    functions = list(list_functions(SOURCES))
    assert sum(one.begins_with_verb for one in functions) >= LEAST_VERBS * len(functions)
    assert sum(one.begins_with_participle for one in functions) <= MOST_PARTICIPLES * len(functions)


def test_exceptions_are_few_and_needed() -> None:
    exceptions = read_exceptions()
    assert exceptions == sorted(set(exceptions))
    assert len(exceptions) <= MOST_EXCEPTIONS
    assert {name for name in exceptions if named(name).begins_with_verb} == set()


def test_kinds_of_first_words() -> None:
    assert [named(name).begins_with_verb for name in ("read_rows", "_parse", "is_open", "rows")] == [
        True, True, True, False,
    ]  # fmt: skip
    assert [named(name).begins_with_participle for name in ("shown_rows", "_judged", "embed", "read")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_docstrings_name_their_object() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {(ast.get_docstring(node) or '').splitlines()[0]}"
        for path in [*SOURCES, *sorted((ROOT / "docs").rglob("*.py"))]
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if UNNAMED.match(ast.get_docstring(node) or "")
    ]
    assert wrong == []
