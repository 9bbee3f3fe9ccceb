"""Pictures of every page in both themes and languages, in a wide and a narrow window, to be looked at.

python -m docs.site.page_pictures OUT [FILE ...]

runs the tests that check the pages' accessibility, which draw each page with their own data; then each FILE,
such as the two reports of `fingertip demo`, is drawn as well.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

from tests.accessible_page import PICTURES, photograph

ROOT = Path(__file__).parents[2]


def tests_of_pages() -> list[str]:
    """The test files that check a page."""
    return sorted(
        str(path)
        for path in (*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("*/tests/**/test_*.py"))
        if "check_accessible(" in path.read_text(encoding="utf-8")
    )


def draw_files(pages: list[Path]) -> None:
    """Draws pages that are files already."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        for file in pages:
            page = browser.new_page()
            page.goto(file.resolve().as_uri())
            photograph(page)
        browser.close()


def main(out: Path, pages: list[Path]) -> int:
    """Draws all pages; returns the exit status of the tests."""
    out.mkdir(parents=True, exist_ok=True)
    os.environ[PICTURES] = str(out.resolve())
    call = [sys.executable, "-m", "pytest", "-q", "-m", "not frameworks", *tests_of_pages()]
    done = subprocess.run(call, cwd=ROOT, check=False)  # noqa: S603 - our own tests
    draw_files(pages)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]))
