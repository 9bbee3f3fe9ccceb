"""`fingertip experiment` of track 2 as a user calls it: killed, gone on with, called wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from fingertip_cli.main import cli
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply


def run_json(*arguments: object) -> dict[str, Any]:
    """What the command prints as its one JSON object."""
    done = CliRunner().invoke(cli, ["experiment", *map(str, arguments), "--json"], catch_exceptions=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_model_and_a_judge_on_a_server(people: Path, tmp_path: Path, openai_server: OpenAIServer) -> None:
    """Both are asked by the same server: the judge's question holds a code, which its verdict repeats."""

    def answer(query: ReceivedRequest) -> Reply:
        code = re.search(r'"code": "(\w+)"', query.text)
        text = f'{{"code": "{code[1]}", "reason": "x", "same": false}}' if code else "finished()"
        return openai_server.says(
            text, usage={"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
        )

    openai_server.replies = answer
    model = ("--agent", "generalist", "--model", "m", "--base-url", openai_server.base_url)
    judge = ("--judge", "j", "--judge-base-url", openai_server.base_url)
    prices = ("--price-prompt", "1", "--price-completion", "2")
    call = ("table-14", people, *model, *judge, *prices, "--device", "replay", "--out", tmp_path / "out")
    found = run_json(*call)
    assert [(row["agent"], row["tokens"]) for row in found["rows"]] == [("generalist (m)", 100)] * 2
    (words,) = (note for note in found["notes"] if "pairs judged" in note)
    assert words.endswith(
        "2 pairs judged, 0 the same task; the judge read 180 tokens and wrote 20, 0.0002 USD"
    )
    requests_before = len(openai_server.requests)
    assert run_json(*call)["rows"] == found["rows"]
    assert len(openai_server.requests) == requests_before


def test_a_judge_without_verdicts_gives_a_line_and_no_row(
    people: Path, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    openai_server.replies = lambda query: openai_server.says("I cannot tell.")
    judge = ("--judge", "j", "--judge-base-url", openai_server.base_url)
    call = ("table-14", people, "--agent", "imitate", *judge, "--device", "replay", "--out", tmp_path / "out")
    found = run_json(*call)
    assert [row["cell"] for row in found["rows"]] == ["most similar task"]
    (line,) = (note for note in found["notes"] if note.startswith("No row of imitate"))
    assert 'for "most similar task that is not the same": judge j' in line
    assert "gave no verdict on any of 2 pairs of tasks" in line
