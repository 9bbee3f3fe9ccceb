"""List of the texts that people read, from the sources: to be read through as a whole.

    python -m tests.shown_texts                      count of each kind
    python -m tests.shown_texts note title           the texts of these kinds, each with its file and line
    python -m tests.shown_texts error execution_runner privacy      those of some folders
    python -m tests.shown_texts message              of the catalogues of the pages, English and Chinese

Python sources are read as syntax trees, so a text that is built of several lines is one, and a value in it
is its expression in braces. A text's kind is what happens to it: `error` is raised, `help` is that of an
option, argument or command, `title` is a table's, a column's or a figure's, `printed` is printed directly,
and `note` is any other sentence. Docstrings are left out but for those of commands.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.test_architecture import ROOT, SOURCES, syntax_tree

KINDS = ("title", "note", "printed", "error", "help", "message")

PHONE_ONLY = frozenset({"android_shell", "simulated_phone"})
"""Packages whose texts are those of a simulated phone, which are no texts of ours, but for errors."""

_PROSE = re.compile(r"[A-Za-z{][a-z}]*[,:;]? +[a-z{(]")
_WORD = re.compile("[A-Za-z]{2}")
_TITLES = re.compile(r"TITLE|COLUMN|HEAD")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownText:
    """A text that people read.

    Attributes:
        kind: One of `KINDS`.
        file: Its source, relative to the repository.
        line: Number of its first line.
        text: The text; a value in it is its expression in braces.
    """

    kind: str
    file: Path
    line: int
    text: str


def list_texts() -> Iterator[ShownText]:
    """List all texts: of the Python sources, then of the catalogues."""
    for source in SOURCES:
        found = TextFinder(source.relative_to(ROOT))
        found.visit(syntax_tree(source))
        yield from found.texts
    for catalogue in sorted(ROOT.glob("fingertip_pages/*.toml")):
        yield from _list_messages(catalogue)


def _list_messages(catalogue: Path) -> Iterator[ShownText]:
    lines = catalogue.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        for key, forms in tomllib.loads(line).items() if " = { " in line else ():
            text = f"{forms.get('en', key)} | {forms['zh']}"
            yield ShownText(kind="message", file=catalogue.relative_to(ROOT), line=number, text=text)


class TextFinder(ast.NodeVisitor):
    """Collects the texts of a source."""

    def __init__(self, file: Path) -> None:
        self.texts: list[ShownText] = []
        self._file = file
        self._kinds: list[str] = []

    def visit_Raise(self, node: ast.Raise) -> None:
        """Take what is raised as errors."""
        self._visit_as("error", node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Take constants of titles and columns as such."""
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        titles = any(name.isupper() and _TITLES.search(name) for name in names)
        self._visit_as("title" if titles else "", node)

    def visit_Call(self, node: ast.Call) -> None:
        """Take the arguments of a call by the name that is called."""
        name = ast.unparse(node.func).rpartition(".")[2]
        kind = "title" if name == "add_column" else "printed" if name in {"echo", "secho"} else ""
        if name.endswith(("Error", "Exception")):
            kind = "error"
        self.visit(node.func)
        for argument in node.args:
            self._visit_as(kind, argument)
        for keyword in node.keywords:
            of_keyword = {"help": "help", "short_help": "help", "title": "title"}.get(keyword.arg or "", kind)
            self._visit_as(of_keyword, keyword.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Take the docstring of a command as help; other docstrings are skipped."""
        decorators = map(ast.unparse, node.decorator_list)
        help_text = ast.get_docstring(node)
        if help_text and any(re.search(r"\.(command|group)\(", decorator) for decorator in decorators):
            self._add("help", node.lineno, help_text)
        self._visit_body(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Skip the docstring."""
        self._visit_body(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Skip docstrings of modules and constants."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Add a text."""
        if isinstance(node.value, str):
            self._add(self._kind, node.lineno, node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Add a text with values, and the texts within its values."""
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
            else:
                value = part.value if isinstance(part, ast.FormattedValue) else part
                parts.append("{" + ast.unparse(value) + "}")
                self.visit(value)
        self._add(self._kind, node.lineno, "".join(parts))

    @property
    def _kind(self) -> str:
        return next(filter(None, reversed(self._kinds)), "note")

    def _visit_body(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.body):
            self.visit(part)

    def _visit_as(self, kind: str, node: ast.AST) -> None:
        self._kinds.append(kind)
        if isinstance(node, ast.Raise | ast.Assign):
            self.generic_visit(node)
        else:
            self.visit(node)
        self._kinds.pop()

    def _add(self, kind: str, line: int, text: str) -> None:
        if kind != "error" and self._file.parts[0] == "phone" and PHONE_ONLY & set(self._file.parts):
            return
        if _PROSE.search(text) or (kind == "title" and _WORD.search(text)):
            self.texts.append(ShownText(kind=kind, file=self._file, line=line, text=" ".join(text.split())))


def main(words: list[str]) -> None:
    """Print the texts of kinds, or without a kind how many there are of each.

    Args:
        words: Kinds, and folders that sources are below; all folders if there is none.
    """
    kinds, folders = set(words) & set(KINDS), [word.strip("/") for word in words if word not in KINDS]
    texts = [
        text
        for text in list_texts()
        if not folders or any(text.file.is_relative_to(folder) for folder in folders)
    ]
    if not kinds:
        for kind, count in Counter(text.kind for text in texts).most_common():
            print(f"{count:6,} {kind}")  # noqa: T201
    for text in texts:
        if text.kind in kinds:
            print(f"{text.file}:{text.line}: {text.text}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
