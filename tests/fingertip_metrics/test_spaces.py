from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml  # type: ignore[import-untyped]

from fingertip_metrics.install import MODULES, path
from tests.accessible_page import check_accessible

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.early

ADDRESS = re.compile(r"Running on local URL:\s+(http://127\.0\.0\.1:\d+)\s")
ANSWERS: dict[str, tuple[list[object], str, float]] = {
    "fingertip_sim1": (["打开微信", "打开微博", "lexical", "release"], "sim1", 0.73),
    "fingertip_sim2": (["press_home()", "press_home()", "press_back()", "paper"], "s_i", 1.0),
    "fingertip_sr1": (["听歌", "打开微博", "lexical"], "sr1", 0.0),
    "fingertip_sr2": (["press_home()\nfinished()", "finished()", True], "step_ratio", 2.0),
    "fingertip_suggestion": (["打开微信", "打开微博", "lexical", "lexical"], "sim1", 0.73),
}


def card(name: str) -> dict[str, Any]:
    """The YAML at the top of a metric card, which is the Space's configuration."""
    text = Path(path(name), "README.md").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text.split("---\n", 2)[1])
    return found


@pytest.mark.parametrize("name", MODULES)
def test_the_card_configures_a_space(name: str) -> None:
    configuration = card(name)
    assert configuration["sdk"] == "gradio"
    assert Path(path(name), configuration["app_file"]).is_file()
    assert configuration["tags"] == ["evaluate", "metric"]
    assert configuration["title"]
    assert "fingertip-20k" in Path(path(name), "requirements.txt").read_text(encoding="utf-8")


def names_of_inputs_and_results(text: str) -> list[str]:
    """The first cells of the tables below the card's second heading, but for their heads."""
    section = text.split("\n## ")[2]
    lines = section.split("\n")
    rows = [line for line, below in pairwise(lines) if line.startswith("|") and not below.startswith("|--")]
    return [line.split("|")[1].strip() for line in rows if not line.startswith("|--")]


@pytest.mark.parametrize("name", MODULES)
def test_both_cards_have_the_same_inputs_results_and_code(name: str) -> None:
    cards = [Path(path(name), card).read_text(encoding="utf-8") for card in ("README.md", "README.zh.md")]
    english, chinese = map(names_of_inputs_and_results, cards)
    assert english == chinese
    assert len(english) > 8
    code = [re.findall(r"```python\n.*?```", card, re.DOTALL) for card in cards]
    assert code[0] == code[1] != []


@contextmanager
def started_pages(home: Path) -> Iterator[dict[str, str]]:
    """Address of each page once all answer; their processes end with the context."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GRADIO_SERVER")},
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(home),
        "NO_PROXY": "*",
    }
    log = home / "pages.log"
    with log.open("w") as output:
        pages = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("space_pages.py"), home, *map(path, MODULES)],
            env=environment, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        yield {name: wait(pages, log, home / f"{name}.log") for name in MODULES}
    finally:
        os.killpg(pages.pid, signal.SIGTERM)
        pages.wait(100)


def wait(pages: subprocess.Popen[bytes], errors: Path, log: Path) -> str:
    """The address in a page's log; fails with the error when the pages have ended, or after five minutes."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        assert pages.poll() is None, errors.read_text(encoding="utf-8")
        if log.exists() and (found := ADDRESS.search(log.read_text(encoding="utf-8"))):
            return found[1]
        time.sleep(0.1)
    pytest.fail(f"no address in {log}: {log.read_text(encoding='utf-8') if log.exists() else 'no such file'}")


def get(address: str) -> str:
    """What the page sends."""
    with urllib.request.urlopen(address, timeout=200) as answer:  # noqa: S310 - http on loopback
        text: str = answer.read().decode()
    return text


def call(address: str, values: list[object]) -> str:
    """What the form answers to these values, as a browser asks for it."""
    request = urllib.request.Request(  # noqa: S310 - http on loopback
        f"{address}/gradio_api/call/score",
        data=json.dumps({"data": values}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=200) as answer:  # noqa: S310 - http on loopback
        event = json.load(answer)["event_id"]
    return get(f"{address}/gradio_api/call/score/{event}")


def check_page(browser: Browser, address: str) -> None:
    """The form in the look and both languages of all pages."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(address)
    page.get_by_label("The agent's actions, a line each").wait_for()
    page.locator("#language:not([hidden])").wait_for()
    # the empty result is gradio's own part: a label on a part without a role
    check_accessible(page, without=(".empty",))
    page.locator("#language").click()
    page.get_by_label("智能体的动作，每行一个").wait_for()
    page.get_by_role("heading", name="度量卡片：fingertip_sim2").wait_for()
    assert not page.get_by_role("heading", name="Metric card: fingertip_sim2").is_visible()
    page.close()


@pytest.mark.soak
def test_the_pages_start_show_their_card_and_score(tmp_path: Path, browser: Browser) -> None:
    with started_pages(tmp_path) as pages:
        check_page(browser, pages["fingertip_sim2"])
        for name, address in pages.items():
            assert f"Metric card: {name}" in get(f"{address}/config")
            values, key, expected = ANSWERS[name]
            event, _, data = call(address, values).partition("\ndata: ")
            assert event == "event: complete", data
            assert json.loads(data)[0][key] == expected
            wrong = call(address, ["", "", *values[2:]])
            assert wrong.startswith("event: error")
            assert "expected at least one" in wrong
