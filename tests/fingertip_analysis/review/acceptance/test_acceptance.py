"""Suggestions are accepted or rejected without the target: in a real browser, and as a score beside SR_1."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingertip_agents import HabitBaseline, RecentBaseline
from fingertip_analysis.review.acceptance import AcceptanceAnnotation, AcceptancePage, AcceptanceSession
from fingertip_cli.main import cli
from fingertip_dataset.errors import UsageError
from fingertip_runs.targets import read_targets
from suggestion_runner import read_predictions, run_suggestions
from suggestion_runner.acceptance import acceptance_notes, acceptance_of, read_acceptance
from tests.accessible_page import check_accessible, check_keyboard
from tests.browser_page import HOSTILE, check_policy, wait_until
from tests.served_page import serve_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WANTED = "打开保险箱"
"""A target that no page may show."""


@pytest.fixture
def run(small_dataset: Path, tmp_path: Path) -> Path:
    """A run of four tasks, with another person's words in one answer and a target that is nowhere else."""
    folder = tmp_path / "run"
    run_suggestions(small_dataset, RecentBaseline(), folder)
    texts = [HOSTILE, "听歌", "点外卖", "打车回家"]
    lines = [
        line.model_copy(update={"predicted_intent": text})
        for line, text in zip(read_predictions(folder), texts, strict=True)
    ]
    write(folder / "predictions.jsonl", lines)
    targets = [target.model_copy(update={"intent": WANTED}) for target in read_targets(folder).values()]
    write(folder / "targets.jsonl", targets)
    return folder


def write(file: Path, lines: list) -> None:  # type: ignore[type-arg]
    file.write_text("".join(line.model_dump_json() + "\n" for line in lines), encoding="utf-8")


@pytest.fixture
def url(run: Path) -> Iterator[str]:
    with AcceptanceSession([run]) as session, serve_page(AcceptancePage(session)) as (server, _):
        yield server.url


def test_suggestions_are_judged_by_keyboard_and_the_target_stays_in_the_server(
    run: Path, url: str, open_page: Callable[..., Page]
) -> None:
    # a task without screens has none to load
    forgiven = ("Content Security Policy", "404 (Not Found)")
    page = open_page("about:blank", size=(390, 800), forgiven=forgiven, locale="en-GB")
    received: list[str] = []
    page.on("response", lambda answer: received.append(answer.text()))
    page.goto(url)
    page.fill("#name", "王芳")
    page.keyboard.press("Enter")
    seen = []
    for number, (accept, score) in enumerate(["y5", "n1", "n2", "y4"]):
        wait_until(
            page, "text => document.getElementById('count').textContent === text", f"{number} of 4 labelled"
        )
        page.wait_for_selector("#task:not([hidden])")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        seen.append(page.inner_text("#suggestion"))
        page.keyboard.press(score if number == 2 else accept)
        page.keyboard.press(accept if number == 2 else score)
    page.wait_for_selector("#done:not([hidden])")
    assert page.inner_text("#summary") == "4 suggestions: 2 accepted, 2 rejected."
    page.click("#language")
    assert page.inner_text("#summary") == "4 条建议：接受 2 条，不接受 2 条。"
    page.keyboard.press("b")
    page.wait_for_selector("#task:not([hidden])")
    assert page.inner_text("#question") == "如果你是这个人，此刻会接受这个建议吗？"
    assert page.locator("#known h2").first.inner_text() == "此刻"
    page.keyboard.press("w")
    page.keyboard.type("too late")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_selector("#done:not([hidden])")
    assert page.evaluate("window.hacked") is None
    assert not any(WANTED in text or "20250307" in text for text in received)
    check_policy(page)
    labels = {label.predicted: label for label in read_acceptance(run)}
    assert [(labels[text].accepted, labels[text].score) for text in dict.fromkeys(seen)] == [
        *{
            text: (key[0] == "y", int(key[1]))
            for text, key in zip(seen, ["y5", "n1", "n2", "y4"], strict=True)
        }.values()
    ]
    assert "too late" in {label.why for label in read_acceptance(run)}


@pytest.mark.install
def test_the_page_is_accessible(url: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(url)
    page.fill("#name", "王芳")
    page.keyboard.press("Enter")
    page.wait_for_selector("#task:not([hidden])")
    check_accessible(page)
    check_keyboard(page)
    page.close()


def test_the_rate_counts_every_task_and_stands_beside_sr1(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with AcceptanceSession([run]) as session:
        order = session.order("A")
        for key in order[:3]:
            session.add(key, "A", AcceptanceAnnotation(accepted=True, score=4))
        session.add(order[0], "A", AcceptanceAnnotation(accepted=True, score=5))
        session.add(order[0], "B", AcceptanceAnnotation(accepted=False, score=1))
    with AcceptanceSession([run], user_id="30") as session:
        (last,) = {*session.order("C")}.difference(order[:3]) or session.order("C")[:1]
        session.add(last, "C", AcceptanceAnnotation(accepted=False, score=2))
        assert {session[key].task_id.partition("__")[0] for key in session.order("C")} == {"30"}
    texts = [line.predicted_intent for line in read_predictions(run)]
    found = acceptance_of(read_acceptance(run), [*read_targets(run).values()], texts)
    assert found is not None
    shares = {order[0]: [1, 0], order[1]: [1], order[2]: [1], order[3]: []}
    shares[last] = [*shares[last], 0]
    mean = sum(sum(given) / len(given) for given in shares.values() if given) / 4
    assert found.accepted.mean == pytest.approx(mean)
    assert (found.raters, found.by_user) == (3, 1)
    assert (found.judged, found.unjudged) == ((4, 0) if last == order[3] else (3, 1))
    assert any("kappa" in line for line in acceptance_notes(found))
    assert acceptance_of((), [*read_targets(run).values()], texts) is None
    options = ["--embedder", "lexical", "--judge", "lexical", "--notes"]
    cli.main(["score", str(run), *options], standalone_mode=False)
    out = capsys.readouterr().out
    assert "accepted %" in out
    assert "Accepted: 3 people judged" in " ".join(out.split())
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    assert scores["acceptance"]["accepted"]["mean"] == pytest.approx(mean)
    assert scores["acceptance"]["accepted"]["clusters"] == 2
    report = tmp_path / "report.html"
    words = ["report", str(run), "--embedder", "lexical", "--out", str(report)]
    cli.main(words, standalone_mode=False)
    assert ">accepted %<" in report.read_text(encoding="utf-8")


def test_a_suggestion_of_two_runs_is_shown_once_and_an_empty_one_never(
    run: Path, small_dataset: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    run_suggestions(small_dataset, HabitBaseline(), other)
    lines = list(read_predictions(other))
    write(other / "predictions.jsonl", [lines[0].model_copy(update={"predicted_intent": " "}), *lines[1:]])
    wanted = {
        (line.task_id, line.predicted_intent)
        for folder in (run, other)
        for line in read_predictions(folder)
        if line.predicted_intent.strip()
    }
    with AcceptanceSession([run, other]) as session:
        assert {(session[key].task_id, session[key].text) for key in session.order("A")} == wanted
        for key in session.order("A"):
            session.add(key, "A", AcceptanceAnnotation(accepted=True, score=3))
    assert len(read_acceptance(run)) == 4
    assert len(read_acceptance(other)) < 4
    (other / "acceptance.jsonl").write_text("")
    with AcceptanceSession([run, other]) as again:
        assert again.labelled("A") == 4, "what both runs have is in the other file, too"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--accept", "--rate"], "give one of them"),
        (["--rate"], "--rate is for human raters and runs of track 2, got runs of track 1"),
        (["--accept", "--judge", "m"], "--accept is for human raters and runs of track 1, got a judge"),
        (["--accept", "--rater-is-user", "nobody"], "the run has no suggestion for user nobody"),
        (["--rater-is-user", "30"], "--rater-is-user needs --rate or --accept"),
    ],
)
def test_a_wrong_call_says_what_goes_together(run: Path, words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cli.main(["review", str(run), *words], standalone_mode=False)
