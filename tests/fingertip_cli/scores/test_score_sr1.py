"""`fingertip score --judge` as a user calls it, with a real server as the judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from fingertip_cli.main import cli
from fingertip_dataset.errors import FingerTipError
from fingertip_runs.targets import read_targets
from suggestion_runner import read_predictions, run_suggestions
from tests.shared_datasets import built_sample
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    dataset = built_sample(tmp_path_factory)
    run_suggestions(dataset, HabitBaseline(), folder / "run")
    return folder / "run"


def words(run: Path, *options: object) -> list[str]:
    return ["score", str(run), "--embedder", "lexical", "--notes", *map(str, options)]


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    """Text that is printed on both streams; in this process, for starting one takes a second."""

    def called(run: Path, *options: object) -> tuple[str, str]:
        cli.main(words(run, *options), standalone_mode=False)
        shown = capsys.readouterr()
        return shown.out, shown.err

    return called


def test_a_model_judges_once_and_unreadable_answers_are_counted(
    openai_server: OpenAIServer, run: Path, score: Callable[..., tuple[str, str]]
) -> None:
    targets = read_targets(run)
    texts = {(line.predicted_intent, targets[line.task_id].intent) for line in read_predictions(run)}
    unread = sorted(texts)[0]

    def reply(query: ReceivedRequest) -> Reply:
        data = json.loads(query.text.split("\n")[1])
        pair = (data["predicted"], data["intended"])
        verdict = {"code": data["code"], "reason": "看效果", "same": pair[0] == pair[1]}
        return openai_server.says("我不知道" if pair == unread else json.dumps(verdict))

    openai_server.replies = reply
    judge = ("--judge", "DeepSeek-V3", "--judge-base-url", openai_server.base_url, "--judge-check", 0)
    out, err = score(run, *judge)
    assert len(openai_server.requests) == len(texts)
    assert f"run: judged {len(texts)}/{len(texts)}" in err
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    states = [item["sr1"]["state"] for item in scores["per_item"]]
    for line, state in zip(read_predictions(run), states, strict=True):
        pair = (line.predicted_intent, targets[line.task_id].intent)
        assert state == ("unscored" if pair == unread else "same" if pair[0] == pair[1] else "different")
    sr1 = scores["sr1"]
    assert sr1["mean"] == pytest.approx(states.count("same") / len(states))
    assert sr1["unscored"] == sr1["unparsable"] == states.count("unscored") > 0
    assert sr1["comparable"] is True
    assert scores["depends_on"]["judge"]["voters"][0]["base_url"] == openai_server.base_url
    assert "SR_1 by judge DeepSeek-V3 (prompt zh-1): the judge's prompt is ours: the authors' own" in out
    assert "have no verdict" in out
    assert score(run, *judge)[0] == out
    assert len(openai_server.requests) == len(texts), "the answers are in RUN/judge.jsonl"


def test_a_judge_at_chance_is_marked_and_warned_of(
    openai_server: OpenAIServer, run: Path, score: Callable[..., tuple[str, str]]
) -> None:
    def agree(query: ReceivedRequest) -> Reply:
        code = json.loads(query.text.split("\n")[1])["code"]
        return openai_server.says(json.dumps({"code": code, "reason": "好", "same": True}))

    openai_server.replies = agree
    out, _ = score(run, "--judge", "m", "--judge-base-url", openai_server.base_url)
    first = next(line for line in out.splitlines() if line.startswith("WARNING: "))
    assert first.startswith("WARNING: this judge cannot tell apart pairs with a known answer: 10 of 10")
    assert "0 of 10 unlike ones called different, kappa 0.00: do not use its SR_1." in first
    assert " ! " in out, "the mark beside SR_1"
    content = json.loads((run / "scores.json").read_text(encoding="utf-8"))["sr1"]
    assert content["check"]["right_different"] == 0
    assert content["warnings"][0] in first

    def judge_well(query: ReceivedRequest) -> Reply:
        data = json.loads(query.text.split("\n")[1])
        verdict = {"code": data["code"], "reason": "好", "same": data["predicted"] == data["intended"]}
        return openai_server.says(json.dumps(verdict))

    openai_server.replies = judge_well
    (run / "judge.jsonl").unlink()
    out, _ = score(run, "--judge", "m", "--judge-base-url", openai_server.base_url)
    assert "10 of 10 equal ones called the same, 10 of 10 unlike ones called different" in out
    assert "cannot tell apart" not in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--judge", "human"), "the labels cannot be read: No such file or directory; `fingertip review"),
        (("--judge-votes", 3), "--judge-votes needs --judge"),
        (("--judge-cache", "x"), "--judge-cache needs --judge"),
        (
            ("--judge", "lexical", "--judge-votes", 3),
            "a base URL, a backend and votes apply to a model judge only",
        ),
        (
            ("--judge", "m", "--judge-base-url", "ftp://x"),
            "expected a base URL such as http://127.0.0.1:8000/v1",
        ),
        (
            ("--judge", ""),
            "expected a judge: lexical, human, simulated, simulated-goal or the name of a model, got none",
        ),
    ],
)
def test_the_wrong_call_is_refused(
    run: Path, score: Callable[..., tuple[str, str]], options: tuple[object, ...], message: str
) -> None:
    with pytest.raises(FingerTipError) as raised:
        score(run, *options)
    assert message in str(raised.value)
