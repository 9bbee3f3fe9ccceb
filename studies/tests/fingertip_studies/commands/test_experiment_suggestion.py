"""`fingertip experiment` of track 1 as a user calls it: what each cell sends, killed and gone on with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fingertip_cli.main import cli
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from fingertip_studies.experiments.catalogue import get_experiment
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

LEXICAL = ("--embedder", "lexical", "--judge", "lexical")
PICKER, SUMMARY = "picker", "主人常在早上听歌"
SEVERAL = json.dumps([{"intent": "听歌", "probability": 0.7}, {"intent": "打车", "probability": 0.3}])


def call(name: str, dataset: Path, out: Path, server: OpenAIServer | None = None) -> list[str]:
    """The command line: baselines alone, or a model behind the server, one question after another."""
    line = ["experiment", name, str(dataset), "--out", str(out), *LEXICAL]
    if server:
        line += ["--model", "tiny", "--base-url", server.base_url, "--concurrency", "1", "--language", "en"]
        line += ["--history-model", PICKER] if name == "table-10" else []
    return [*line, "--json"]


def output(*line: str) -> dict[str, Any]:
    """What the command prints as its one JSON object."""
    done = CliRunner().invoke(cli, line, catch_exceptions=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def scripted(server: OpenAIServer, query: ReceivedRequest) -> Reply:
    if query.body["model"] == PICKER:
        return server.says(json.dumps({"numbers": [1], "summary": SUMMARY}, ensure_ascii=False))
    return server.says(SEVERAL if "probability" in prompt(query) else "打开微信聊天")


def prompt(query: ReceivedRequest) -> str:
    """The words of a question, without its pictures."""
    parts = [message["content"] for message in query.body["messages"]]
    texts = [[part.get("text", "") for part in one] if isinstance(one, list) else [one] for one in parts]
    return "\n".join(text for one in texts for text in one)


def pictures(query: ReceivedRequest) -> int:
    return json.dumps(query.body["messages"]).count('"image_url": {"url"')


def by_cell(
    name: str, dataset: Path, out: Path, server: OpenAIServer
) -> tuple[dict[str, list[ReceivedRequest]], list[ReceivedRequest]]:
    """Name of a cell -> the questions that the model was asked in it, and those of the history model."""
    server.replies = lambda query: scripted(server, query)
    output(*call(name, dataset, out, server))
    tasks = BuiltDataset.open(dataset).manifest.splits["test_suggestion"].episodes
    own = [query for query in server.requests if query.body["model"] == "tiny"]
    cells = [cell.name for cell in get_experiment(name).cells]
    assert len(own) == tasks * len(cells)
    found = {cell: own[number * tasks :][:tasks] for number, cell in enumerate(cells)}
    return found, [query for query in server.requests if query.body["model"] == PICKER]


def earlier(query: ReceivedRequest) -> int:
    """Earlier intents that a question says it shows."""
    found = re.search(r"Earlier intents \(oldest first.*\n((?:- .*\n|\d+.*\n)*)", prompt(query) + "\n")
    return len(found[1].splitlines()) if found else 0


def test_prompts_of_table_10_match_its_five_cells(
    people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    cells, picked = by_cell("table-10", people, tmp_path, openai_server)
    shown: Mapping[str, int] = {cell.name: cell.screenshots for cell in get_experiment("table-10").cells}
    for name, questions in cells.items():
        assert {pictures(query) for query in questions} == {shown[name]}
        assert all((SUMMARY in prompt(query)) == ("all" in name) for query in questions)
    assert {earlier(query) for query in cells["3 screenshots, none"]} == {0}
    assert {earlier(query) for query in cells["3 screenshots, all"]} == {1}
    for ours, others in (("0 screenshots, 20 intents", "3 screenshots, 20"),):
        counts = [earlier(query) for query in cells[ours]]
        assert counts == [earlier(query) for query in cells[others]]
        assert min(counts) > 1
    # the second model picks once a task for both of its cells, and is shown no screen
    assert len(picked) == len(cells["0 screenshots, all"])
    assert {pictures(query) for query in picked} == {0}


def test_prompts_of_table_11_omit_the_hidden_parts(
    people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    cells, _ = by_cell("table-11", people, tmp_path, openai_server)
    rows = list(BuiltDataset.open(people).rows("test_suggestion"))
    clock, place = re.compile(r"\d{1,2}:\d{2}|\d{4}-\d{2}|202\d"), {row["scenario"] for row in rows}
    phone = {row["user_profile"]["phone_brand"] for row in rows}

    def says(name: str) -> tuple[bool, bool, bool, bool]:
        # not what people wrote themselves, such as an alarm's time
        words = [re.sub(r'"[^"\n]*"', "", prompt(query)) for query in cells[name]]
        return (
            any(any(brand in text for brand in phone) for text in words),
            any(any(scenario in text for scenario in place) for text in words),
            any(clock.search(text) is not None for text in words),
            any(earlier(query) for query in cells[name]),
        )

    assert {name: says(name) for name in cells} == {
        "with profile, time, scenario": (True, True, True, True),
        "without profile": (False, True, True, True),
        "without scenario": (True, False, True, True),
        "without time": (True, True, False, True),
        "without any earlier intent": (True, True, True, False),
    }


def test_a_split_without_tasks_names_splits_with_tasks(tmp_path: Path) -> None:
    from fingertip_dataset.errors import UsageError

    write_sample(SampleOrder(out=tmp_path / "people", users=1, episodes=1, seed=3, size=(270, 600)))
    build(tmp_path / "people" / "raw", tmp_path / "dataset", workers=1)
    with pytest.raises(UsageError, match=r"split vali has no tasks for table-3: give --split, one of test_"):
        cli.main([*call("table-3", tmp_path / "dataset", tmp_path), "--split", "vali"], standalone_mode=False)


def test_limit_and_sample_apply_to_every_cell(people: Path, tmp_path: Path) -> None:
    line = call("figure-6a", people, tmp_path)
    assert {row["n"] for row in output(*line, "--limit", "1")["rows"]} == {1}
