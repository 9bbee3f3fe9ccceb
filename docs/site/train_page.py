"""The commands and files of docs/train.md."""

from __future__ import annotations

import re
from pathlib import Path

_DOCS = Path(__file__).parents[2] / "docs"


def _blocks(page: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)


def commands_of(name: str) -> list[str]:
    """The commands of a page that need a model, or other software."""
    blocks = _blocks((_DOCS / name).read_text(encoding="utf-8"))
    return [line for kind, block in blocks if kind == "sh" for line in block.splitlines()]


PAGE = (_DOCS / "train.md").read_text(encoding="utf-8")
_BLOCKS = _blocks(PAGE)

EXPORTS = [line for kind, block in _BLOCKS if kind == "bash" for line in block.splitlines()]
"""The exports of the page, in order; they run as they stand."""

COMMANDS = commands_of("train.md")
"""The other commands; they need a model, or other software."""

FILES = [block for kind, block in _BLOCKS if kind == "yaml"]
"""The settings files of TRL and LLaMA-Factory."""


def settings_file(key: str, value: str = "") -> str:
    """The settings file with this key, and this value of it."""
    (found,) = [file for file in FILES if re.search(rf"^{key}: {value}", file, flags=re.MULTILINE)]
    return found


def command_of(program: str) -> str:
    """The command that begins with these words."""
    (found,) = [line for line in COMMANDS if line.startswith(f"{program} ")]
    return found
