"""The page of success labels in a real browser, by keyboard unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from execution_runner.scoring.success_labels import LabelRecord, read_labels
from tests.browser_page import HOSTILE, check_policy, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

DrawRun = Callable[..., Path]
Serve = Callable[..., Any]
INTENTS = ("听稻香", "给妈妈发消息", "订早上的闹钟")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def wait_for(page: Page, selector: str) -> None:
    page.wait_for_selector(selector)


def text(page: Page, selector: str) -> str:
    return page.locator(selector).inner_text()


def by_intent(run: Path) -> dict[str, LabelRecord]:
    return {INTENTS[int(label.task_id[0])]: label for label in read_labels(run)}


def test_three_tasks_by_keyboard_with_a_reload_and_a_correction(
    drawn_run: DrawRun, serve: Serve, open_page: Callable[..., Page]
) -> None:
    run = drawn_run(*INTENTS)
    served = serve(run)
    page = open_page(served.url)
    order = [served.session[key].target.intent for key in served.session.order("anna")]
    wait_for(page, "#task:not([hidden])")
    assert text(page, "#intent") == order[0]
    assert text(page, "#count") == "0 of 3 labelled"

    # label, rate and go to the next task without waiting between keys
    press(page, "y", "4", "Enter", "n", "2", "Enter")
    wait_until(page, "intent => document.getElementById('intent').textContent === intent", arg=order[2])
    assert text(page, "#count") == "2 of 3 labelled"
    page.reload()
    wait_until(page, "intent => document.getElementById('intent').textContent === intent", arg=order[2])
    assert text(page, "#count") == "2 of 3 labelled"

    press(page, "u", "w")
    wait_for(page, "#why:focus")
    page.keyboard.type("看不清 y n 5")
    press(page, "Escape", "Enter")
    wait_for(page, "#done:not([hidden])")
    assert text(page, "#summary") == "3 tasks: 1 done, 1 not done, 1 not sure."
    labels = by_intent(run)
    reply = [(labels[intent].success, labels[intent].rating, labels[intent].why) for intent in order]
    assert reply == [("yes", 4, ""), ("no", 2, ""), ("unsure", None, "看不清 y n 5")]
    assert {(label.rater, label.kind) for label in labels.values()} == {("anna", "person")}
    assert all(label.seconds is not None for label in labels.values())

    press(page, "b", "b")
    wait_until(page, "intent => document.getElementById('intent').textContent === intent", arg=order[1])
    wait_for(page, "[data-success=no][aria-pressed=true]")
    press(page, "y", "Enter", "Enter")
    wait_for(page, "#done:not([hidden])")
    corrected = by_intent(run)[order[1]]
    assert (corrected.success, corrected.rating) == ("yes", 2)

    press(page, "Enter")
    wait_for(page, "#over:not([hidden])")
    served.thread.join(120)
    assert not served.thread.is_alive()


def test_no_response_reveals_the_agent_the_run_or_other_labels(
    drawn_run: DrawRun, serve: Serve, open_page: Callable[..., Page]
) -> None:
    labels = [{"task_id": "0__20250301_080000", "rater": "beatrix", "success": "yes", "why": "hearsay"}]
    runs = [
        drawn_run(*INTENTS, labels=labels),
        drawn_run(*INTENTS, ends={"success": True, "success_by": "rule"}),
    ]
    page = open_page("about:blank")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(serve(*runs).url)
    wait_for(page, "#task:not([hidden])")
    for number in range(6):
        wait_until(
            page, "count => document.getElementById('count').textContent.startsWith(count)", arg=str(number)
        )
        press(page, "ArrowRight", "End", "y", "3", "Enter")
    wait_for(page, "#done:not([hidden])")
    page.wait_for_load_state("networkidle")
    output = b"".join(answer.body() + repr(answer.all_headers()).encode() for answer in answers)
    assert len(answers) > 30
    for secret in (
        "quixotic",
        "beatrix",
        "hearsay",
        "success_by",
        *(run.name for run in runs),
        "20250301",
    ):
        assert secret.encode() not in output, secret


def test_text_of_a_run_is_never_markup(
    drawn_run: DrawRun, serve: Serve, open_page: Callable[..., Page], browser: Browser
) -> None:
    evil = f"{HOSTILE}<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    run = drawn_run(
        evil,
        ends={"app": evil, "golden_actions": [f"type(text='{evil}')"], "actions": [f"type(text='{evil}')"]},
    )
    url = serve(run).url
    page = open_page(url)
    wait_for(page, "#task:not([hidden])")
    press(page, "y")
    wait_for(page, "#rating:not([hidden])")
    assert text(page, "#intent") == evil
    assert text(page, "#way li") == f"types “{evil}”"
    assert page.title() == "FingerTip 20K: Is it done?"
    assert page.evaluate("window.hacked") is None
    assert page.locator("#frame #blank").is_visible()
    other = browser.new_page()
    other.goto(url)
    check_policy(other)
    other.close()


def test_a_label_that_cannot_be_stored_is_reported(
    drawn_run: DrawRun, serve: Serve, open_page: Callable[..., Page]
) -> None:
    served = serve(drawn_run(*INTENTS[:2]))
    page = open_page(
        served.url, forgiven=("ERR_CONNECTION_RE",)
    )  # the connection is refused, or reset if one was open
    wait_for(page, "#task:not([hidden])")
    served.server.stop()
    served.server.__exit__(None, None, None)
    press(page, "y")
    wait_for(page, "#trouble:not([hidden])")
    assert "not running any more" in text(page, "#trouble")
    assert text(page, "#count") == "0 of 2 labelled"
