"""The page in a real browser, by keyboard, and invalid requests to its server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingertip_agents import RecentBaseline
from fingertip_analysis.review.pairs import PairAnnotationSession, PairPage
from fingertip_metrics.judges import read_pair_labels
from fingertip_runs.targets import read_targets
from suggestion_runner import read_predictions, run_suggestions
from tests.accessible_page import check_accessible, check_keyboard
from tests.browser_page import HOSTILE, check_policy, wait_until
from tests.served_page import ask, serve_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def run(small_dataset: Path, tmp_path: Path) -> Path:
    run_suggestions(small_dataset, RecentBaseline(), tmp_path / "run")
    lines = read_predictions(tmp_path / "run")
    attack = lines[0].model_copy(update={"predicted_intent": HOSTILE})
    text = "".join(line.model_dump_json() + "\n" for line in (attack, *lines[1:]))
    (tmp_path / "run" / "predictions.jsonl").write_text(text, encoding="utf-8")
    return tmp_path / "run"


@pytest.fixture
def url(run: Path) -> Iterator[str]:
    with PairAnnotationSession([run]) as session, serve_page(PairPage(session)) as (server, _):
        yield server.url


def test_pairs_are_labelled_by_keyboard_alone(run: Path, url: str, open_page: Callable[..., Page]) -> None:
    targets = read_targets(run)
    pairs = {
        (line.predicted_intent, targets[line.task_id].intent)
        for line in read_predictions(run)
        if line.predicted_intent
    }
    page = open_page(url, forgiven=("Content Security Policy",))
    page.fill("#name", "王芳")
    page.keyboard.press("Enter")
    seen = []
    for number, key in enumerate(["y", *["n"] * (len(pairs) - 1)]):
        wait_until(
            page,
            "count => document.getElementById('count').textContent.startsWith(count + ' of')",
            arg=number,
        )
        page.wait_for_selector("#task:not([hidden])")
        seen.append((page.inner_text("#predicted"), page.inner_text("#intended")))
        page.keyboard.press(key)
    page.wait_for_selector("#done:not([hidden])")
    assert set(seen) == pairs, "a text is shown as it is, never as markup"
    assert (
        page.inner_text("#summary")
        == f"{len(pairs)} pairs: 1 the same, {len(pairs) - 1} different, 0 not sure."
    )
    page.keyboard.press("b")
    page.wait_for_selector("#task:not([hidden])")
    page.click("#language")
    assert page.inner_text("#question") == "是同一个意图吗？"
    assert page.get_attribute("#why", "placeholder") == "为什么？（W）"
    page.keyboard.press("w")
    page.keyboard.type("no idea")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.wait_for_selector("#done:not([hidden])")
    page.keyboard.press("Enter")
    page.wait_for_selector("#over:not([hidden])")
    assert page.evaluate("window.hacked") is None
    check_policy(page)
    labels = {(label.predicted, label.intended): label for label in read_pair_labels(run / "labels.jsonl")}
    assert {pair: label.same for pair, label in labels.items()} == {
        pair: "yes" if pair == seen[0] else "unsure" if pair == seen[-1] else "no" for pair in pairs
    }
    assert labels[seen[-1]].why == "no idea"
    assert labels[seen[0]].seconds is not None


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


def test_only_this_page_is_served_and_only_labels_are_stored(run: Path, url: str) -> None:
    assert ask(url + "session") == (200, {"rater": None, "pairs": []})
    status, session = ask(url + "session?rater=A")
    assert status == 200
    pairs = session["pairs"]
    assert isinstance(pairs, list)
    key = pairs[0]["key"]
    assert ask(url + f"label/{key}?rater=A", {"same": "yes"}) == (200, {"labelled": 1})
    assert ask(url + "session?rater=B")[1]["pairs"][0]["label"] is None
    for place, body, output in (
        (f"label/{key}?rater=A", {"same": "maybe"}, 400),
        (f"label/{key}?rater=A", {"same": "yes", "rater": "B"}, 400),
        (f"label/{key}?rater=judge:x", {"same": "yes"}, 400),
        (f"label/{key}", {"same": "yes"}, 400),
        ("label/none?rater=A", {"same": "yes"}, 404),
        ("elsewhere?rater=A", {}, 404),
        ("elsewhere", None, 404),
    ):
        assert ask(url + place, body)[0] == output, place
    assert ask(url + "session", Host="example.org")[0] == 403
    assert ask(url + "session", Origin="http://example.org")[0] == 403
    assert ask(url.rsplit("/", 2)[0] + "/word/session")[0] == 403
    assert len(read_pair_labels(run / "labels.jsonl")) == 1
