"""Which files of the repository are pages of the site, and where; links between them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

PROJECT_PAGES = {
    "SECURITY.md": "project/security-policy.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "CODE_OF_CONDUCT.md": "project/code-of-conduct.md",
    "benchmarks/README.md": "project/benchmarks.md",
}
"""Pages outside of docs/ and their places."""

START_PAGES = {"docs/start.md": "index.md", "docs/zh/start.md": "zh/index.md"}
"""The pages that each language's site opens with."""

STARTS = {"README.md": "index.md", "README.zh.md": "zh/index.md"}
"""The READMEs, which are no pages: links to them lead to the start page."""

_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_FENCE = re.compile(r"^(```.*?^```)$", flags=re.MULTILINE | re.DOTALL)


def page_files() -> dict[str, str]:
    """Every Markdown page: its path in the repository -> its path on the site."""
    files = {path.relative_to(ROOT).as_posix(): path for path in DOCS.rglob("*.md")}
    own = {name: START_PAGES.get(name) or path.relative_to(DOCS).as_posix() for name, path in files.items()}
    return own | {path: place for path, place in PROJECT_PAGES.items() if (ROOT / path).is_file()}


def notebook_files() -> dict[str, str]:
    """Every notebook: its path in the repository -> its page on the site."""
    notebooks = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
    return {path.relative_to(ROOT).as_posix(): f"notebooks/{path.stem}.md" for path in notebooks}


def with_links(text: str, page: str, place: str, copied: Callable[[str], str]) -> str:
    """A page's text with its links to files of the repository as links within the site.

    Args:
        text: Markdown.
        page: Path of the page in the repository.
        place: Path of the page on the site.
        copied: Gets the path of a file that is not a page, puts it on the site, and returns its place there.
    """
    pages = page_files() | notebook_files()

    def linked(match: re.Match[str]) -> str:
        target, _, anchor = match[2].partition("#")
        if "://" in match[2] or match[2].startswith("mailto:") or not target:
            return match[0]
        path = os.path.normpath(PurePosixPath(page).parent / target)
        if path.startswith("docs/") and path not in pages and not path.startswith("docs/site/"):
            found = path.removeprefix("docs/")
        else:
            found = STARTS.get(path) or pages.get(path) or copied(path)
        if place.startswith("zh/") and not found.startswith("zh/"):
            # to the site in English, which is not built together with the Chinese one
            found = found.removesuffix(".md") + ".html" if found.endswith(".md") else found
        link = os.path.relpath(found, PurePosixPath(place).parent)
        # the start page has none of a README's headings
        return f"{match[1]}{link}{'#' + anchor if anchor and path not in STARTS else ''}{match[3]}"

    parts = _FENCE.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(linked, part) for part in parts)
