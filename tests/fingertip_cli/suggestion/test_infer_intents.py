"""`fingertip infer-intents` and `suggest --history-intents`, as a user calls them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.command_line import fingertip

if TYPE_CHECKING:
    pass


@pytest.fixture(scope="module")
def inferred(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("inferred") / "inferred.jsonl"
    done = fingertip("infer-intents", people, "--out", file)
    assert done.returncode == 0, done.stderr
    assert "episodes have an intent" in done.stdout
    assert "agreement with the declared intents of" in done.stdout
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    return file


def test_the_loss_is_printed_task_by_task(people: Path, inferred: Path, tmp_path: Path) -> None:
    suggest = ("suggest", people, "--agent", "habit", "--out")
    history = ("--history-intents", "inferred", "--inferred", inferred)
    assert fingertip(*suggest, tmp_path / "inferred", *history).returncode == 0
    assert fingertip(*suggest, tmp_path / "declared").returncode == 0
    options = ("--embedder", "lexical", "--judge", "simulated", "--against", tmp_path / "declared", "--notes")
    done = fingertip("score", tmp_path / "inferred", *options)
    assert done.returncode == 0, done.stderr
    assert "earlier intents inferred by rule@1 from what was done" in done.stdout
    assert re.search(r"inferred minus declared, \d tasks of 2 users: Sim_1", done.stdout)
    done = fingertip("submit", tmp_path / "inferred", "--name", "a", "--contact", "a@example.org")
    assert done.returncode == 2
    assert "a board takes no run with inferred earlier intents" in done.stderr


def test_one_json_object_with_the_judges_agreement(people: Path, inferred: Path) -> None:
    done = fingertip("infer-intents", people, "--out", inferred, "--judge", "simulated", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["before"] == found["episodes"] == found["outcomes"]["answered"]
    assert found["agreement"]["method"] == "rule@1"
    assert found["agreement"]["sr1"]["judge"].startswith("simulated")


def test_a_batch_writes_requests_and_reads_their_answers(people: Path, tmp_path: Path) -> None:
    words = ("infer-intents", people, "--out", tmp_path / "b.jsonl", "--model", "seer", "--backend", "batch")
    done = fingertip(*words)
    assert done.returncode == 0, done.stderr
    assert "wait for the batch API" in done.stdout
    (requests,) = (tmp_path / "b.jsonl.answers").glob("requests-*.jsonl")
    lines = []
    for request in map(json.loads, requests.read_text(encoding="utf-8").splitlines()):
        message = {"role": "assistant", "content": '{"intent": "查天气"}'}
        body = {"model": "seer", "choices": [{"message": message, "finish_reason": "stop"}]}
        lines.append({"custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}})
    results = tmp_path / "results.jsonl"
    results.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = fingertip(*words, "--results", results)
    assert done.returncode == 0, done.stderr
    assert f"{len(lines)} of {len(lines)} episodes have an intent" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--history", "none"), "--history none shows no earlier intent: there is nothing to infer"),
        (("--split", "nowhere"), "expected a split, one of"),
        (("--temperature", "1"), "it uses no model"),
        (("--results", "x"), "it uses no model"),
        (("--backend", "batch"), "it uses no model"),
    ],
)
def test_wrong_options_are_one_line(
    people: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    done = fingertip("infer-intents", people, "--out", tmp_path / "x.jsonl", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [("--history-intents", "inferred"), ("--inferred", "x.jsonl")])
def test_both_options_are_needed(people: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = fingertip("suggest", people, "--agent", "habit", "--out", tmp_path / "run", *words)
    message = "fingertip: --history-intents inferred and --inferred FILE go together: give both\n"
    assert (done.returncode, done.stderr) == (2, message)
