"""Markdown as GitHub reads it, turned into Markdown that the builder of the site reads the same way.

The builder is Python-Markdown. Where the two differ in a construct that pages use, a page is rewritten on its
way to the site; `tests/docs/site/test_built_pages.py` compares all pages and names what else differs.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[ \t]*(?P<ticks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*?)[ \t]*$")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_ITEM = re.compile(r"^ *(?P<mark>[-*+]|\d{1,9}[.)])(?P<gap> {1,4})(?=\S)")
_RULE = re.compile(r"^ *([-*_])( *\1){2,} *$")
_DELIMITERS = re.compile(r"^ *\|?( *:?-+:? *\|)+")
_TAB = 4
"""Spaces by which the builder wants what belongs to an item of a list, whatever the width of its mark."""


def adapt_markdown(text: str) -> str:
    r"""Rewrite a page for the builder; what GitHub shows of it stays the same.

    - The name of a file behind a language ("```python my_agent.py") becomes the title of the block of code;
      other words, which are for the tests, go.
    - In tables `\|` within code becomes `|`.
    - What belongs to an item of a list is indented by four spaces.
    - A list, a table or a block of code directly below a paragraph gets an empty line above it.
    """
    return "".join(f"{line}\n" for line in _Adapter(text.splitlines()).list_lines())


class _Adapter:
    """The lines of a page, read one after the other."""

    def __init__(self, lines: list[str]) -> None:
        self._read = lines
        self._written: list[str] = []
        self._ticks = ""
        self._items: list[int] = []
        # of the block since the last empty line, None at its beginning
        self._first: str | None = None

    def list_lines(self) -> list[str]:
        """Return the rewritten lines."""
        for number, line in enumerate(self._read):
            if self._ticks:
                self._add_code(line)
            elif not line.strip():
                self._first = None
                self._written.append("")
            else:
                self._add_text(number, line)
        return self._written

    def _add_code(self, line: str) -> None:
        fence = _FENCE.match(line)
        # a fence is closed by the same characters, at least as many, and no word
        if fence and not fence["info"] and fence["ticks"].startswith(self._ticks):
            self._ticks, self._first = "", line
        self._written.append(self._indent(line))

    def _add_text(self, number: int, line: str) -> None:
        fence, item = _FENCE.match(line), None if _RULE.match(line) else _ITEM.match(line)
        if self._first is not None and (fence or _FENCE.match(self._first)):
            self._written.append("")
            self._first = None
        if self._first is None or fence or item:
            indent = _count_indent(line)
            while self._items and indent < self._items[-1]:
                self._items.pop()
        if fence:
            self._ticks = fence["ticks"]
            line = line[: fence.start("ticks")] + self._ticks + _write_info(fence["info"])
        elif item and _count_indent(line) - (self._items or [0])[-1] < _TAB:
            self._add_item(line, item)
            return
        elif line.lstrip().startswith("|"):
            line = self._write_row(number, line)
        self._first = self._first or line
        self._written.append(self._indent(line))

    def _add_item(self, line: str, item: re.Match[str]) -> None:
        first = self._first
        # a list below a paragraph; of numbers, GitHub takes 1 alone for a list: others may end a sentence
        if first is not None and not _ITEM.match(first):
            deeper = _count_indent(first) > _count_indent(line)
            if not (deeper or item["mark"] in "-*+" or item["mark"][:-1] == "1"):
                self._written.append(self._indent(line))
                return
            self._written.append("")
            first = None
        mark = item["mark"].replace(")", ".")
        self._written.append(" " * _TAB * len(self._items) + f"{mark} {line[item.end() :]}")
        self._first = first or line
        self._items.append(item.end())

    def _write_row(self, number: int, line: str) -> str:
        following = self._read[number + 1] if number + 1 < len(self._read) else ""
        if (
            self._first is not None
            and _DELIMITERS.match(following)
            and not self._first.lstrip().startswith("|")
        ):
            self._written.append("")
            self._first = None
        return _CODE.sub(lambda code: code[0].replace(r"\|", "|"), line)

    def _indent(self, line: str) -> str:
        """Indent a line as the builder wants it in the items of lists that it stands in."""
        inner = self._items[-1] if self._items else 0
        if not inner or _count_indent(line) < inner:  # a line of a paragraph may begin further left
            return line
        return " " * _TAB * len(self._items) + line[inner:]


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _write_info(info: str) -> str:
    """Write what stands behind the backticks: the language, and the name of a file as a title."""
    language, _, words = info.partition(" ")
    name = words.strip().split(" ")[0]
    if info.startswith("{") or "=" in words:  # options of the builder
        return info
    return f'{language} title="{name}"' if "." in name.strip(".") else language
