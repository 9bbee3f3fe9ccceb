"""Plain text as Markdown."""

from __future__ import annotations

import re

_CODE = re.compile(r"(``.+?``|`[^`]+`)")
_ACTIVE = re.compile(r"([\\*_\[\]{}#|])")


def prose(text: str) -> str:
    """Text on one line in which only code in backticks is Markdown."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(_as_code(part) if _CODE.fullmatch(part) else _escaped(part) for part in parts)


def code(text: str) -> str:
    """Text as a code span, also within a table."""
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text}{ticks}"


def fenced(text: str, language: str = "") -> str:
    """Text as a block of code."""
    return f"```{language}\n{text.rstrip()}\n```"


def _as_code(part: str) -> str:
    return code(part.strip("`"))


def _escaped(part: str) -> str:
    safe = part.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _ACTIVE.sub(r"\\\1", safe)
