"""`fingertip score --why` and `report --why` of track 1 as a user calls them, in Chinese and in English."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents import HabitBaseline
from suggestion_runner import run_suggestions
from tests.command_line import fingertip
from tests.shared_datasets import built_sample
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply
from tests.suggestion_datasets import lived_dataset


@pytest.fixture(scope="module", params=["zh", "en"])
def lived_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of `habit` about simulated people who write one language."""
    dataset = lived_dataset(tmp_path_factory, locale=request.param)
    run = tmp_path_factory.mktemp(f"lived-{request.param}") / "habit"
    run_suggestions(dataset, HabitBaseline(), run, limit=12)
    return run


@pytest.fixture(scope="module")
def recorded_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of `habit` about people who are not simulated."""
    run = tmp_path_factory.mktemp("recorded") / "habit"
    run_suggestions(built_sample(tmp_path_factory), HabitBaseline(), run)
    return run


def test_reasons_are_printed_by_rule(lived_run: Path) -> None:
    done = fingertip("score", lived_run, "--embedder", "lexical", "--why", "--notes")
    assert done.returncode == 0, done.stderr
    why = reasons(lived_run, "--embedder", "lexical", "--judge", "simulated")
    assert f"habit: why {why['failed']} of 12 answers failed (not in the paper)" in done.stdout
    assert "habit: right or wrong by judge simulated (goal and case on" in done.stdout
    first = why["attempts"][0]
    assert f"{first['task_id']}: {first['primary']}" in done.stdout
    assert sum(count["primary"] for count in why["counts"].values()) == why["failed"]
    assert why["rules"]["times"] == 2


def test_the_page_shows_the_table_and_each_reason(lived_run: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    words = ("report", lived_run, "--embedder", "lexical", "--judge", "simulated", "--out", page)
    done = fingertip(*words, "--why")
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    why = reasons(lived_run, "--embedder", "lexical", "--judge", "simulated")
    assert ">Why answers failed<" in text.partition('<h2 id="why">')[2].partition("</h2>")[0]
    assert text.count(">why:<") == why["failed"]
    assert "失败原因" in text
    fingertip(*words)
    assert 'id="why"' not in page.read_text(encoding="utf-8")


def test_recorded_people_need_a_judge(recorded_run: Path) -> None:
    for command in ("score", "report"):
        done = fingertip(command, recorded_run, "--embedder", "lexical", "--why")
        assert (done.returncode, done.stderr) == (
            2,
            "fingertip: --why on recorded people needs --judge MODEL: no rule knows their goals, so a model "
            "says whether and why an answer is wrong\n",
        )


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "一个程序看了某人"), ("en", "A program saw a person")]
)
def test_a_model_names_the_reasons_of_recorded_people(
    openai_server: OpenAIServer, recorded_run: Path, tmp_path: Path, language: str, words: str
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        data = json.loads(query.text.split("\n")[1])
        verdict = {"kind": "ignored_place"} if "earlier" in data else {"same": False}
        return openai_server.says(json.dumps({"code": data["code"], "reason": "because", **verdict}))

    openai_server.replies = reply
    judge = ("--judge", "m", "--judge-base-url", openai_server.base_url, "--judge-language", language)
    options = ("--embedder", "lexical", *judge, "--judge-cache", tmp_path / "judge.jsonl")
    why = reasons(recorded_run, *options)
    assert (why["failed"], why["tasks"]) == (12, 12)
    named = [one for one in why["attempts"] if one["by"] != "rule"]
    assert {(one["primary"], one["by"]) for one in named} == {("ignored_place", f"why-judge:m@{language}-1")}
    assert why["judge"]["prompt"]["language"] == language
    queries = [one for one in openai_server.requests if one.body["messages"][0]["content"].startswith(words)]
    assert len(queries) == len(named) > 0
    count = len(openai_server.requests)
    assert reasons(recorded_run, *options) == why
    assert len(openai_server.requests) == count, "the answers are kept"


def reasons(run: Path, *options: object) -> Any:  # noqa: ANN401 - an object of JSON
    """What --json has under "why" of a run."""
    done = fingertip("score", run, *options, "--why", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["runs"][0]["why"]
