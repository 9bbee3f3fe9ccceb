"""Renew docs/images/execution.png from the page that `make demo` wrote.

python -m docs.site.demo_picture [fingertip-demo]

The top of the page with its scores, and below it the first task that every agent has done and whose screens
fill a row.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from docs.site.site_map import DOCS, ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator

WIDTH = 1200
GAP = 10
ROW = range(5, 9)
"""Golden steps of the task: nine screens are a row."""


def pictures(page_file: Path) -> list[Image.Image]:
    """The parts of the picture, from a browser."""
    from playwright.sync_api import sync_playwright

    browser_file = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 1800}, color_scheme="light")
        page.goto(page_file.resolve().as_uri())
        height = page.evaluate("document.querySelector('.charts > *').getBoundingClientRect().bottom")
        top = page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height + GAP})
        tasks = page.locator("article.task")
        # tasks further down are drawn when they come into view
        task = next((one for one in map(tasks.nth, range(tasks.count())) if _fits(one)), tasks.first)
        task.scroll_into_view_if_needed()
        page.wait_for_load_state("networkidle")
        below = task.screenshot()
        browser.close()
    return [Image.open(io.BytesIO(data)).convert("RGB") for data in (top, below)]


def _fits(task: Locator) -> bool:
    task.scroll_into_view_if_needed()
    text = task.inner_text()
    steps = re.search(r"(\d+) golden steps", text)
    return "✓" in text and "✗" not in text and steps is not None and int(steps.group(1)) in ROW


def joined(parts: list[Image.Image]) -> Image.Image:
    """The parts below one another, on the colour of the page."""
    height = sum(part.height + GAP for part in parts)
    whole = Image.new("RGB", (WIDTH, height), parts[0].getpixel((1, 1)))
    place = 0
    for part in parts:
        whole.paste(part, ((WIDTH - part.width) // 2, place))
        place += part.height + GAP
    return whole.quantize(128)


if __name__ == "__main__":
    demo = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "fingertip-demo"
    joined(pictures(demo / "execution.html")).save(DOCS / "images" / "execution.png", optimize=True)
