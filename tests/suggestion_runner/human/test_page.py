"""The page in a real browser: two raters answer all tasks, in both languages, with a kill -9 in between."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_cli.main import cli
from fingertip_dataset.errors import RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import suggestion_task
from fingertip_models.messages import Language
from suggestion_runner import read_predictions
from suggestion_runner.human import HumanSession
from suggestion_runner.human.rater_answers import read_answers
from suggestion_runner.task_view import TaskView
from tests.accessible_page import check_accessible, check_keyboard
from tests.browser_page import HOSTILE, check_policy, wait_until
from tests.suggestion_runner.human.asking import answering

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COMMAND = Path(sys.executable).with_name("fingertip")
CALL = ("--agent", "human", "--no-browser", "--screenshots", "1")


@contextmanager
def served(dataset: Path, out: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs the command; yields it and the address it printed, and kills it if the test fails."""
    call = [str(COMMAND), "suggest", str(dataset), *CALL, "--out", str(out), *words]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+/\S+/$", first.strip())
            assert found, process.communicate()
            yield process, found[0]
        finally:
            process.kill()


def opened(browser: Browser, url: str, rater: str, width: int = 1100) -> Page:
    """Opens the page of a rater with a first task; an error on the page fails the test."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.set_default_timeout(120_000)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(url)
    page.wait_for_selector("#ask:not([hidden])")
    if page.locator("#name").is_visible():
        page.fill("#name", rater)
        page.keyboard.press("Enter")
    else:
        page.get_by_role("button", name=rater, exact=True).click()
    page.wait_for_selector("#task:not([hidden])")
    return page


def answer(page: Page, text: str) -> None:
    """Types an answer and saves it by keyboard."""
    count = page.inner_text("#count")
    page.fill("#text", text)
    page.keyboard.press("Control+Enter")
    wait_until(page, "before => document.getElementById('count').textContent !== before", arg=count)
    wait_until(page, "() => ['task', 'done'].includes(document.body.dataset.view)")


def answer_all(page: Page, text: str) -> None:
    """Answers the rater's own tasks and none of the others'."""
    while page.locator("#task").is_visible() and not page.locator("#takeover").is_visible():
        answer(page, text)


@pytest.mark.soak
def test_two_raters_answer_everything_in_two_languages_through_a_kill(
    small_dataset: Path, tmp_path: Path, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    words = ("--rater", "王芳", "--rater", "Ben", "--overlap", "0.5")
    attack = HOSTILE
    with served(small_dataset, out, *words) as (process, url):
        page = opened(browser, url, "王芳")
        answer(page, attack)
        assert page.evaluate("window.hacked") is None
        check_policy(page)
        page.fill("#text", "never saved")
        process.send_signal(signal.SIGKILL)
        process.wait(120)
        page.close()
    assert [line.text for line in read_answers(out)] == [attack]
    with served(small_dataset, out, *words) as (process, url):
        page = opened(browser, url, "Ben", width=390)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.inner_text("#question") == "主人此刻想做什么？"
        page.click("#language")
        wait_until(page, "() => document.documentElement.lang === 'en'")
        check_accessible(page)
        check_keyboard(page)
        assert page.inner_text("#question") == "What does the owner want right now?"
        answer_all(page, "打开QQ音乐听歌")
        assert page.inner_text("#takeover").startswith("Your own tasks are done.")
        page.close()
        page = opened(browser, url, "王芳")
        answer_all(page, "打开闹钟")
        page.keyboard.press("b")
        page.wait_for_selector("#task:not([hidden])")
        assert page.input_value("#text") == "打开闹钟", "an answer can be looked at again, and mended"
        page.fill("#text", "打车回家")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#done:not([hidden])")
        page.keyboard.press("Enter")
        page.wait_for_selector("#over:not([hidden])")
        page.close()
        output, problems = process.communicate(timeout=120)
        assert (process.returncode, problems) == (0, "")
    assert f"{out}: 4 of 4 tasks answered\n  Ben: 3 answers\n  王芳: 3 answers\n" in output
    check_run(out, capsys)
    with pytest.raises(RunError, match="needs another folder"):
        cli.main(["suggest", str(small_dataset), *CALL, "--out", str(out)], standalone_mode=False)
    cli.main(
        ["suggest", str(small_dataset), *CALL, "--overlap", "0.5", "--out", str(out)], standalone_mode=False
    )
    assert "finished before" in capsys.readouterr().out


def check_run(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The result is an ordinary run, which can be scored and reported."""
    predictions, answers = read_predictions(out), read_answers(out)
    assert (len(predictions), len(answers)) == (4, 6)
    assert "打车回家" in {answer.text for answer in answers}
    seconds = {(answer.task_id, answer.text): answer.seconds for answer in answers}
    for line in predictions:
        assert seconds[line.task_id, line.predicted_intent] == line.time_s > 0
        assert (line.prompt_tokens, line.calls, line.shown_screenshots) == (None, 0, 1)
    cli.main(
        ["score", str(out), "--embedder", "lexical", "--judge", "lexical", "--notes"], standalone_mode=False
    )
    output = capsys.readouterr().out
    assert "Answered by 2 people" in output
    assert "over 2 tasks that several answered" in output
    assert "the same intent by judge lexical" in output
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    assert (scores["raters"]["raters"], scores["raters"]["pairs"]) == (2, 2)
    card = ("--name", "人", "--contact", "a@example.org", "--embedder", "lexical")
    cli.main(["submit", str(out), *card], standalone_mode=False)
    output = capsys.readouterr().out
    assert "Nothing is written" in output
    assert "王芳" not in output, "raters are named nowhere but on this machine"


def test_the_page_shows_the_text_of_the_models_prompt(
    sample_dataset: Path, tmp_path: Path, browser: Browser
) -> None:
    rows = BuiltDataset.open(sample_dataset).rows("test_suggestion", config="default")
    tasks = [suggestion_task(row, screenshots=1) for row in rows]
    languages: tuple[Language, ...] = ("zh", "en")
    view = TaskView(limit=3, screenshots=1)
    with (
        HumanSession(sample_dataset, tmp_path / "run", view=view) as session,
        answering(session) as url,
    ):
        page = opened(browser, url, "A")
        for language in languages:
            texts = [make_suggestion_messages(task.input, language)[-1].text for task in tasks[:3]]
            lines = [*page.inner_text("#known").split("\n"), page.inner_text("#question")]
            output = [[line.removeprefix("# ") for line in text.split("\n") if line] for text in texts]
            assert [line for line in lines if line.strip()] in output
            page.click("#language")
            wait_until(page, "was => document.documentElement.lang !== was", arg=language)
        wait_until(page, "() => document.querySelector('#screens img').naturalWidth > 0")
        assert page.locator("#screens img").count() == 1
        page.close()
