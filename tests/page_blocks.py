"""The blocks of code in the README and in the pages of docs/."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```(\w*) ?(\S*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """A block of code of a page.

    Attributes:
        language: The word behind the backticks; "bash" and "python" run in the tests, all others do not.
        file: Name of the file that holds it, by the second word; "" for none.
        text: The code.
    """

    language: str
    file: str
    text: str

    @property
    def commands(self) -> list[str]:
        """Its command lines, without prompts, comments on lines of their own, and output."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [line.removeprefix("$ ").strip() for line in lines if line.strip()]


def blocks(page: Path) -> list[CodeBlock]:
    """All blocks of a page, in order."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [CodeBlock(language=language, file=file, text=text) for language, file, text in found]


def title(page: Path) -> str:
    """Path of a page in the repository."""
    return page.relative_to(ROOT).as_posix()


def words_of_fingertip(line: str) -> list[str]:
    """The arguments of `fingertip` in a command line; [] if it starts something else."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:  # no command line
        return []
    return words[1:] if words[:1] == ["fingertip"] else []
