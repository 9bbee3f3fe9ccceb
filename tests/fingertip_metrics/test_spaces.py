from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml  # type: ignore[import-untyped]

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.install import MODULES, path
from tests.accessible_page import check_accessible

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.early

ADDRESS = re.compile(r"Running on local URL:\s+(http://127\.0\.0\.1:\d+)\s")
HOME = "press_home()"
ANSWERS: dict[str, tuple[list[object], str, float]] = {
    "fingertip_identification": ([HOME, HOME, "wait()", "wait()", "paper"], "identification", 1.0),
    "fingertip_moments": (["打开微信\n听歌", "打开微信\n", "0.9\n0.5", "lexical"], "false_trigger_rate", 1.0),
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


@pytest.mark.parametrize("name", MODULES)
def test_a_form_scores_an_episode_and_refuses_an_empty_one(name: str) -> None:
    score = runpy.run_path(str(Path(path(name), "app.py")))["score"]
    values, key, expected = ANSWERS[name]
    assert score(*values)[key] == expected
    with pytest.raises(MetricInputError, match="expected at least one"):
        score("", "", *values[2:])


@contextmanager
def start_page(name: str, home: Path) -> Iterator[str]:
    """Start a Space's page and yield its address; its process ends with the context."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GRADIO_SERVER")},
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HOME": str(home),
        "NO_PROXY": "*",
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "app.py"]
    with subprocess.Popen(
        command, cwd=path(name), env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = next((found[1] for line in process.stdout if (found := ADDRESS.search(line))), None)
        try:
            assert address is not None, "the page has ended"
            yield address
        finally:
            process.terminate()


PARAMETERS = (
    "paper|predictions|references|others|protocol|similarity|spelling|replaced|empty|comparable|True|None"
)
"""Parameters, fields and values of the module, in the tables of its page."""

CITED = (
    "Indel|Levenshtein|fuzzywuzzy|Qinglong|Yang|Haoming|Li|Haotian|Zhao|Xiaokai|Yan|Jingtao|Ding|Fengli|Xu|Yong|"
    "Benchmark|for|Proactive|and|Personalized|Mobile|LLM|Agents|arXiv|ICLR"
)
"""Similarities, and the paper."""


@pytest.mark.soak
def test_a_page_starts_in_the_look_and_both_languages_of_all_pages(tmp_path: Path, browser: Browser) -> None:
    with start_page("fingertip_sim2", tmp_path) as address:
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(address)
        page.get_by_label("The agent's actions, a line each").wait_for()
        page.locator("#language:not([hidden])").wait_for()
        # the empty result is gradio's own part: a label on a part without a role
        check_accessible(page, without=(".empty",), names=(PARAMETERS, CITED))
        page.locator("#language").click()
        page.get_by_label("智能体的动作，每行一个").wait_for()
        page.get_by_role("heading", name="度量卡片：fingertip_sim2").wait_for()
        assert not page.get_by_role("heading", name="Metric card: fingertip_sim2").is_visible()
        page.close()
