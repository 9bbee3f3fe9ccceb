"""Checks of every HTML page: WCAG 2.1 A and AA by axe, both themes and languages, keyboard, narrow windows.

axe-core comes with the package axe-playwright-python. It is run by the browser's debugger, to which a page's
Content Security Policy does not apply, so the page stays as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser_page import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

LANGUAGES, THEMES = ("en", "zh"), ("light", "dark")
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa")
PICTURES = "FINGERTIP_PAGE_PICTURES"
WIDTHS = (1200, 390)
NARROW = 390
"""Width of a phone's window, px."""

PAPER = 718
"""Width of A4 within a browser's margins, px."""

MOST_KEYS = 60
"""Number of times that Tab is pressed; longer pages repeat what was seen by then."""

LEAST_OUTLINE = 2
"""Width of the outline of what has the focus, px."""

_AXE = """async ([within, tags, without]) => {
  const root = document.querySelector(within), under = new Map();
  // the backgrounds that a part is drawn on, as text
  const ground = (part) => {
    if (part === null) return "";
    if (!under.has(part)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(part);
      const own = [backgroundColor, backgroundImage, opacity, filter].join();
      const above = ground(part.parentElement);
      under.set(part, own === "rgba(0, 0, 0, 0),none,1,none" ? above : `${above} ${own}`);
    }
    return under.get(part);
  };
  // contrast takes nine tenths of axe's time: of parts whose letters and ground are equal, one is checked
  const samples = new Map();
  for (const part of root.querySelectorAll("*")) {
    const letters = [...part.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!(letters || part.placeholder) || !part.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(part);
    const key = [part.disabled, color, fontSize, fontWeight, ground(part)].join();
    if (!samples.has(key)) samples.set(key, part);
  }
  const run = (include, options) =>
    axe.run({ include, exclude: without }, { ...options, resultTypes: ["violations"], iframes: false });
  const rules = { "color-contrast": { enabled: false } };
  const found = [
    await run(within, { runOnly: { type: "tag", values: tags }, rules }),
    await run([...samples.values()], { runOnly: { type: "rule", values: ["color-contrast"] } }),
  ];
  return found.flatMap(({ violations }) => violations).flatMap(rule => rule.nodes.map(node =>
    `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""

_CHINESE_WITHOUT_LANGUAGE = """within => {
  const found = [], walker = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const part = walker.currentNode.parentElement;
    if (!/[\\u4e00-\\u9fff]/.test(walker.currentNode.data) || !part.checkVisibility()) continue;
    if (!part.closest("[lang]").lang.startsWith("zh")) found.push(walker.currentNode.data.slice(0, 40));
  }
  return found;
}"""

_OTHER_LANGUAGE = r"""([within, language, names]) => {
  const name = new RegExp(`^(?:${names})$`), found = new Set(), page = document.documentElement.lang;
  const walker = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
  const form = language === "zh" ? /[A-Za-z0-9_.\-\/=]+/g : /[\u3400-\u9fff\uff01-\uff5e\u3001\u3002]+/g;
  const isLeftOver = (word) =>
    language === "en" || (/[A-Za-z]{2}/.test(word) && !name.test(word.replace(/[.\-\/]+$/, "")));
  while (walker.nextNode()) {
    const part = walker.currentNode.parentElement, text = walker.currentNode.data;
    // what states its own language is data, and what is code is typed
    if (part.closest("script, style, template, noscript, code, pre, kbd, svg, [data-own]")) continue;
    if (part.closest("[lang]").lang !== page) continue;
    if (!part.checkVisibility({ visibilityProperty: true })) continue;
    const words = text.replace(/`[^`]*`|\([^()]*=[^()]*\)/g, " ").match(form) ?? [];
    for (const word of words.filter(isLeftOver)) found.add(`${word}: ${text.trim().slice(0, 80)}`);
  }
  return [...found];
}"""

NAMES = (
    r"\w*[\d_]\w*",
    r"[\w.=\/\-]*[\d_=.\/\-][\w.=\/\-]*",
    "FingerTip|Sim|SR|II|adb|AI|API|CPU|CSV|GPU|Hub|ID|JSON|QR|UI|URL|USD|EUR|WCAG|Tab|Escape|Enter",
    "release|written|lexical|HashingVectorizer|simulated|char|loop|generic|unexplained",
)
"""Latin words that a Chinese page may have: identifiers, which have a digit or a sign, names, settings."""

_BROKEN_WORDS = r"""([within, most]) => {
  const found = [], range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
  const countLines = (node, from, length) => {
    range.setStart(node, from);
    range.setEnd(node, from + length);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    return new Set(boxes.map((box) => Math.round(box.top))).size;
  };
  while (walker.nextNode()) {
    const node = walker.currentNode, part = node.parentElement;
    if (part.closest("script, style, template, noscript, option, pre")) continue;
    if (!part.checkVisibility()) continue;
    for (const run of node.data.matchAll(/[\x21-\x7e]+/g)) {
      if (run[0].length > most) continue;
      for (const word of run[0].matchAll(/\w{2,}/g))
        if (countLines(node, run.index + word.index, word[0].length) > 1)
          found.push(`${word[0]}: ${part.outerHTML.slice(0, 90)}`);
    }
  }
  return found;
}"""

LONGEST_WHOLE = 24
"""Characters without a space up to which no word of them may be broken in a phone's window."""

_FROM_THE_START = """() => {
  const start = document.createElement("span");
  start.tabIndex = -1;
  document.body.prepend(start);
  start.focus();
  start.remove();
}"""

_FOCUS = """() => {
  const part = document.activeElement;
  if (part === document.body || part === null) return null;
  const style = getComputedStyle(part), box = part.getBoundingClientRect();
  return { name: part.outerHTML.slice(0, 90), outline: style.outlineStyle,
    width: parseFloat(style.outlineWidth), seen: box.width > 0 && box.height > 0 };
}"""

_WIDER = """width => [...document.querySelectorAll("body *")]
  .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > width + 1)
  .map((part) => `${part.getBoundingClientRect().right}: ${part.outerHTML.slice(0, 90)}`).slice(0, 5)"""

_CONTAINS_FOCUS = "within => document.querySelector(within).contains(document.activeElement)"

_TABBABLE = """within => [...document.querySelector(within).querySelectorAll(
    "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex='0']")]
  .filter(part => part.checkVisibility({ visibilityProperty: true }) && part.tabIndex >= 0).length"""


@cache
def _axe_source() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def check_accessible(
    page: Page,
    *,
    within: str = "body",
    without: tuple[str, ...] = (),
    narrow: bool = True,
    names: tuple[str, ...] = (),
) -> None:
    """Checks a page in both themes and languages; leaves it English, light, and as wide as before.

    Args:
        page: The page, which has the two switches of all pages.
        within: Selector of the part to check.
        without: Selectors of parts that are not ours.
        narrow: Whether it must fit a phone's window without sideways scrolling.
        names: Expressions of further Latin words that its Chinese may have.
    """
    page.evaluate(_axe_source())
    photograph(page)
    # no colour depends on the language and no text on the theme, so each is checked once
    for language, theme in zip(LANGUAGES, THEMES, strict=True):
        show(page, language, theme)
        violations = page.evaluate(_AXE, [[within], TAGS, list(without)])
        assert violations == [], f"{language}, {theme}: " + "\n".join(violations)
        unmarked = page.evaluate(_CHINESE_WITHOUT_LANGUAGE, within)
        assert unmarked == [], f"{language}: Chinese without its language: {unmarked}"
        left_over = page.evaluate(_OTHER_LANGUAGE, [within, language, "|".join((*NAMES, *names))])
        assert left_over == [], f"{language}: words of the other language: {left_over}"
        if narrow:
            check_narrow(page, within)
    show(page, "en", "light")


def photograph(page: Page) -> None:
    """Draws the page in both themes, languages and widths into the folder that `page_pictures` names."""
    folder = os.environ.get(PICTURES)
    if not folder:
        return
    size = page.viewport_size
    show(page, "en", "light")
    name = re.sub(r"[^a-z0-9]+", "-", page.title().removeprefix("FingerTip 20K").lower()).strip("-")
    number = len(list(Path(folder).glob(f"{name}*-1200-en-light.png")))
    name = f"{name}-{number + 1}" if number else name
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for language in LANGUAGES:
            for theme in THEMES:
                show(page, language, theme)
                page.wait_for_timeout(300)
                page.screenshot(path=Path(folder, f"{name}-{width}-{language}-{theme}.png"))
    show(page, "en", "light")
    if size is not None:
        page.set_viewport_size(size)


def photograph_dialog(page: Page, name: str) -> None:
    """Draws an open dialog into the folder that `page_pictures` names."""
    folder = os.environ.get(PICTURES)
    if folder:
        number = len(list(Path(folder).glob("dialog-*.png")))
        page.wait_for_timeout(300)
        page.screenshot(path=Path(folder, f"dialog-{number:02}-{name}.png"))


def show(page: Page, language: str, theme: str) -> None:
    """Switches to a language and a theme, as the two buttons do."""
    page.evaluate(
        "([language, theme]) => { frame.setTheme(theme); frame.setLanguage(language); }", [language, theme]
    )


def check_narrow(page: Page, within: str = "body") -> None:
    """Checks that a phone's window shows the page without sideways scrolling or broken words.

    Tables scroll alone.
    """
    size = page.viewport_size
    page.set_viewport_size({"width": NARROW, "height": 844})
    wait_until(page, "width => innerWidth === width", NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
    broken = page.evaluate(_BROKEN_WORDS, [within, LONGEST_WHOLE])
    assert broken == [], f"broken words: {broken}"
    if size is not None:
        page.set_viewport_size(size)


def check_paper(page: Page) -> None:
    """Checks that nothing is wider than a sheet of A4: what would scroll on a display is cut off on paper."""
    size = page.viewport_size
    page.set_viewport_size({"width": PAPER, "height": 1047})
    page.emulate_media(media="print")
    wait_until(page, "width => innerWidth === width && matchMedia('print').matches", PAPER)
    wide = page.evaluate(_WIDER, PAPER)
    page.emulate_media(media="screen")
    if size is not None:
        page.set_viewport_size(size)
    assert wide == [], f"wider than paper: {wide}"


def check_dialog(page: Page, opener: Locator | Callable[[], None], *, within: str = "dialog") -> None:
    """Opens a dialog in either language and theme: accessible, Tab stays in it, Escape leads back.

    Args:
        page: The page; left English, light, and without the dialog.
        opener: What opens the dialog when Enter is pressed on it, or a function that opens it by other means.
        within: Selector of the dialog.
    """
    page.evaluate(_axe_source())
    for language, theme in zip(LANGUAGES, THEMES, strict=True):
        show(page, language, theme)
        if callable(opener):
            opener()
        else:
            opener.focus()
            page.keyboard.press("Enter")
        page.locator(f"{within}[open]").wait_for()
        violations = page.evaluate(_AXE, [[within], TAGS, []])
        assert violations == [], f"{language}, {theme}: " + "\n".join(violations)
        check_narrow(page)
        photograph_dialog(page, f"{language}-{theme}")
        count = page.evaluate(_TABBABLE, within)
        for _ in range(count + 1):
            page.keyboard.press("Tab")
            stop = page.evaluate(_FOCUS)
            # the browser's own controls come between the last and the first part
            assert stop is None or page.evaluate(_CONTAINS_FOCUS, within), f"Tab leaves the dialog: {stop}"
            assert stop is None or stop["width"] >= LEAST_OUTLINE, f"no visible focus: {stop}"
        page.keyboard.press("Escape")
        page.locator(f"{within}:not([open])").wait_for(state="attached")
        back = callable(opener) or opener.evaluate("part => part === document.activeElement")
        assert back, "the focus does not come back"
    show(page, "en", "light")


def check_keyboard(page: Page, *, within: str = "body") -> None:
    """Walks through the page with Tab: each stop is in view and has an outline, and nothing is left out."""
    page.evaluate(_FROM_THE_START)
    stops: list[dict[str, Any]] = []
    for _ in range(MOST_KEYS):
        page.keyboard.press("Tab")
        stop = page.evaluate(_FOCUS)
        if stop is None:
            break
        stops.append(stop)
    hidden = [
        stop
        for stop in stops
        if not stop["seen"] or stop["outline"] == "none" or stop["width"] < LEAST_OUTLINE
    ]
    assert stops, "Tab leads nowhere"
    assert hidden == [], f"no visible focus: {hidden}"
    if len(stops) < MOST_KEYS:
        count = page.evaluate(_TABBABLE, within)
        assert count <= len(stops), f"{count} parts, but Tab leads to {[stop['name'] for stop in stops]}"
