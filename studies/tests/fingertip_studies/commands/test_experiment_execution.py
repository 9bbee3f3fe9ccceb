"""`fingertip experiment` of track 2 as a user calls it: killed, gone on with, called wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from fingertip_cli.main import cli
from tests.shared_datasets import simulated_people

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


def run_json(*arguments: object) -> dict[str, Any]:
    """What the command prints as its one JSON object."""
    done = CliRunner().invoke(cli, ["experiment", *map(str, arguments), "--json"], catch_exceptions=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_runs_under_an_agents_earlier_name_are_resumed_and_shown_as_its_runs(
    dataset: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    call = ("table-14", dataset, "--device", "simulated", "--judge", "lexical", "--limit", 1, "--out", out)
    now = run_json(*call, "--agent", "shortest-path-oracle")
    earlier = []
    for run in map(Path, now["runs"]):
        record = json.loads((run / "run.json").read_text("utf-8"))
        record["agent"]["name"] = "generic"
        (run / "run.json").write_text(json.dumps(record), encoding="utf-8")
        earlier.append(run.rename(run.with_name(run.name.replace("shortest-path-oracle", "generic"))))
    before = [(run / "steps.jsonl").read_bytes() for run in earlier]
    assert len(set(earlier)) == 2

    for name in ("generic", "shortest-path-oracle"):
        again = run_json(*call, "--agent", name)
        assert again["runs"] == list(map(str, earlier))
        assert [row | {"run": ""} for row in again["rows"]] == [row | {"run": ""} for row in now["rows"]]
        words = ("execute", dataset, "--agent", name, "--device", "simulated", "--limit", 1, "--resume")
        done = CliRunner().invoke(cli, [*map(str, words), "--out", str(earlier[0])])
        assert done.exit_code == 0, done.stderr
    assert {row["agent"] for row in now["rows"] if row["kind"] == "measured"} == {"shortest-path-oracle"}
    assert [(run / "steps.jsonl").read_bytes() for run in earlier] == before
    # an unfinished run is resumed under the current name
    (earlier[0] / "steps.jsonl").write_bytes(b"")
    done = CliRunner().invoke(cli, [*map(str, words), "--out", str(earlier[0])])
    assert done.exit_code == 0
    assert (earlier[0] / "steps.jsonl").read_bytes()


def test_a_model_and_a_judge_on_a_server(dataset: Path, tmp_path: Path, openai_server: OpenAIServer) -> None:
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
    call = ("table-14", dataset, *model, *judge, *prices, "--device", "replay", "--out", tmp_path / "out")
    found = run_json(*call)
    assert [(row["agent"], row["tokens"]) for row in found["rows"]] == [("generalist (m)", 100)] * 2
    (words,) = (note for note in found["notes"] if "pairs judged" in note)
    assert words.endswith(
        "2 pairs judged, 0 the same task; the judge read 180 tokens and wrote 20, 0.0002 USD"
    )
    requests_before = len(openai_server.requests)
    assert run_json(*call)["rows"] == found["rows"]
    assert len(openai_server.requests) == requests_before
