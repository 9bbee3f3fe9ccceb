"""`fingertip benchmark`: both tracks of an agent or of a scripted model, in one or in several calls."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingertip_leaderboard.verify.verify_bundle import verify_bundle
from tests.command_line import fingertip
from tests.shared_datasets import simulated_people
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

PRICED = ("--price-prompt", 1, "--price-completion", 10)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


def benchmark(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return fingertip("benchmark", *arguments, cwd=cwd)


def read(out: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / "benchmark.json").read_text(encoding="utf-8"))
    return content


def refusal(done: subprocess.CompletedProcess[str], code: int = 2) -> str:
    """The one line of a refused call."""
    assert done.returncode == code, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("fingertip")][-1]


def answers(server: OpenAIServer) -> Callable[[ReceivedRequest], Reply]:
    """An intent on track 1; on track 2 a wait, and the end from the second step of a task on."""

    def reply(query: ReceivedRequest) -> Reply:
        words = json.dumps(query.body["messages"], ensure_ascii=False)
        if "finished(" not in words:
            return server.says("打开微信")
        later = "wait()" in json.dumps(query.body["messages"][-1], ensure_ascii=False).partition("之前")[2]
        return server.says("finished()" if later else "wait()")

    return reply


def serve(server: OpenAIServer, replies: Callable[[ReceivedRequest], Reply]) -> None:
    server.requests.clear()
    server.replies, server.small_replies = replies, lambda query: server.says("OK")


def model(server: OpenAIServer) -> tuple[object, ...]:
    return ("--model", "m", "--base-url", server.base_url, "--agent", "generalist", "--concurrency", 2)


@pytest.fixture(scope="module")
def random_run(people: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A finished benchmark of the agent random on both tracks, with bundles, and what it printed."""
    out = tmp_path_factory.mktemp("benchmark") / "random"
    card = ("--name", "随机", "--contact", "a@example.org")
    done = benchmark(people, "--agent", "random", *card, "--out", out)
    assert done.returncode == 0, done.stderr
    return out, done.stdout


def test_an_agent_of_both_tracks_has_one_table_one_page_and_a_bundle_each(
    random_run: tuple[Path, str],
) -> None:
    out, shown = random_run
    assert "track 1, suggestion: random" in shown
    assert "track 2, execution: random" in shown
    assert "Not comparable with the paper (" in shown
    assert f"page: {out / 'index.html'}" in shown
    names = ("suggestion", "execution", "asking", "moments")
    bundles = " ".join(f"{out}/bundles/{name}" for name in names)
    assert f"fingertip submit {bundles} --repo OWNER/NAME" in shown
    assert f"next: fingertip leaderboard {out}/bundles --dataset" in shown
    page = (out / "index.html").read_text(encoding="utf-8")
    assert 'href="suggestion.html"' in page
    assert 'href="execution.html"' in page
    record = read(out)
    assert record["finished"]
    for track, score in (("suggestion", "sim1"), ("execution", "sim2")):
        result = record["result"]["tracks"][track]
        assert (out / result["report"]).is_file()
        scores = json.loads((out / track / "scores.json").read_text(encoding="utf-8"))
        assert scores["n"] == result["n"]
        assert result["scores"][score]["mean"] == pytest.approx(scores[score]["mean"])
        assert (out / result["bundle"] / "bundle.json").is_file()


def test_an_agent_of_track_1_answers_moments_too(random_run: tuple[Path, str]) -> None:
    out, shown = random_run
    assert "moments: random" in shown
    assert "false triggers %" in shown
    moments = read(out)["result"]["moments"]
    scores = json.loads((out / "moments" / "scores.json").read_text(encoding="utf-8"))
    assert moments["n"] == scores["n"]
    assert moments["scores"]["missed_rate"]["mean"] == pytest.approx(scores["missed_rate"]["mean"])
    assert (out / moments["report"]).is_file()
    head = json.loads((out / moments["bundle"] / "bundle.json").read_text(encoding="utf-8"))
    assert head["scores"]["utility"] == pytest.approx(scores["utility"]["mean"])
    page = (out / "index.html").read_text(encoding="utf-8")
    assert 'href="moments.html"' in page
    assert "Moments: when to speak" in page


def test_an_agent_of_track_2_gets_tasks_in_few_words_too(random_run: tuple[Path, str]) -> None:
    out, shown = random_run
    assert "track 2, in few words: random" in shown
    asking = read(out)["result"]["asking"]
    scores = json.loads((out / "asking" / "scores.json").read_text(encoding="utf-8"))
    assert asking["n"] == scores["n"]
    assert asking["scores"]["questions"]["mean"] == 0, "it never asks"
    record = json.loads((out / "asking" / "run.json").read_text(encoding="utf-8"))
    assert (record["instructions"], record["answered_by"]) == ("goal_alone", "simulated")
    assert (out / asking["report"]).is_file()
    assert (out / asking["bundle"] / "bundle.json").is_file()
    page = (out / "index.html").read_text(encoding="utf-8")
    assert 'href="asking.html"' in page
    assert "Track 2, in few words: ask or know" in page


def test_the_same_call_again_does_nothing_but_print(random_run: tuple[Path, str], people: Path) -> None:
    out, shown = random_run
    before = {file: file.stat().st_mtime_ns for file in (out / "bundles").rglob("*") if file.is_file()}
    logs = [out / "suggestion" / "predictions.jsonl", out / "execution" / "steps.jsonl"]
    lines = [file.read_bytes() for file in logs]
    card = ("--name", "随机", "--contact", "a@example.org")
    done = benchmark(people, "--agent", "random", *card, "--out", out)
    assert done.stdout == shown
    assert {file: file.stat().st_mtime_ns for file in before} == before
    assert [file.read_bytes() for file in logs] == lines
    # a call of one track keeps the other one's scores
    one = benchmark(people, "--agent", "random", "--track", "execution", *card, "--out", out)
    assert one.stdout == shown
    assert list(read(out)["result"]["tracks"]) == ["suggestion", "execution"]
    other = benchmark(people, "--agent", "imitate", "--out", out)
    assert "differs in --agent: random in the folder, imitate in this call" in refusal(other)


def test_an_agent_of_one_track_says_so_and_lacks_a_contact(people: Path, tmp_path: Path) -> None:
    memory = ("--memory", "similar", "--memory-budget", "900")
    done = benchmark(people, "--agent", "habit", "--no-moments", *memory, "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    recorded = json.loads((tmp_path / "out" / "suggestion" / "run.json").read_text("utf-8"))["memory"]
    assert (recorded["name"], recorded["budget"]) == ("similar", 900)
    assert "habit is an agent of track 1 alone: track 2 is not run" in done.stderr
    result = json.loads(done.stdout)
    assert list(result["tracks"]) == ["suggestion"]
    assert "moments" not in result
    assert result["tracks"]["suggestion"]["bundle"] is None
    assert "next: fingertip benchmark --contact you@example.org " in done.stderr


def test_a_model_that_dies_in_the_middle_is_one_line_and_the_same_call_goes_on(
    people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    # a track that is given twice is run once
    tracks = ("--track", "execution", "--track", "execution", "--device", "teacher-forced")
    call = (people, *model(openai_server), *PRICED, "--limit", 2, *tracks)
    serve(openai_server, answers(openai_server))
    whole = benchmark(*call, "--out", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    cost = whole.stderr.splitlines()[-1].rpartition(", ")[2]
    assert f"Cost {cost}." in whole.stdout
    queries = len(openai_server.requests)
    refused = openai_server.Reply(status=401, body={"error": "the key has expired"})
    serve(openai_server, lambda query: answers(openai_server)(query) if query.number < 2 else refused)
    openai_server.small_replies = lambda query: (
        openai_server.says("OK") if len(openai_server.requests) < 2 else refused
    )
    line = refusal(benchmark(*call, "--out", tmp_path / "out"))
    assert "the key has expired" in line
    assert "the same call resumes from here" in line
    assert read(tmp_path / "out")["finished"] is None
    serve(openai_server, answers(openai_server))
    again = benchmark(*call, "--out", tmp_path / "out")
    assert again.returncode == 0, again.stderr
    assert len(openai_server.requests) <= queries
    scores = [read(tmp_path / name)["result"]["tracks"]["execution"]["scores"] for name in ("whole", "out")]
    assert scores[0] == scores[1]
    assert "2 tasks of each track: a sample, which cannot be ranked." in again.stdout
    assert "no bundles: a sample cannot be ranked" in again.stdout


def test_a_judge_gives_sr_1_its_check_and_its_cost(
    people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def verdict(query: ReceivedRequest) -> Reply:
        code = re.search(r'"code": "(\w+)"', query.text)
        assert code
        return openai_server.says(f'{{"code": "{code[1]}", "reason": "x", "same": false}}')

    serve(openai_server, verdict)
    judge = ("--judge", "j", "--judge-base-url", openai_server.base_url, "--contact", "a@example.org")
    prices = ("--judge-price-prompt", 1000, "--judge-price-completion", 0)
    call = (people, "--agent", "habit", *judge, *prices, "--out", tmp_path / "out")
    done = benchmark(*call)
    assert done.returncode == 0, done.stderr
    queries = len(openai_server.requests)
    tokens = 700 * queries
    result = read(tmp_path / "out")["result"]["tracks"]["suggestion"]
    assert result["judge"]["prompt_tokens"] == tokens
    assert result["judge"]["cost"] == pytest.approx(tokens / 1000)
    assert result["scores"]["sr1"]["mean"] < 1
    (checked,) = result["judge"]["tries"]
    assert checked["check"]["same"] == 2
    assert checked["agreement_with_simulated"]["kappa"]["n"] > 0
    words = f"The judge read {tokens:,} tokens and wrote {20 * queries:,}, cost {tokens / 1000:.4f} USD."
    assert words in done.stdout
    assert "The judge on pairs with a known answer: 0 of 2 equal ones called the same" in done.stdout
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert f"{tokens:,} tokens" in page
    assert "Agreement of the judge with the wordings" in page
    bundle = json.loads((tmp_path / "out" / result["bundle"] / "bundle.json").read_text(encoding="utf-8"))
    assert bundle["judge"]["name"].startswith("j (prompt")
    # every verdict is in the run's folder
    assert benchmark(*call).stdout == done.stdout
    assert len(openai_server.requests) == queries


def test_a_judge_whose_server_is_not_there_stops_the_call_before_the_runs(
    people: Path, tmp_path: Path
) -> None:
    out = ("--out", tmp_path / "out")
    judge = ("--judge", "j", "--judge-base-url", "http://127.0.0.1:9/v1")
    line = refusal(benchmark(people, "--agent", "habit", *judge, *out))
    assert "j at http://127.0.0.1:9/v1 did not answer: a connection error, connection refused" in line
    one_track = ("--track", "execution", "--judge", "lexical")
    alone = refusal(benchmark(people, "--agent", "imitate", *one_track, *out))
    assert "--judge lexical is for track 1, which is not run: leave it out" in alone
    prices = ("--judge-price-prompt", 1, "--judge-price-completion", 1)
    assert "--judge-price-prompt needs --judge" in refusal(
        benchmark(people, "--agent", "habit", *prices, *out)
    )
    assert not (tmp_path / "out" / "suggestion").exists()


def test_several_tries_are_one_table(people: Path, tmp_path: Path) -> None:
    card = ("--contact", "a@example.org", "--repeats", 2)
    done = benchmark(people, "--agent", "random", "--track", "suggestion", *card, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "random, 2 tries" in done.stdout
    assert "within their tasks, over tries" in (tmp_path / "out" / "index.html").read_text()
    assert (tmp_path / "out" / "suggestion" / "try-2" / "scores.json").is_file()
    assert (tmp_path / "out" / "bundles" / "suggestion" / "try-2" / "predictions.jsonl").is_file()
    result = read(tmp_path / "out")["result"]["tracks"]["suggestion"]
    assert result["repeats"] == 2
    tries = result["tries"]
    assert result["agent_s"] == pytest.approx(sum(one["agent_s"] for one in tries))
    assert (len(tries), result["queries"]) == (2, sum(one["queries"] for one in tries))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "what is to be tested? Give --model NAME with --base-url URL of its server"),
        (("--agent", "generalist"), "the agent generalist needs a model: give --model NAME"),
        (("--agent", "human"), "the agent human is not tested by one call"),
        (("--agent", "habitt"), "did you mean habit?"),
        (("--agent", "habit", "--track", "execution"), "is for track 1 alone, got --track execution"),
        (
            ("--agent", "habit", "--temperature", "1"),
            "the agent habit takes no --temperature: it uses no model",
        ),
        (("--model", "m", "--agent", "habit"), "track 2 has"),
        (("--model", "m", "--agent", "imitate"), "--model m needs an agent around a model"),
        (("--model", "smol"), "--track suggestion leaves track 2 out"),
        (("--base-url", "http://127.0.0.1:9/v1"), "what is to be tested?"),
        (("--agent", "habit", "--quick", "--limit", "2"), "--quick and --limit exclude each other"),
        (
            ("--agent", "habit", "--only-language", "fr"),
            "nobody of the dataset writes fr: its people write zh",
        ),
        (("--agent", "habit", "--only-language", "zh"), "all people of the dataset write zh: leave"),
        (("--agent", "habit", "--memory", "nope"), "nope"),
        (("--agent", "habit", "--memory-budget", "9"), "--memory-budget needs --memory"),
        (("--agent", "random", "--memory", "all"), "the agent random reads no memory"),
        (("--agent", "habit", "--name", "x"), "--name is for bundles, which also need --contact"),
        (("--agent", "habit", "--contact", "nobody"), "--contact cannot be 'nobody': give an e-mail address"),
        (("--agent", "imitate", "--device", "adb:NOWHERE"), "NOWHERE"),
        (("--agent", "habit", "--device", "simulated"), "--device and --engine are for track 2"),
        (("--model", "m", "--agent", "generalist", "--adapter", "a"), "--adapter needs --backend local"),
        (("--model", "m", "--agent", "generalist", "--price-prompt", "1"), "go together: give both"),
    ],
)
def test_a_wrong_call_is_one_line_before_anything_is_sent(
    people: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    out = tmp_path / "out"
    assert words in refusal(benchmark(people, *arguments, "--out", out))
    assert not (out / "suggestion").exists()
    assert not (out / "execution").exists()


def test_the_only_model_of_a_server_is_taken_under_any_name(
    people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.models = Reply(body={"object": "list", "data": [{"id": "/models/small.gguf"}]})
    serve(openai_server, answers(openai_server))
    call = (people, *model(openai_server), "--track", "suggestion", "--limit", 1, "--repeats", 2)
    done = benchmark(*call, "--out", tmp_path / "one")
    assert done.returncode == 0, done.stderr
    tries = (tmp_path / "one" / "suggestion" / f"try-{number}" / "predictions.jsonl" for number in (1, 2))
    answers_of_both = [json.loads(file.read_text().splitlines()[0]) for file in tries]
    tokens = sum(one["prompt_tokens"] + one["completion_tokens"] for one in answers_of_both)
    assert f"<td>{tokens:,}</td>" in (tmp_path / "one" / "index.html").read_text()
    # once, though the preflight and each try read the list
    assert done.stderr.count("has no model m, but only /models/small.gguf") == 1


def test_a_server_that_is_not_there_stops_the_call_before_people_are_made(tmp_path: Path) -> None:
    server = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--agent", "generalist")
    line = refusal(benchmark(*server, "--out", tmp_path / "out", cwd=tmp_path))
    assert "127.0.0.1:9" in line
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_recorded_people_need_a_device_for_track_2(sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    line = refusal(benchmark(sample, "--agent", "random", "--out", out))
    assert "the people of this dataset are recorded, not simulated. Give --device adb:SERIAL" in line
    done = benchmark(sample, "--agent", "random", "--out", out, "--device", "teacher-forced", "--quick")
    assert done.returncode == 0, done.stderr
    assert "ten people: a sample, which cannot be ranked." in done.stdout


def test_a_folder_that_is_no_dataset_is_one_line(tmp_path: Path) -> None:
    assert "no built dataset" in refusal(benchmark(tmp_path, "--agent", "habit", "--out", tmp_path / "out"))


def comparable(out: Path) -> dict[str, Any]:
    """What came out, without what was measured and when."""
    result: dict[str, Any] = read(out)["result"]
    for track in result["tracks"].values():
        # a task that was cut off is asked for again
        for name in ("agent_s", "queries", "prompt_tokens", "completion_tokens", "notes"):
            del track[name]
    return result


MOMENTS: dict[str, Callable[[Path], bool]] = {
    "the first answer": lambda out: count_lines(out / "suggestion" / "predictions.jsonl") >= 1,
    "the third step": lambda out: count_lines(out / "execution" / "steps.jsonl") >= 3,
    "the last task": lambda out: '"final"' in read_text(out / "execution" / "steps.jsonl"),
    "the scores": lambda out: (out / "suggestion" / "scores.json").exists(),
    "the second bundle": lambda out: (out / "bundles" / "suggestion").exists(),
}
"""When a call is killed, in their order."""


def read_text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def count_lines(file: Path) -> int:
    return read_text(file).count("\n")


@pytest.mark.install
def test_the_same_call_goes_on_after_kills_at_any_moment(
    people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        time.sleep(0.05)
        return answers(openai_server)(query)

    serve(openai_server, reply)
    call = ("benchmark", people, *model(openai_server), "--contact", "a@example.org", "--no-preflight")
    whole = fingertip(*call, "--out", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    out = tmp_path / "killed"
    words = [str(Path(sys.executable).with_name("fingertip")), *map(str, call), "--out", str(out)]
    for name, has_come in MOMENTS.items():
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not has_come(out):
                time.sleep(0.01)
            assert process.poll() is None, f"it was over before {name}"
            process.send_signal(signal.SIGKILL)
        assert read(out)["finished"] is None
    again = fingertip(*call, "--out", out)
    assert again.returncode == 0, again.stderr
    assert comparable(out) == comparable(tmp_path / "whole")
    for track in ("suggestion", "execution"):
        assert verify_bundle(out / "bundles" / track, people).accepted
