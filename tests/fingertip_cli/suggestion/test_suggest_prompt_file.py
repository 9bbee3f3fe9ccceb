"""`fingertip suggest --prompt-file`: what the server gets, and one line for each wrong call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import fingertip
from tests.shared_fixtures import OpenAIServer

EXAMPLE = Path(__file__).parents[3] / "docs" / "prompt-files" / "track-1-fields.txt"


def test_the_documented_call_sends_one_message_of_the_user(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    files = ("--prompt-file", EXAMPLE, "--system-prompt-file", "/dev/null")
    model = ("--agent", "model", "--model", "m", "--base-url", openai_server.base_url)
    done = fingertip("suggest", sample, *model, *files, "--limit", 2, "--out", run)
    assert done.returncode == 0, done.stderr
    for request in openai_server.requests:
        (message,) = request.body["messages"]
        assert message["role"] == "user"
        assert "Answer in Chinese with one sentence" in message["content"]
        assert "\nUser: 用户的" in message["content"]
    settings = json.loads((run / "run.json").read_text("utf-8"))["agent"]["settings"]
    assert settings["prompt_text"].startswith("file track-1-fields.txt sha256:")
    scored = fingertip("score", run, "--embedder", "lexical")
    assert "A.7" not in scored.stdout
    assert "the prompt leaves out" not in scored.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--agent", "habit"), "the agent habit takes no --prompt-file: only the agent model has a prompt"),
        (("--agent", "model", "--without", "scenario"), "has {place}, which --without scenario hides"),
        (("--agent", "model", "--history", "none"), "has {intent_texts}, which --history none hides"),
    ],
)
def test_a_wrong_call_is_one_line(
    sample: Path, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    model = ("--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--no-preflight")
    own = model if "model" in arguments else ()
    call = (*arguments, *own, "--prompt-file", EXAMPLE, "--out", tmp_path / "run")
    done = fingertip("suggest", sample, *call)
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()
