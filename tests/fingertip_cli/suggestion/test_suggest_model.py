"""`fingertip suggest --agent model` as a user calls it: killed, interrupted, in batches, called wrongly."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from suggestion_runner import read_predictions
from tests.command_line import fingertip
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

pytestmark = pytest.mark.early

COMMAND = Path(sys.executable).with_name("fingertip")
TASKS = 12


def call(dataset: Path, *arguments: object) -> list[str]:
    return [str(COMMAND), "suggest", str(dataset), "--agent", "model", *map(str, arguments)]


def suggest(
    dataset: Path, *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return fingertip("suggest", dataset, "--agent", "model", *arguments, cwd=cwd, env=env)


def answers(run: Path) -> set[str]:
    """Answers that the killed process had: in its cache, or in a line."""
    files = [path for path in run.glob("*.jsonl") if path.name != "targets.jsonl"]
    texts = [path.read_text(encoding="utf-8") for path in files]
    found = [
        json.loads(line) for text in texts for line in text.splitlines(keepends=True) if line[-1] == "\n"
    ]
    return {line["value"]["text"] if "value" in line else line["output"] for line in found}


def interruptible(dataset: Path, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(call(dataset, *arguments), stderr=subprocess.PIPE, text=True)


def test_ctrl_c_waits_for_running_requests(sample: Path, openai_server: OpenAIServer, tmp_path: Path) -> None:
    server = ("--model", "tiny", "--base-url", openai_server.base_url, "--concurrency", 3)
    all_there, shown_text = threading.Barrier(4, timeout=300), threading.Event()

    def reply(query: ReceivedRequest) -> Reply:
        all_there.wait()
        assert shown_text.wait(60)
        return openai_server.says("打开微信")

    openai_server.replies = reply
    with interruptible(sample, *server, "--out", tmp_path) as process:
        assert process.stderr is not None
        all_there.wait()
        process.send_signal(signal.SIGINT)
        begun, first = process.stderr.readline(), process.stderr.readline()
        shown_text.set()
        rest = process.stderr.read()
    assert begun == "tasks answered 0/12\n"
    assert first == "stopping: waiting for 3 answers in progress, Ctrl-C abandons them\n"
    assert (process.returncode, rest.strip()) == (130, "fingertip: stopped")
    assert len(read_predictions(tmp_path)) == len(openai_server.requests) == 3


def test_batch_requests_and_results_in_several_rounds(sample: Path, tmp_path: Path) -> None:
    """`relevant` asks twice: the second question is made of the first answer."""
    run = tmp_path / "run"
    batch = ("--model", "m", "--backend", "batch", "--history", "relevant", "--out", run)
    first = suggest(sample, *batch)
    assert first.returncode == 0, first.stderr
    assert f"{run}: {TASKS} of {TASKS} tasks wait" in first.stdout
    other = suggest(sample, *batch, "--max-tokens", 9)
    assert (other.returncode, "differs in --max-tokens: 8192" in other.stderr) == (2, True)
    results, rounds = tmp_path / "results.jsonl", 0
    done = first
    while (run / "batch" / "requests-001.jsonl").exists():
        rounds += 1
        lines = (run / "batch" / "requests-001.jsonl").read_text(encoding="utf-8").splitlines()
        # of the first round two answers are lost
        results.write_text(
            "\n".join(map(answered, lines[2 if rounds == 1 else 0 :])) + "\n", encoding="utf-8"
        )
        done = suggest(sample, *batch, "--results", results)
        assert done.returncode == 0, done.stderr
        assert rounds < 5
    assert rounds == 3
    assert "answered before, 0 unanswered" in done.stdout
    predictions = read_predictions(run)
    assert len(predictions) == TASKS
    assert {line.predicted_intent for line in predictions} == {"打开微信"}
    assert {(line.calls, line.cached, line.time_s) for line in predictions} <= {(1, False, 0), (2, False, 0)}
    assert "nothing to do" in suggest(sample, *batch).stdout


def test_a_request_that_the_batch_refuses_fails_its_task(sample: Path, tmp_path: Path) -> None:
    run, results = tmp_path / "run", tmp_path / "results.jsonl"
    batch = ("--model", "m", "--backend", "batch", "--out", run)
    assert suggest(sample, *batch).returncode == 0
    lines = (run / "batch" / "requests-001.jsonl").read_text(encoding="utf-8").splitlines()
    filtered = {"error": {"code": "content_filter", "message": "the prompt is filtered"}}
    refusals = [
        json.dumps(
            {"custom_id": json.loads(line)["custom_id"], "response": {"status_code": 400, "body": filtered}}
        )
        for line in lines
    ]
    results.write_text("\n".join(refusals) + "\n", encoding="utf-8")
    done = suggest(sample, *batch, "--results", results)
    assert done.returncode == 2
    assert f"the prompt is filtered; so ended the requests of all {TASKS} tasks" in done.stderr
    assert read_predictions(run) == ()
    results.write_text("\n".join([refusals[0], *map(answered, lines[1:])]) + "\n", encoding="utf-8")
    done = suggest(sample, *batch, "--results", results)
    assert done.returncode == 0, done.stderr
    assert f"{TASKS} of {TASKS} tasks queried, 1 unanswered" in done.stdout
    assert (
        "warning: 1 task of the run failed and counts as not done: m did not answer: status 400"
        in done.stderr
    )
    assert [line.failed for line in read_predictions(run)].count(True) == 1
    assert not (run / "batch" / "requests-001.jsonl").exists()
    assert "nothing to do" in suggest(sample, *batch).stdout


def test_a_history_model_has_its_own_server_key_and_answers(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        picks = query.body["model"] == "deepseek"
        assert query.headers["authorization"] == ("Bearer second" if picks else "Bearer first")
        return openai_server.says('{"numbers": [1], "summary": "听歌"}' if picks else "打开微信")

    openai_server.replies = reply
    shown_text = [
        *("--model", "m", "--base-url", openai_server.base_url, "--limit", 6, "--history", "relevant"),
        *("--history-model", "deepseek", "--history-model-base-url", openai_server.base_url),
        *("--history-model-key-env", "SECOND_KEY", "--history-price-prompt", 1),
        *("--history-price-completion", 2, "--out", tmp_path / "run"),
    ]
    keys = os.environ | {"OPENAI_API_KEY": "first", "SECOND_KEY": "second"}
    done = suggest(sample, *shown_text, env=keys)
    assert done.returncode == 0, done.stderr
    history = sum(line.history_usage is not None for line in read_predictions(tmp_path / "run"))
    assert f"history model  {history} calls, cost {history * 740 / 1e6:.4f} USD" in done.stdout
    kept = (tmp_path / "run" / "history_answers.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(kept) == history


def test_cut_answers_are_counted_and_warned_about(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        assert query.body["max_tokens"] == 300
        usage = {"prompt_tokens": 700 + 10 * query.number, "completion_tokens": 300}
        spoken = openai_server.says(
            "" if query.number < 3 else "打开微信", usage=usage, reasoning_content="想"
        )
        spoken.body["choices"][0]["finish_reason"] = "length" if query.number < 3 else "stop"
        return spoken

    openai_server.replies = reply
    server = ("--model", "m", "--base-url", openai_server.base_url, "--max-tokens", 300, "--limit", 5)
    done = suggest(sample, *server, "--out", tmp_path)
    warning = (
        "warning: 3 of the run's answers were cut at the limit of 300 tokens, reasoning included, and count "
        "as no answer: give --max-tokens 16384 or more, and another --out"
    )
    assert "  cut  3" in done.stdout
    assert "5 of 5 tasks queried, 3 unanswered, 3 cut off before their end" in done.stdout
    assert warning in done.stderr
    assert warning in suggest(sample, *server, "--out", tmp_path).stderr  # finished before
    assert sorted(line.outcome for line in read_predictions(tmp_path)) == ["answered"] * 2 + ["cut"] * 3
    assert {line.finish_reason for line in read_predictions(tmp_path)} == {"stop", "length"}


def answered(line: str) -> str:
    request = json.loads(line)
    picks = "numbers" in line
    text = '{"numbers": [1], "summary": "听歌"}' if picks else "打开微信"
    body = {
        "choices": [{"message": {"content": text}}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1},
    }
    return json.dumps({"custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "the agent model needs a model: give --model NAME"),
        (("--model", "m", "--agent", "habit"), "--model m needs --agent model, got --agent habit"),
        (
            ("--agent", "habit", "--temperature", "1", "--no-cache", "--currency", "EUR"),
            "the agent habit takes no --temperature, --currency, --no-cache: it uses no model",
        ),
        (("--agent", "habit", "--seed", "3"), "the agent habit takes no --seed: it uses no model"),
        (("--model", "m", "--without", "colour"), "expected some of profile,time,scenario, got 'colour'"),
        (("--model", "m", "--results", "r"), "--batch-results needs --backend batch, got openai"),
        (("--backend", "batch"), "--backend batch needs --model NAME"),
        (("--model", "m", "--cache", "c", "--no-cache"), "--cache and --no-cache cannot be used together"),
        (("--model", "m", "--price-prompt", "1"), "--price-prompt and --price-completion go together"),
        (
            ("--agent", "recent", "--history", "relevant"),
            "--history relevant needs --agent model; got recent",
        ),
        (("--model", "m", "--backend", "batch", "--results", "none"), "the results cannot be read"),
        (
            ("--model", "m", "--history-model", "d"),
            "--history-model needs --history relevant; got --history 20",
        ),
        (("--model", "m", "--history-model-base-url", "u"), "--history-model-base-url needs --history-model"),
        (
            ("--model", "m", "--history", "relevant", "--history-model", "d", "--backend", "batch"),
            "--history-model does not work in batch files",
        ),
    ],
)
def test_a_wrong_call_prints_one_line(
    sample: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = suggest(sample, *arguments, "--out", tmp_path / "run", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert words in line
