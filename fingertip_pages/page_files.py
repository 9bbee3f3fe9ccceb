"""The style sheets and the script of all pages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

STYLES = ("tokens.css", "base.css")
"""The style sheets, in their order; a page's own one, which has layout only, comes after them."""

SCRIPT = "frame.js"
"""The script, which stands before the body: it sets the theme before anything is drawn."""


@cache
def page_file(name: str) -> str:
    """The text of one of the files."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def base_style() -> str:
    """The style sheets in one text."""
    return "".join(map(page_file, STYLES))
