"""The page of style ratings in a real browser: by keyboard, in both languages, on a narrow screen."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_analysis.review.ratings import read_ratings
from tests.browser_page import HOSTILE, check_policy, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DrawRun = Callable[..., Path]
Serve = Callable[..., Any]
OpenPage = Callable[..., "Page"]


@pytest.fixture
def runs(drawn_run: DrawRun) -> list[Path]:
    """Three runs of two tasks; the page must not reveal their agents."""
    return [drawn_run("听稻香", "订闹钟") for _ in range(3)]


def test_two_tasks_by_keyboard_alone_with_a_correction_and_a_reload(
    runs: list[Path], serve_ratings: Serve, open_page: OpenPage
) -> None:
    served = serve_ratings(*runs)
    session = served.session
    page = open_page(served.url, locale="en-US")
    first, second = session.task_order("anna")
    page.wait_for_selector("#task:not([hidden])")
    assert page.locator("#intent").inner_text() == session.tasks[first].target.intent
    assert page.locator("#own-title").inner_text() == "The person's own way"
    assert page.locator("#own-steps li").all_inner_texts() == ["taps “开始”", "types “稻香”"]
    assert page.locator(".way h2").all_inner_texts() == ["Way A", "Way B", "Way C"]
    assert page.locator(".way").nth(0).locator("ol li").all_inner_texts() == [
        "taps “搜索”", "types “稻香”", "scrolls down",
    ]  # fmt: skip
    # each key rates the next trajectory; then back to the first one to correct it
    for key in ("2", "5", "1", "ArrowLeft", "ArrowLeft", "3"):
        page.keyboard.press(key)
    page.wait_for_selector(".way:nth-child(1) [data-rating='3'][aria-pressed=true]")
    assert page.locator("#count").inner_text() == "1 of 2 rated"
    page.keyboard.press("Enter")
    wait_until(
        page,
        "intent => document.getElementById('intent').textContent === intent",
        arg=session.tasks[second].target.intent,
    )
    page.keyboard.press("4")
    page.wait_for_selector(".way:nth-child(1) [data-rating='4'][aria-pressed=true]")
    page.reload()
    page.wait_for_selector(".way:nth-child(2)[aria-current]")
    assert page.locator("#intent").inner_text() == session.tasks[second].target.intent
    for key in ("4", "4", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("#done:not([hidden])")
    assert page.locator("#summary").inner_text() == "You rated 2 tasks."
    page.keyboard.press("Enter")
    page.wait_for_selector("#over:not([hidden])")
    served.thread.join(120)
    assert not served.thread.is_alive()

    ratings = {
        (run, line.task_id): (line.rating, line.place, line.ways, line.rater)
        for run in runs
        for line in read_ratings(run)
    }
    order = [session[way].run for way in session.trajectory_order(first, "anna")]
    given = [ratings[run, session.tasks[first].target.task_id] for run in order]
    assert given == [(3, 1, 3, "anna"), (5, 2, 3, "anna"), (1, 3, 3, "anna")]
    assert all(ratings[run, session.tasks[second].target.task_id][0] == 4 for run in runs)


def test_no_response_reveals_the_agents_the_runs_or_other_ratings(
    runs: list[Path], serve_ratings: Serve
) -> None:
    served = serve_ratings(*runs, rater=None)
    session = served.session

    def get(place: str) -> str:
        with urllib.request.urlopen(f"{served.url}{place}") as answer:  # noqa: S310 - our own server
            return str(answer.read().decode())

    assert json.loads(get("session")) == {"rater": None, "own": False, "tasks": []}
    sent = get("session?rater=ben") + "".join(
        get(f"task/{key}?rater=ben") for key in session.task_order("ben")
    )
    for hidden in ("quixotic", "run1", "run2", "run3", "says", "finished"):
        assert hidden not in sent
    (key, _) = session.task_order("ben")
    output = json.loads(get(f"task/{key}?rater=ben"))
    assert [way["key"] for way in output["ways"]] == list(session.trajectory_order(key, "ben"))
    assert [way["rating"] for way in output["ways"]] == [None] * 3


def test_nothing_of_an_intent_runs(
    drawn_run: DrawRun, serve_ratings: Serve, open_page: Callable[..., Page], browser: Browser
) -> None:
    served = serve_ratings(drawn_run(HOSTILE))
    page = open_page(served.url)
    page.wait_for_selector("#task:not([hidden])")
    assert page.locator("#intent").inner_text() == HOSTILE
    assert page.evaluate("window.hacked") is None
    other = browser.new_page()
    other.goto(served.url)
    check_policy(other)
    other.close()
