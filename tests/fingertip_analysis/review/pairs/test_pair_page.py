"""The page in a real browser, by keyboard, and invalid requests to its server."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingertip_agents import RecentBaseline
from fingertip_analysis.review.pairs import PairAnnotationSession, PairPage
from fingertip_metrics.judges import read_pair_labels
from fingertip_runs.annotation import PageServer
from fingertip_runs.targets import read_targets
from suggestion_runner import read_predictions, run_suggestions
from tests.accessible_page import check_accessible, check_keyboard
from tests.browser_page import HOSTILE, check_policy, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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
    with PairAnnotationSession([run]) as session, PageServer(PairPage(session)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        yield server.url
        server.stop()
        thread.join()


def ask(url: str, body: object = None, **headers: str) -> tuple[int, dict[str, object]]:
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(  # noqa: S310 - http on loopback
        url, data=content, headers={"Content-Type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - http on loopback
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_pairs_are_labelled_by_keyboard_alone(run: Path, url: str, browser: Browser) -> None:
    targets = read_targets(run)
    pairs = {
        (line.predicted_intent, targets[line.task_id].intent)
        for line in read_predictions(run)
        if line.predicted_intent
    }
    page = browser.new_page(viewport={"width": 1100, "height": 760})
    page.set_default_timeout(120_000)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.goto(url)
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
    page.close()
    labels = {(label.predicted, label.intended): label for label in read_pair_labels(run / "labels.jsonl")}
    assert {pair: label.same for pair, label in labels.items()} == {
        pair: "yes" if pair == seen[0] else "unsure" if pair == seen[-1] else "no" for pair in pairs
    }
    assert labels[seen[-1]].why == "no idea"
    assert labels[seen[0]].seconds is not None
    assert troubles == []


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
    assert ask(url + "session?rater=B")[1]["pairs"][0]["label"] is None  # type: ignore[index]
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
