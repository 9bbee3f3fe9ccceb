from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from fingertip_metrics.install import MODULES, path

pytestmark = pytest.mark.early

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-space" / "bin" / "python"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page that has been started."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path


@contextmanager
def started(name: str, home: Path) -> Iterator[Page]:
    """The page as the Space starts it, on a free port of this machine; it may not answer yet."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(home),
        "NO_PROXY": "*",
    }
    log = home / f"{name}.log"
    with log.open("w") as output:
        page = subprocess.Popen(
            [PYTHON, card(name)["app_file"]], cwd=path(name), env=environment, stdout=output, stderr=output
        )
    try:
        yield Page(address=f"http://127.0.0.1:{port}", process=page, log=log)
    finally:
        page.terminate()
        page.wait(100)


def wait(page: Page) -> str:
    """The address, when the page answers; fails with its log when it ends before, or after five minutes."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        assert page.process.poll() is None, page.log.read_text(encoding="utf-8")
        try:
            urllib.request.urlopen(page.address, timeout=5).close()  # noqa: S310 - http on loopback
        except OSError:
            time.sleep(0.2)
        else:
            return page.address
    pytest.fail(page.log.read_text(encoding="utf-8"))


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


def test_the_pages_start_show_their_card_and_score(tmp_path: Path) -> None:
    assert PYTHON.exists(), "expected a venv with gradio in .venv-space, got none: make .venv-space/stamp"
    with ExitStack() as pages:
        all_pages = {name: pages.enter_context(started(name, tmp_path)) for name in MODULES}
        for name, page in all_pages.items():
            address = wait(page)
            assert f"Metric card: {name}" in get(f"{address}/config")
            values, key, expected = ANSWERS[name]
            event, _, data = call(address, values).partition("\ndata: ")
            assert event == "event: complete", data
            assert json.loads(data)[0][key] == expected
            wrong = call(address, ["", "", *values[2:]])
            assert wrong.startswith("event: error")
            assert "expected at least one" in wrong
