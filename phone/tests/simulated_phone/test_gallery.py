"""The gallery in a real browser, and wrong calls of its command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docs.site.gallery import command, write_gallery
from simulated_phone import Phone, PhoneError
from simulated_phone.language.language import languages
from simulated_phone.screens.pages import AppPage
from tests.accessible_page import check_accessible, check_keyboard
from tests.browser_page import check_policy, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CLOCK, MAIL = "com.android.deskclock", "com.android.email"
DECODED = "() => [...document.images].every(image => image.complete && image.naturalWidth === 360)"


@pytest.mark.soak
def test_every_page_is_a_picture_in_each_language_and_mode(tmp_path: Path, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("requestfailed", lambda request: problems.append(request.url[:80]))
    page.goto(write_gallery(tmp_path / "made", [CLOCK, MAIL]).as_uri())
    phone = Phone(size=(360, 800), density=140)
    phone.start(CLOCK)
    surface = phone.shown().surface
    assert isinstance(surface, AppPage)
    pages = len(surface.tabs) + 1
    assert page.locator("img").count() == pages * len(languages()) * 2
    # pictures are decoded when they are scrolled to
    for number in range(page.locator("img").count()):
        page.locator("img").nth(number).scroll_into_view_if_needed()
    wait_until(page, DECODED)
    captions = page.locator("figcaption").all_inner_texts()
    assert captions[:4] == ["时钟 · zh", "时钟 · zh · dark", "Clock · en", "Clock · en · dark"]
    assert captions[-4:] == ["邮件 · zh", "邮件 · zh · dark", "Mail · en", "Mail · en · dark"]
    page.locator("nav a").nth(1).click()
    wait_until(page, "() => document.getElementById('com.android.email').getBoundingClientRect().top < 600")
    assert problems == []
    check_accessible(page)
    check_keyboard(page)
    page.locator("#language").click()
    assert page.locator("h1").inner_text() == "模拟手机的应用"
    check_policy(page)
    page.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--app", "com.example.none"],
            "there is no app 'com.example.none'; there are com.android.launcher3",
        ),
        (["--out", "/dev/null/x", "--app", MAIL], "the gallery cannot be written in /dev/null/x"),
    ],
)
def test_a_wrong_call_is_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(PhoneError) as error:
        command.main(["--out", str(tmp_path), *arguments], standalone_mode=False)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
