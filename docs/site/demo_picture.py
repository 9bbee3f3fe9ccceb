"""The pictures of the page that `fingertip demo` writes, in both languages.

The top of the page with its scores, and below it a task of a person who speaks the language of the page: the
first one that every agent has done and whose screens fill a row. `python -m docs.site.pictures` draws them.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Locator

WIDTH = 1200
GAP = 10
ROW = range(6, 10)
"""Screens of the task: nine are a row."""

LOCALES = {"en": "en-US", "zh": "zh-CN"}
"""Language of a page -> locale of the browser that opens it."""


def draw_page(page_file: Path, language: str) -> Image.Image:
    """Draw the picture of a page of track 2 in a language, "en" or "zh"."""
    return _join_parts(_photograph_parts(page_file, language))


def _photograph_parts(page_file: Path, language: str) -> list[Image.Image]:
    """The parts of the picture, from a browser."""
    from playwright.sync_api import sync_playwright

    browser_file = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": WIDTH, "height": 1800}, color_scheme="light", locale=LOCALES[language]
        )
        page.goto(page_file.resolve().as_uri())
        height = page.evaluate("document.querySelector('.charts > *').getBoundingClientRect().bottom")
        top = page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height + GAP})
        tasks = page.locator(f"article.task:has(h3:lang({language}))")
        # tasks further down are drawn when they come into view
        task = next((one for one in map(tasks.nth, range(tasks.count())) if _fits(one)), tasks.first)
        task.scroll_into_view_if_needed()
        page.wait_for_load_state("networkidle")
        below = task.screenshot()
        browser.close()
    return [Image.open(io.BytesIO(data)).convert("RGB") for data in (top, below)]


def _fits(task: Locator) -> bool:
    task.scroll_into_view_if_needed()
    task.locator(".lane").first.wait_for()
    screens = task.locator(".lane").first.locator(".step").count()
    return task.locator(".attempt:not([data-success=yes])").count() == 0 and screens in ROW


def _join_parts(parts: list[Image.Image]) -> Image.Image:
    """The parts below one another, on the colour of the page."""
    height = sum(part.height + GAP for part in parts)
    whole = Image.new("RGB", (WIDTH, height), parts[0].getpixel((1, 1)))
    place = 0
    for part in parts:
        whole.paste(part, ((WIDTH - part.width) // 2, place))
        place += part.height + GAP
    return whole.quantize(256, dither=Image.Dither.NONE)
