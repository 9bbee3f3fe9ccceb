"""Runs whose model moves to other servers: they go on there, unless these have other weights."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_dataset.errors import EndpointError, RunError
from fingertip_models.chat.server_pool import open_servers
from fingertip_models.options import ModelOptions
from suggestion_runner import RunOutcome, read_predictions, read_run, run_suggestions
from tests.shared_fixtures import OpenAIServer, Reply, StartServers

TASKS = 12
Run = Callable[..., RunOutcome]


@pytest.fixture
def run(sample_dataset: Path, tmp_path: Path) -> Run:
    """Function that starts or resumes the run in tmp_path/run on servers."""

    def call(*servers: OpenAIServer) -> RunOutcome:
        first, *others = (server.base_url for server in servers)
        options = ModelOptions(base_url=first, further_urls=tuple(others), model="m", timeout_s=20)
        with closing(open_servers(options, preflight=True)) as model:
            return run_suggestions(sample_dataset, ModelSuggester(model), tmp_path / "run", concurrency=1)

    return call


def serve_weights(server: OpenAIServer, weights: str) -> None:
    entry = {"id": "m", "owned_by": "llamacpp", "meta": {"ftype": weights}}
    server.models = Reply(body={"data": [entry]})


def die_after(server: OpenAIServer, count: int) -> None:
    refusal = Reply(status=401, body={"error": "the key has expired"})
    alive = server.replies
    server.replies = lambda query: alive(query) if query.number < count else refusal
    server.small_replies = lambda query: OpenAIServer.says("OK") if not server.requests else refusal


def test_a_run_goes_on_with_other_servers_and_names_each(
    run: Run, start_servers: StartServers, tmp_path: Path
) -> None:
    first, second, third = start_servers(3)
    for server in (first, second, third):
        serve_weights(server, "Q4_1")
    die_after(first, 5)
    with pytest.raises(EndpointError, match="the key has expired; the same call resumes from here"):
        run(first)
    assert run(second, third).answered_before == 5
    assert len(read_predictions(tmp_path / "run")) == TASKS
    assert [len(server.requests) for server in (second, third)] in ([4, 3], [3, 4])
    record = read_run(tmp_path / "run")
    alone, both = (session.software for session in record.sessions)
    assert alone == {"server": "llama.cpp", "model": "m", "weights": "Q4_1"}
    assert both["weights"] == "Q4_1"
    assert both["server 1"] == f"{second.base_url}: llama.cpp, model m, weights Q4_1"
    assert both["server 2"] == f"{third.base_url}: llama.cpp, model m, weights Q4_1"


def test_a_run_does_not_go_on_with_other_weights(
    run: Run, start_servers: StartServers, tmp_path: Path
) -> None:
    first, second = start_servers(2)
    serve_weights(first, "Q4_1")
    serve_weights(second, "Q8_0")
    die_after(first, 5)
    with pytest.raises(EndpointError):
        run(first)
    before = (tmp_path / "run" / "predictions.jsonl").read_bytes()
    words = (
        "the servers differ in weights: Q4_1 in an earlier call, Q8_0 now; another run needs another folder"
    )
    with pytest.raises(RunError, match=words):
        run(second)
    assert (tmp_path / "run" / "predictions.jsonl").read_bytes() == before
    serve_weights(second, "Q4_1")
    assert run(second).answered_before == 5


def test_a_run_on_several_servers_outlives_one_of_them(
    run: Run, start_servers: StartServers, tmp_path: Path
) -> None:
    first, second = start_servers(2)
    die_after(first, 2)
    assert run(first, second).tasks == TASKS
    answers = {line.predicted_intent for line in read_predictions(tmp_path / "run")}
    assert answers == {"0", "1"}
    # two of the first one, its refusal, and all others of the second one
    assert (len(first.requests), len(second.requests)) == (3, TASKS - 2)
