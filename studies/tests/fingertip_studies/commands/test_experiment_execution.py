"""`fingertip experiment` of track 2 as a user calls it: killed, gone on with, called wrongly."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from fingertip_cli.main import cli
from tests.shared_datasets import built, simulated_people

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

COMMAND = Path(sys.executable).with_name("fingertip")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


def run_json(*arguments: object) -> dict[str, Any]:
    """What the command prints as its one JSON object."""
    done = CliRunner().invoke(cli, ["experiment", *map(str, arguments), "--json"], catch_exceptions=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def lines(run: Path) -> list[bytes]:
    file = run / "steps.jsonl"
    return file.read_bytes().split(b"\n")[:-1] if file.exists() else []


def ends(run: Path) -> list[bytes]:
    return [line for line in lines(run) if json.loads(line)["kind"] == "end"]


@pytest.mark.soak
def test_a_killed_experiment_resumes_and_writes_tables_and_figures(dataset: Path, tmp_path: Path) -> None:
    out, run = tmp_path / "out", tmp_path / "out" / "table-4" / "cell-imitate"
    call = ["table-4", str(dataset), "--agent", "imitate", "--device", "simulated", "--out", str(out)]
    process = subprocess.Popen(
        [COMMAND, "experiment", *call], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not ends(run) and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    assert process.wait() in (-signal.SIGKILL, 0)
    before = lines(run)
    assert before
    first = run_json(*call)
    assert lines(run)[: len(before)] == before
    over = [json.loads(line)["task_id"] for line in ends(run)]
    assert sorted(over) == sorted(set(over))
    assert [(row["agent"], row["n"]) for row in first["rows"]] == [("imitate", 2)]
    assert {Path(file).name for file in first["files"]} == {"table.csv", "table.md", "sr2.png", "sim2.png"}

    # nothing is carried out again, and other experiments take the run that is there
    whole = (run / "steps.jsonl").read_bytes()
    assert run_json(*call)["rows"] == first["rows"]
    by_length = run_json("figure-6b", dataset, "--out", out)
    assert sum(row["n"] for row in by_length["rows"]) == 2
    assert by_length["runs"] == [str(run)]
    judged = run_json(
        "table-14", dataset, "--agent", "imitate", "--device", "simulated", "--judge", "lexical", "--out", out
    )
    assert [row["cell"] for row in judged["rows"]] == [
        "most similar task",
        "most similar task that is not the same",
    ]
    assert any("pairs judged" in note for note in judged["notes"])
    assert (run / "steps.jsonl").read_bytes() == whole


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


def test_replay_of_real_screens(
    real_release: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dataset = built(tmp_path_factory, "real", real_release)
    call = (
        "table-4",
        dataset,
        "--agent",
        "imitate",
        "--device",
        "replay",
        "--out",
        tmp_path / "out",
    )
    found = run_json(*call)
    assert found["rows"][0]["sr2"] is None
    assert "not carried out" in found["rows"][0]["remark"]
    assert all(Path(file).stat().st_size for file in found["files"])
