"""Helpers for browser pages: waiting for a condition, and markup that tries to run a script."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


ATTACKS = (
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=2</script>",
    "</style></title></textarea><script>window.hacked=3</script>",
    "<img src=x onerror=window.hacked=4>",
    "<svg onload=window.hacked=5><animate onbegin=window.hacked=6 attributeName=x dur=1s></svg>",
    "<a id=attack-link href='javascript:window.hacked=7'>here</a>",
    "<iframe srcdoc='<script>parent.hacked=8</script>'></iframe>",
    "<details open ontoggle=window.hacked=9>x</details>",
    "\"'><b onmouseover=window.hacked=10>{{7*7}}${7*7}",
    "<img src=https://example.invalid/leak.png>",
)
"""Texts of a stranger (an intent, an output, a name) that a page must show and not carry out."""

HOSTILE = " ".join(ATTACKS)

_INSERT = """attacks => {
  window.refused = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    if (event.disposition === "enforce") window.refused.push(event.blockedURI);
  });
  const box = document.createElement("div");
  document.body.append(box);
  for (const attack of attacks) box.insertAdjacentHTML("beforeend", attack);
  const script = document.createElement("script");
  script.textContent = "window.hacked = 11";
  box.append(script);
  box.querySelector("#attack-link").click();
  fetch("https://example.invalid/leak").catch(() => { window.fetched = "refused"; });
}"""


def check_policy(page: Page) -> None:
    """Checks that the page's policy stops what its escaping would let through.

    The attacks are made part of the document as if no text had been escaped. Nothing of them may run, and
    nothing may be requested from another host.

    Args:
        page: The page; a listener to its requests also hears of those that the policy refused.
    """
    page.evaluate(_INSERT, ATTACKS)
    # event handlers and the script are "inline"; the picture and the request name their host
    for refused in ("inline", "https://example.invalid/leak.png", "https://example.invalid/leak"):
        wait_until(page, "uri => window.refused.includes(uri)", refused)
    wait_until(page, "() => window.fetched === 'refused'")
    assert page.evaluate("window.hacked") is None


def wait_until(page: Page, condition: str, arg: object = None, seconds: float = 120) -> None:
    """Waits until a JavaScript function holds.

    Playwright's own `wait_for_function` polls with `eval`, which our pages' Content Security Policy forbids:
    it fails unless the condition holds at the first check.

    Args:
        page: The page.
        condition: A JavaScript function, `() => ...` or `arg => ...`.
        arg: Argument of the function.
        seconds: Maximum time to wait.
    """
    deadline = time.monotonic() + seconds
    while not page.evaluate(condition, arg):
        assert time.monotonic() < deadline, f"after {seconds} s it does not hold: {condition} with {arg!r}"
        page.wait_for_timeout(50)
