"""`fingertip review` as a user calls it: a page that ends, what is printed then, a judge, wrong calls."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from execution_runner.scoring.success_labels import read_labels
from fingertip_dataset.parquet.built import BuiltDataset
from tests.command_line import fingertip
from tests.obedient_judge import repeat_code
from tests.shared_datasets import built_sample
from tests.shared_fixtures import OpenAIServer

COMMAND = Path(sys.executable).with_name("fingertip")


@pytest.fixture
def run(sample_run: Path, tmp_path: Path) -> Path:
    """A copy that the test may label."""
    return shutil.copytree(sample_run, tmp_path / "run")


@pytest.fixture(scope="module")
def sample_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The persons' own ways on the sample's recorded episodes, as if a phone had been there."""
    folder = tmp_path_factory.mktemp("sample")
    dataset = built_sample(tmp_path_factory)
    rows = BuiltDataset.open(dataset).rows("test_execution", columns=("episode_id", "actions"))
    ways = {row["episode_id"]: [step["raw"] for step in row["actions"]] for row in rows}
    (folder / "script.json").write_text(json.dumps(ways), encoding="utf-8")
    words = ("--agent", "scripted", "--script", folder / "script.json", "--device", "replay", "--limit", "3")
    done = fingertip("execute", dataset, *words, "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    record = json.loads((folder / "run" / "run.json").read_text(encoding="utf-8"))
    (folder / "run" / "run.json").write_text(json.dumps({**record, "device": "adb"}), encoding="utf-8")
    return folder / "run"


def review(*arguments: object) -> subprocess.CompletedProcess[str]:
    return fingertip("review", *arguments)


@contextmanager
def served(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command while it runs, and the address it printed; killed if the test fails."""
    call = [COMMAND, "review", "--no-browser", *map(str, arguments)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+/\S+/$", first.strip())
            assert found, process.communicate()
            yield process, found[0]
        finally:
            process.kill()


def ask(url: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        return json.loads(answer.read())


def test_two_raters_and_their_agreement(run: Path) -> None:
    for rater in ("anna", "ben"):
        with served(run, "--rater", rater) as (process, url):
            tasks = ask(f"{url}session")["tasks"]
            for task in tasks:
                ask(f"{url}label/{task['key']}?rater={rater}", {"success": "no", "rating": 2})
            ask(f"{url}finish?rater={rater}", {})
            out, err = process.communicate(timeout=120)
            assert (process.returncode, err) == (0, "")
    count = len(tasks)
    assert len(read_labels(run)) == 2 * count
    assert f"anna: {count} of {count} labelled\nben: {count} of {count} labelled\n" in out
    assert f"anna and ben: kappa undefined (both raters answer no to all {count}" in out
    assert "the same answer to 100 %" in out


def test_ctrl_c_ends_the_session_and_keeps_labels(run: Path) -> None:
    with served(run) as (process, url):
        assert ask(f"{url}session") == {"rater": None, "tasks": []}
        key = ask(f"{url}session?rater=anna")["tasks"][0]["key"]
        ask(f"{url}label/{key}?rater=anna", {"success": "unsure"})
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
    assert "anna: 1 of " in out
    assert [label.success for label in read_labels(run)] == ["unsure"]


def test_a_judge_labels_without_a_page(run: Path, openai_server: OpenAIServer) -> None:
    verdicts = {"reason": "x", "done": True}, {"reason": "y", "done": False}
    openai_server.replies = repeat_code(openai_server, *verdicts)
    done = review(run, "--judge", "seer", "--base-url", openai_server.base_url)
    assert done.returncode == 0, done.stderr
    count = len(openai_server.requests)
    assert f"{count} of {count} attempts labelled" in done.stdout
    assert f"judge:seer@zh-3: {count} of {count} labelled" in done.stdout
    assert {label.kind for label in read_labels(run)} == {"judge"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rater", "anna", "--judge", "m"), "give one of them"),
        (("--base-url", "http://127.0.0.1:9/v1"), "--judge-base-url needs --judge"),
        (("--rater", " "), "a rater's name has 1 to 60"),
        (("--judge", "m", "--base-url", "nowhere"), "expected a base URL"),
        (("--rater-is-user", "1"), "--rater-is-user needs --rate"),
        (("--rate", "--judge", "m"), "--rate is for human raters and runs of track 2, got a judge"),
        (("--rate", "--rater-is-user", "nobody"), "the agent ended no task of user nobody"),
    ],
)
def test_a_wrong_call_prints_one_line(run: Path, words: tuple[str, ...], message: str) -> None:
    done = review(run, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


def test_a_folder_without_a_run_prints_one_line(run: Path, tmp_path: Path) -> None:
    for wrong, message in (
        (tmp_path / "nowhere", "no run: `fingertip suggest` or `fingertip execute` makes one"),
        (run, "a run is given twice: name each run once"),
    ):
        done = review(run, wrong)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert message in done.stderr
