"""Commands whose model server is dead, lacks the model, or repeats the key: one line, nothing lost."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from execution_runner.execution_log import read_attempts
from suggestion_runner import read_predictions
from tests.command_line import fingertip
from tests.shared_datasets import simulated_people
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply, StartServers

pytestmark = pytest.mark.early

KEY = "sk-Test_KEY_0123456789abcdef"
TASKS = 12


@pytest.fixture(scope="module")
def phones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


def suggest(dataset: Path, server: OpenAIServer, *arguments: object) -> subprocess.CompletedProcess[str]:
    model = ("--agent", "model", "--model", "m", "--base-url", server.base_url)
    return fingertip("suggest", dataset, *model, "--price-prompt", 1, "--price-completion", 2, *arguments)


def execute(dataset: Path, server: OpenAIServer, *arguments: object) -> subprocess.CompletedProcess[str]:
    model = ("--agent", "generalist", "--model", "m", "--base-url", server.base_url)
    return fingertip("execute", dataset, *model, *arguments)


def dies_after(server: OpenAIServer, count: int, replies: Callable[[ReceivedRequest], Reply]) -> None:
    """The server answers `count` requests, and from then on refuses all, small ones too."""
    refusal = server.Reply(status=401, body={"error": "the key has expired"})
    server.replies = lambda query: replies(query) if query.number < count else refusal
    server.small_replies = lambda query: server.says("OK") if len(server.requests) < count else refusal


def lives(server: OpenAIServer, replies: Callable[[ReceivedRequest], Reply]) -> None:
    server.requests.clear()
    server.replies, server.small_replies = replies, lambda query: server.says("OK")


def intent(server: OpenAIServer) -> Callable[[ReceivedRequest], Reply]:
    """An intent of its own for each question."""
    return lambda query: server.says(f"打开{len(query.text)}")


def two_steps(server: OpenAIServer) -> Callable[[ReceivedRequest], Reply]:
    """A wait on the first screen of a task, then the end."""

    def reply(query: ReceivedRequest) -> Reply:
        later = "wait()" in json.dumps(query.body["messages"][-1], ensure_ascii=False).partition("之前")[2]
        return server.says("finished()" if later else "wait()")

    return reply


def suggested(run: Path) -> dict[str, dict[str, Any]]:
    lines = (line.model_dump(exclude={"time_s", "cached"}) for line in read_predictions(run))
    return {line["task_id"]: line for line in lines}


def executed(run: Path) -> dict[str, tuple[object, ...]]:
    return {
        attempt.end.task_id: (
            attempt.end.outcome,
            attempt.end.success,
            attempt.end.facts,
            [(step.action, step.output, step.prompt_tokens) for step in attempt.steps],
        )
        for attempt in read_attempts(run)
    }


def last_line(done: subprocess.CompletedProcess[str], code: int = 2) -> str:
    assert done.returncode == code
    lines = [line for line in done.stderr.splitlines() if line.startswith("fingertip:")]
    assert lines == done.stderr.splitlines()[-1:]
    return lines[0]


@pytest.mark.soak
def test_a_run_of_track_1_stops_with_its_endpoint_and_resumes_to_the_same(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    lives(openai_server, intent(openai_server))
    assert suggest(sample, openai_server, "--out", tmp_path / "whole").returncode == 0
    run = tmp_path / "run"
    lives(openai_server, intent(openai_server))
    dies_after(openai_server, 5, intent(openai_server))
    line = last_line(suggest(sample, openai_server, "--out", run, "--concurrency", 2))
    assert "did not answer: status 401: the key has expired; the same call resumes from here" in line
    assert len(suggested(run)) == 5
    assert len(openai_server.requests) <= 8
    lives(openai_server, intent(openai_server))
    done = suggest(sample, openai_server, "--out", run)
    assert done.returncode == 0, done.stderr
    assert len(openai_server.requests) == TASKS - 5
    assert suggested(run) == suggested(tmp_path / "whole")


@pytest.mark.soak
@pytest.mark.parametrize(
    "devices",
    [("teacher-forced",), pytest.param(("simulated", "simulated"), marks=pytest.mark.soak)],
)
def test_a_run_of_track_2_stops_with_its_endpoint_and_resumes_to_the_same(
    phones: Path, openai_server: OpenAIServer, tmp_path: Path, devices: tuple[str, ...]
) -> None:
    chosen = [word for device in devices for word in ("--device", device)]
    lives(openai_server, two_steps(openai_server))
    whole = execute(phones, openai_server, *chosen, "--out", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    total = len(openai_server.requests)
    run = tmp_path / "run"
    lives(openai_server, two_steps(openai_server))
    dies_after(openai_server, 3, two_steps(openai_server))
    line = last_line(execute(phones, openai_server, *chosen, "--out", run))
    assert "did not answer: status 401: the key has expired; so ended 3 queries in a row" in line
    assert line.endswith("and the run stops: the same call resumes from here")
    assert len(openai_server.requests) <= 3 + 3 + 2 * len(devices) < total
    kept = executed(run)
    assert "agent_error" not in (run / "steps.jsonl").read_text(encoding="utf-8")
    lives(openai_server, two_steps(openai_server))
    done = execute(phones, openai_server, *chosen, "--out", run)
    assert done.returncode == 0, done.stderr
    assert executed(run) == executed(tmp_path / "whole")
    assert kept.items() <= executed(run).items()
    assert {attempt.end.attempt for attempt in read_attempts(run)} <= {1, 2}


def test_an_endpoint_that_fails_twice_stops_no_run(
    phones: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    answering = two_steps(openai_server)
    refusal = openai_server.Reply(status=403, body=b"moment")
    openai_server.replies = lambda query: refusal if query.number in (2, 3) else answering(query)
    openai_server.small_replies = lambda query: openai_server.says("OK") if query.number == 0 else refusal
    call = ("--device", "teacher-forced", "--out", tmp_path / "run")
    done = execute(phones, openai_server, *call)
    assert done.returncode == 0, done.stderr
    assert {outcome for outcome, *_ in executed(tmp_path / "run").values()} == {"terminated"}
    assert {attempt.end.attempt for attempt in read_attempts(tmp_path / "run")} == {1}


def test_a_request_that_alone_is_refused_stays_an_error_of_the_agent(
    phones: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.replies = lambda query: openai_server.Reply(status=400, body={"error": "too long"})
    call = ("--device", "replay", "--out", tmp_path / "run")
    done = execute(phones, openai_server, *call)
    ended = executed(tmp_path / "run")
    assert {outcome for outcome, *_ in ended.values()} == {"agent_error"}
    assert f"  agent_error   {len(ended)}  ended by an error of the agent\n" in done.stdout
    counted = f"{len(ended)} tasks of the run failed and count as not done: m at http"
    line = last_line(done, code=1)
    assert line.startswith(f"fingertip: every task of this call failed: {counted}")
    assert f"did not answer: status 400: too long ({len(ended)} tasks, such as episode " in line
    # the next call carries nothing out, and says what the run has
    again = execute(phones, openai_server, *call, "--resume")
    assert (again.returncode, f"warning: {counted}" in again.stderr) == (0, True)


def test_a_preflight_changes_no_result_and_no_cost(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.replies = intent(openai_server)
    first = suggest(sample, openai_server, "--out", tmp_path / "with")
    assert len(openai_server.small_requests) == 1
    second = suggest(sample, openai_server, "--out", tmp_path / "without", "--no-preflight")
    assert len(openai_server.small_requests) == 1
    assert suggested(tmp_path / "with") == suggested(tmp_path / "without")
    assert first.stdout.replace("with", "") == second.stdout.replace("without", "")
    assert "cost" in first.stdout
    runs = [json.loads((tmp_path / name / "run.json").read_text("utf-8")) for name in ("with", "without")]
    assert all(run.pop("sessions") for run in runs)
    assert runs[0] == runs[1]
    # a finished run and cached answers need no server, so no preflight is made
    openai_server.small_replies = lambda query: openai_server.Reply(status=500)
    assert suggest(sample, openai_server, "--out", tmp_path / "with").returncode == 0
    again = ("--cache", tmp_path / "with", "--out", tmp_path / "again")
    assert suggest(sample, openai_server, *again).returncode == 0
    assert len(openai_server.small_requests) == 1


def test_a_wrong_name_of_a_model_is_found_before_the_run(
    sample: Path, phones: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.models = openai_server.Reply(body={"data": [{"id": "qwen-vl"}, {"id": "llava"}]})
    words = "no model m in its list, which has qwen-vl, llava (--no-preflight leaves this check out)"
    # nothing was asked, and the same call would fail again
    assert last_line(suggest(sample, openai_server, "--out", tmp_path / "one")).endswith(words)
    done = execute(phones, openai_server, "--device", "replay", "--out", tmp_path / "two")
    assert last_line(done).endswith(words)
    assert openai_server.requests == openai_server.small_requests == []
    assert suggest(sample, openai_server, "--out", tmp_path / "one", "--no-preflight").returncode == 0


def test_the_only_model_of_a_server_is_asked_and_said(
    sample: Path, phones: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.models = openai_server.Reply(body={"data": [{"id": "/models/qwen.gguf"}]})
    done = suggest(sample, openai_server, "--out", tmp_path / "run")
    assert done.returncode == 0
    assert "has no model m, but only /models/qwen.gguf: that one is asked" in done.stderr
    assert {query.body["model"] for query in openai_server.requests} == {"/models/qwen.gguf"}
    done = execute(phones, openai_server, "--device", "replay", "--limit", 1, "--out", tmp_path / "two")
    assert "has no model m, but only /models/qwen.gguf: that one is asked" in done.stderr


def test_execute_spreads_its_questions_over_several_servers(
    phones: Path, start_servers: StartServers, tmp_path: Path
) -> None:
    first, second = start_servers(2)
    for server in (first, second):
        server.replies = two_steps(server)
    dies_after(first, 3, two_steps(first))
    more = ("--base-url", second.base_url, "--device", "teacher-forced")
    done = execute(phones, first, *more, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(f"warning: {first.base_url} is left out, the other servers answer: m at") == 1
    assert {outcome for outcome, *_ in executed(tmp_path / "run").values()} == {"terminated"}
    assert len(first.requests) == 4
    assert len(second.requests) > 3


XML = (
    "<tool_call>\n<function=mobile_use>\n<parameter=action>\nterminate\n</parameter>\n"
    "<parameter=status>\nsuccess\n</parameter>\n</function>\n</tool_call>"
)
CALL = {"name": "mobile_use", "arguments": '{"action": "terminate", "status": "success"}'}


@pytest.mark.parametrize(
    ("message", "written", "words"),
    [
        ({"text": XML}, "finished()", "the call was written as XML, and was converted to JSON"),
        ({"text": None, "tool_calls": [{"function": CALL}]}, "finished()", "without --tool-call-parser"),
        ({"text": None, "reasoning_content": XML}, "finished()", "without --reasoning-parser"),
        ({"text": None, "reasoning_content": "打开"}, "", "the text of the answer is empty, and everything"),
    ],
)
def test_answers_that_stand_elsewhere_are_said_once_and_calls_are_performed(
    phones: Path,
    openai_server: OpenAIServer,
    tmp_path: Path,
    message: dict[str, Any],
    written: str,
    words: str,
) -> None:
    openai_server.replies = lambda query: openai_server.says(**message)
    server = ("--model", "tiny", "--base-url", openai_server.base_url, "--device", "replay", "--limit", 2)
    server = (*server, "--keep-going")
    done = fingertip("execute", phones, "--agent", "qwen3-vl", *server, "--out", tmp_path / "run")
    assert done.returncode == 0
    # what to do about answers that cannot be read stands once more at the end
    assert done.stderr.count(words) == (1 if written else 2)
    steps = [step for attempt in read_attempts(tmp_path / "run") for step in attempt.steps]
    assert {step.written for step in steps} == {written}


def test_a_model_without_pictures_is_found_before_the_run(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        if isinstance(query.body["messages"][-1]["content"], str):
            return openai_server.says("OK")
        return openai_server.Reply(status=400, body={"error": "no vision"})

    openai_server.small_replies = reply
    done = suggest(sample, openai_server, "--screenshots", 1, "--out", tmp_path / "run")
    assert (
        "did not answer: it answers without a picture, but not with one: status 400: no vision"
        in last_line(done)
    )
    assert openai_server.requests == []
    assert suggest(sample, openai_server, "--out", tmp_path / "text").returncode == 0


def test_the_history_model_has_a_preflight_of_its_own(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.models = openai_server.Reply(body={"data": [{"id": "m"}]})
    picker = ("--history", "relevant", "--history-model", "picker")
    done = suggest(sample, openai_server, *picker, "--out", tmp_path / "run")
    assert "did not answer: no model picker in its list, which has m" in last_line(done)


def test_a_server_that_refuses_every_task_stops_track_2(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    """Small requests are answered: the endpoint is not dead."""
    openai_server.replies = lambda query: openai_server.Reply(status=400, body={"error": "too long"})
    device = ("--device", "teacher-forced", "--split", "test_suggestion")
    line = last_line(execute(sample, openai_server, *device, "--out", tmp_path / "run"))
    assert (
        "status 400: too long; so ended 10 tasks in a row, and the run stops: the same call resumes" in line
    )
    assert len(openai_server.requests) == 10
    assert len(executed(tmp_path / "run")) == 9


def test_a_judge_has_a_preflight_and_a_dead_one_is_one_line(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    assert fingertip("suggest", sample, "--agent", "recent", "--out", run).returncode == 0
    judge = ("--judge", "j", "--judge-base-url", openai_server.base_url)
    call = ("score", run, "--embedder", "lexical", *judge)
    openai_server.models = openai_server.Reply(body={"data": [{"id": "other"}]})
    assert "did not answer: no model j in its list, which has other" in last_line(fingertip(*call))
    assert openai_server.requests == []

    def verdict(query: ReceivedRequest) -> Reply:
        code = re.search(r'"code": "(\w+)"', query.text)
        assert code
        return openai_server.says(f'{{"code": "{code[1]}", "reason": "x", "same": false}}')

    dies_after(openai_server, 2, verdict)
    for partial in ((), ("--partial",)):  # unscored pairs would be no verdicts of this judge
        line = last_line(fingertip(*call, "--judge-no-preflight", *partial))
        assert "did not answer: status 401: the key has expired; earlier verdicts are cached" in line
    lives(openai_server, verdict)
    assert fingertip(*call, "--judge-no-preflight").returncode == 0
    no_judge = fingertip("score", run, "--embedder", "lexical", "--judge-no-preflight")
    assert "--judge-no-preflight needs --judge" in last_line(no_judge)


def test_no_file_of_a_run_has_the_key_that_a_server_repeats(
    sample: Path, phones: Path, openai_server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def repeats(query: ReceivedRequest) -> Reply:
        sent = query.headers["authorization"]
        return openai_server.says(f"type(content='{sent}')\n{sent}", reasoning_content=f"它是{sent}")

    openai_server.replies = repeats
    assert suggest(sample, openai_server, "--keep-going", "--out", tmp_path / "one").returncode == 0
    call = ("--device", "simulated", "--limit", 1, "--keep-going", "--out", tmp_path / "two")
    assert execute(phones, openai_server, *call).returncode == 0
    openai_server.replies = lambda query: openai_server.Reply(
        status=400, body={"error": {"message": "x" * 290 + query.headers["authorization"]}}
    )
    refused = suggest(sample, openai_server, "--out", tmp_path / "three", "--limit", 3)
    assert refused.returncode == 1
    call = ("--device", "replay", "--out", tmp_path / "four")
    failed = execute(phones, openai_server, *call)
    assert failed.returncode == 1
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    texts = [file.read_text("utf-8", "replace") for file in written if file.suffix in (".json", ".jsonl")]
    assert any("***" in text for text in texts)
    for text in (*texts, refused.stderr, refused.stdout, failed.stderr, failed.stdout):
        assert KEY[:12] not in text
    assert os.environ["OPENAI_API_KEY"] == KEY
