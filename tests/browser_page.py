"""Helper that waits for a condition on a browser page."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


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
