"""`fingertip suggest --repeats` and what scores and shows its folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from suggestion_runner import read_predictions, read_run
from tests.command_line import fingertip
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

LIMIT = 4


@pytest.fixture(scope="module")
def drawn(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repeated run of the agent that draws: two tries, then a third by another call."""
    folder = tmp_path_factory.mktemp("runs") / "drawn"
    call = ("suggest", sample, "--agent", "random", "--limit", LIMIT, "--out", folder)
    first = fingertip(*call, "--repeats", 2)
    assert first.returncode == 0
    assert first.stdout.splitlines()[-1] == f"next: fingertip score {folder}"
    assert "try 2 of 2, seed 1" in first.stderr
    before = (folder / "try-1" / "predictions.jsonl").read_bytes()
    assert fingertip(*call, "--repeats", 3).returncode == 0
    assert (folder / "try-1" / "predictions.jsonl").read_bytes() == before
    return folder


def test_each_try_is_an_ordinary_run_with_a_seed_of_its_own(drawn: Path) -> None:
    seeds = [read_run(drawn / f"try-{number}").agent.settings["seed"] for number in (1, 2, 3)]
    assert seeds == [0, 1, 2]
    # how many tries there will be stands in each when it starts
    sessions = [read_run(drawn / f"try-{number}").sessions for number in (1, 2, 3)]
    assert [one[0].repeats for one in sessions] == [2, 2, 3]
    assert all(len(read_predictions(drawn / f"try-{number}")) == LIMIT for number in (1, 2, 3))


def test_a_sample_of_tasks_is_the_same_in_all_tries(sample: Path, tmp_path: Path) -> None:
    call = ("--agent", "random", "--sample", 3, "--seed", 4, "--repeats", 2)
    assert fingertip("suggest", sample, *call, "--out", tmp_path / "run").returncode == 0
    tries = [tmp_path / "run" / name for name in ("try-1", "try-2")]
    assert [read_run(one).agent.settings["seed"] for one in tries] == [4, 5]
    tasks = [[line.task_id for line in read_predictions(one)] for one in tries]
    assert tasks[0] == tasks[1]


def test_a_copied_try_is_refused(drawn: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copied"
    shutil.copytree(drawn, folder)
    shutil.copytree(folder / "try-1", folder / "try-2", dirs_exist_ok=True)
    done = fingertip("score", folder, "--embedder", "lexical")
    assert done.returncode == 2
    assert "try 2 has seed 0 in try-2, expected 1: it is no try of this run" in done.stderr


def test_score_prints_means_over_tries_and_chances_in_k_tries(
    drawn: Path, sample: Path, tmp_path: Path
) -> None:
    call = ("score", drawn, "--embedder", "lexical", "--judge", "lexical")
    printed = fingertip(*call, "--notes")
    assert printed.returncode == 0, printed.stderr
    for words in (
        "drawn/try-3",
        "drawn: success in k of 3 tries",
        "pass^k % [95 %]",
        "that all k do (tau-bench)",
    ):
        assert words in printed.stdout
    done = fingertip(*call, "--json")
    (found,) = json.loads(done.stdout)["runs"]
    assert (found["repeats"], found["seeds"], found["n"]) == (3, [0, 1, 2], LIMIT)
    tries = [one["sim1"]["mean"] for one in found["tries"]]
    assert found["means"]["sim1"]["mean"] == pytest.approx(sum(tries) / 3)
    assert len(found["pass_at"]) == len(found["pass_hat"]) == 3
    assert json.loads((drawn / "scores.json").read_text(encoding="utf-8"))["n"] == LIMIT


def test_two_runs_are_compared_by_the_means_of_each_task(drawn: Path) -> None:
    single = drawn / "try-1"
    done = fingertip("score", drawn, "--against", single, "--embedder", "lexical", "--json")
    ours, theirs = json.loads(done.stdout)["runs"]
    found = ours["against"]["differences"]["sim1"]
    assert found["n"] == LIMIT
    assert found["mean"] == pytest.approx(ours["means"]["sim1"]["mean"] - theirs["sim1"]["mean"])
    printed = fingertip("score", drawn, "--against", single, "--embedder", "lexical")
    assert "drawn (mean of 3 tries) minus try-1, 4 tasks" in printed.stdout


def test_report_shows_the_tries_of_a_task_next_to_each_other(drawn: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = fingertip("report", drawn, "--embedder", "lexical", "--judge", "lexical", "--out", page)
    assert done.stdout == f"{page}: 1 run, {LIMIT} tasks\n"
    text = page.read_text(encoding="utf-8")
    assert 'id="repeats"' in text
    assert all(text.count(f"random · drawn/try-{number}</span>") >= LIMIT for number in (1, 2, 3))


def test_a_server_that_ignores_seeds_is_asked_each_time_and_noticed(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.replies = lambda query: openai_server.says(f"打开微信{len(query.text)}")
    model = ("--agent", "model", "--model", "tiny", "--base-url", openai_server.base_url, "--concurrency", 1)
    call = ("suggest", sample, *model, "--limit", 2, "--temperature", 0.7, "--cache", tmp_path / "cache")
    done = fingertip(*call, "--repeats", 3, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    # one cache for all tries answers none of a later one
    assert [query.body["seed"] for query in openai_server.requests] == [0, 0, 1, 1, 2, 2]
    assert "warning: all tries have the same answers at a temperature above 0" in done.stderr
    printed = fingertip("score", tmp_path / "run", "--embedder", "lexical").stdout
    assert "Warning: run: all tries have the same answers" in printed


def test_a_server_that_draws_is_not_warned_of(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        return openai_server.says(f"打开微信{query.body['seed']}")

    openai_server.replies = reply
    model = ("--agent", "model", "--model", "tiny", "--base-url", openai_server.base_url)
    call = ("suggest", sample, *model, "--limit", 1, "--repeats", 2, "--out", tmp_path / "run")
    done = fingertip(*call, "--temperature", 1)
    assert "same" not in done.stderr
    before = len(openai_server.requests)
    assert fingertip(*call, "--temperature", 1).returncode == 0
    assert len(openai_server.requests) == before


def test_a_server_that_refuses_seeds_is_sent_none(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        refused = {"error": {"message": "Unrecognized request argument supplied: seed"}}
        return Reply(status=400, body=refused) if "seed" in query.body else openai_server.says("打开微信")

    openai_server.replies = openai_server.small_replies = reply
    model = ("--agent", "model", "--model", "tiny", "--base-url", openai_server.base_url)
    call = ("suggest", sample, *model, "--temperature", 1, "--limit", 1, "--repeats", 2)
    refused = fingertip(*call, "--out", tmp_path / "run")
    assert refused.returncode == 2
    assert "give --extra-body seed=null to send none" in refused.stderr
    done = fingertip(*call, "--extra-body", "seed=null", "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert len([query for query in openai_server.requests if "seed" not in query.body]) == 2


def test_tries_that_will_be_the_same_are_said_before_the_first(
    sample: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    call = ("suggest", sample, "--limit", 1, "--repeats", 2)
    habit = fingertip(*call, "--agent", "habit", "--out", tmp_path / "habit")
    assert habit.stderr.startswith("note: the agent habit draws nothing: all tries will be the same\n")
    model = ("--agent", "model", "--model", "tiny", "--base-url", openai_server.base_url)
    greedy = fingertip(*call, *model, "--out", tmp_path / "greedy")
    assert greedy.stderr.startswith("note: at temperature 0 all tries will be the same, up to the rounding")
    assert "warning: all tries" not in greedy.stderr


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--agent", "random", "--repeats", 0), "'--repeats': 0 is not in the range 1<=x<=100"),
        (("--agent", "human", "--rater", "anna", "--repeats", 2), "--repeats is not for --agent human"),
        (
            ("--agent", "model", "--model", "m", "--backend", "batch", "--repeats", 2),
            "--repeats is not for --backend batch",
        ),
        (("--agent", "random", "--repeats", 2), "the folder holds 3 tries, and tries are not taken away"),
        (("--agent", "random"), "this is a repeated run, not a run: give another --out"),
        (("--agent", "random", "--repeats", 3, "--seed", 1), "differs in --seed: 0 in the folder, 1 in this"),
    ],
)
def test_a_wrong_call_is_one_line(sample: Path, drawn: Path, given: tuple[object, ...], words: str) -> None:
    done = fingertip("suggest", sample, *given, "--limit", LIMIT, "--out", drawn)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert words in line


def test_commands_of_one_run_say_to_give_a_try(drawn: Path) -> None:
    done = fingertip("review", drawn, "--judge", "m")
    assert done.returncode == 2
    assert "this is a repeated run, not a run: give one of its tries, such as its folder try-1" in done.stderr
