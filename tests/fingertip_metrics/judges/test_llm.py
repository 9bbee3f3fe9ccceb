"""A model as the judge, on a real server: votes, answers that are none, failures, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_metrics.judges import LlmJudge
from fingertip_metrics.judges.llm import LONGEST_INTENT
from fingertip_models import ChatClient, ModelOptions
from fingertip_models.cache import AppendOnlyCache
from tests.vectors import read_vectors

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

MakeClient = Callable[..., ChatClient]

VECTORS = read_vectors(__file__)


PAIRS = [("用网易云听歌", "听歌"), ("点外卖", "打车"), ("用网易云听歌", "听歌"), ("打车", "打车")]


def data(query: ReceivedRequest) -> dict[str, str]:
    """What the question holds."""
    found: dict[str, str] = json.loads(query.text.split("\n")[1])
    return found


def says(query: ReceivedRequest, server: OpenAIServer, same: bool) -> Reply:
    return server.says(json.dumps({"code": data(query)["code"], "reason": "因为", "same": same}))


@pytest.fixture
def voter(openai_server: OpenAIServer) -> Iterator[Callable[..., ChatClient]]:
    """Clients of the server, which says "same" where the predicted intent ends in the person's."""
    openai_server.replies = lambda query: says(
        query, openai_server, data(query)["predicted"].endswith(data(query)["intended"])
    )
    made: list[ChatClient] = []

    def make(model: str = "tiny", **options: Any) -> ChatClient:  # noqa: ANN401 - those of ModelOptions
        options = {"base_url": openai_server.base_url, "retries": 0, **options}
        made.append(ChatClient(ModelOptions(model=model, **options), backoff_s=0.01))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_verdicts_are_in_the_order_of_the_pairs(openai_server: OpenAIServer, voter: MakeClient) -> None:
    judge = LlmJudge([voter()])
    verdicts = judge.judge(PAIRS)
    assert [verdict.state for verdict in verdicts] == ["same", "different", "same", "same"]
    assert [verdict.prompt_tokens for verdict in verdicts] == [700, 700, 0, 700]
    assert {verdict.reason for verdict in verdicts} == {"因为"}
    assert json.loads(verdicts[1].output)["same"] is False
    assert len(openai_server.requests) == 3, "equal pairs are asked about once"
    assert judge.judge([]) == ()


def test_settings_and_names_tell_judges_apart(voter: MakeClient) -> None:
    judge = LlmJudge([voter("deepseek-ai/DeepSeek-V3")])
    assert judge.name == "deepseek-ai/DeepSeek-V3 (prompt zh-1)"
    assert judge.why_not_comparable is None
    assert judge.remark == "the judge's prompt is ours: the authors' own is not public"
    assert json.loads(json.dumps(judge.settings))["voters"][0]["temperature"] == 0.0
    panel = LlmJudge([voter("deepseek-v3-0324"), voter("qwen")], language="en")
    assert panel.name == "deepseek-v3-0324+qwen (prompt en-1, 2 votes)"
    assert panel.why_not_comparable == f"judge {panel.name}: the paper's is DeepSeek-V3"
    assert panel.settings["prompt"] != judge.settings["prompt"]
    for other in ("deepseek-v3.1", "DeepSeek-V3-Lite", "my-deepseek-v3", "deepseek-chat"):
        assert LlmJudge([voter(other)]).why_not_comparable, other


@pytest.mark.parametrize(("draws", "pairs", "alike"), [(False, 5, True), (True, 5, False), (False, 4, False)])
def test_votes_that_are_one_answer_are_noticed(
    openai_server: OpenAIServer, voter: MakeClient, draws: bool, pairs: int, alike: bool
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        return says(query, openai_server, not draws or query.body["seed"] % 2 == 0)

    openai_server.replies = reply
    judge = LlmJudge([voter(seed=seed, temperature=0.7) for seed in range(3)])
    assert not judge.are_votes_alike
    judge.judge([(f"听歌{number}", "打车") for number in range(pairs)])
    assert judge.are_votes_alike == alike
    greedy = LlmJudge([voter(seed=seed) for seed in range(3)])
    greedy.judge([(f"听歌{number}", "打车") for number in range(pairs)])
    assert not greedy.are_votes_alike


@pytest.mark.parametrize(("shown_text", "state", "problem"), VECTORS["more_than_half_of_the_votes_decide"])
def test_more_than_half_of_the_votes_decide(
    openai_server: OpenAIServer,
    voter: MakeClient,
    shown_text: list[bool | None],
    state: str,
    problem: str,
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        same = shown_text[query.body["seed"]]
        return openai_server.says("也许吧") if same is None else says(query, openai_server, same)

    openai_server.replies = reply
    judge = LlmJudge([voter(seed=seed, temperature=0.7) for seed in range(len(shown_text))])
    (verdict,) = judge.judge([("听歌", "打车")])
    states = {True: "same", False: "different", None: "unscored"}
    assert (verdict.state, verdict.problem) == (state, problem)
    assert verdict.votes == tuple(states[one] for one in shown_text)
    assert verdict.prompt_tokens == 700 * len(shown_text)
    if problem == "no majority":
        assert verdict.reason == f"no majority: {', '.join(verdict.votes)}"
    if problem == "unparsable":
        assert verdict.reason == "no verdict in '也许吧'"


def test_a_cut_answer_is_named(openai_server: OpenAIServer, voter: MakeClient) -> None:
    body: Any = openai_server.says('{"code": "12').body  # type: ignore[attr-defined]
    body["choices"][0]["finish_reason"] = "length"
    openai_server.play(openai_server.Reply(body=body))
    (verdict,) = LlmJudge([voter()]).judge([("听歌", "打车")])
    assert (verdict.state, verdict.problem) == ("unscored", "unparsable")
    assert verdict.reason.endswith("(the answer was cut)")


def test_an_overlong_text_is_not_queried(openai_server: OpenAIServer, voter: MakeClient) -> None:
    long, longest = "打" * (LONGEST_INTENT + 1), "打" * LONGEST_INTENT
    verdicts = LlmJudge([voter()]).judge([(long, "打车"), (longest, "打车")])
    assert [verdict.state for verdict in verdicts] == ["different", "different"]
    assert verdicts[0].reason.startswith("2,001 characters, judge not queried")
    assert len(openai_server.requests) == 1


def test_cached_answers_are_not_queried_again(
    openai_server: OpenAIServer, voter: MakeClient, tmp_path: Path
) -> None:
    for settings in ({}, {}, {"seed": 1}, {"temperature": 0.5}, {"model": "other"}):
        with AppendOnlyCache(tmp_path / "judge.jsonl") as cache:
            verdicts = LlmJudge([voter(**settings)], cache=cache).judge(PAIRS)
            assert [verdict.state for verdict in verdicts] == ["same", "different", "same", "same"]
    assert len(openai_server.requests) == 3 * 4
    with AppendOnlyCache(tmp_path / "judge.jsonl") as cache:
        LlmJudge([voter()], cache=cache, language="en").judge(PAIRS)
    assert len(openai_server.requests) == 3 * 5
    kept = [json.loads(line)["value"] for line in (tmp_path / "judge.jsonl").read_text().splitlines()]
    assert {(value["predicted"], value["intended"]) for value in kept} == set(PAIRS)


def test_a_failure_is_no_verdict(openai_server: OpenAIServer, voter: MakeClient, tmp_path: Path) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        if data(query)["predicted"] == "点外卖":
            return openai_server.Reply(status=400, body={"error": {"message": "content filter"}})
        return says(query, openai_server, True)

    openai_server.replies = reply
    with AppendOnlyCache(tmp_path / "judge.jsonl") as cache:
        for _ in range(2):
            verdicts = LlmJudge([voter()], cache=cache).judge(PAIRS)
        with pytest.raises(ModelError, match="content filter; no pair has a verdict: earlier verdicts are"):
            LlmJudge([voter()], cache=cache).judge(PAIRS[1:2])
        assert [verdict.state for verdict in verdicts] == ["same", "unscored", "same", "same"]
        assert verdicts[1].problem == "failed"
        assert "content filter" in verdicts[1].reason
        assert len(cache) == 2, "a failure is asked about again"
    shown_text = [data(query)["predicted"] for query in openai_server.requests]
    assert shown_text.count("用网易云听歌") == shown_text.count("打车") == 1


def test_wrong_arguments_are_refused(voter: MakeClient) -> None:
    with pytest.raises(UsageError, match="expected at least 1 vote and 1 concurrent query, got 0"):
        LlmJudge([])
    with pytest.raises(UsageError, match="got 1 and 0"):
        LlmJudge([voter()], concurrency=0)
    with pytest.raises(UsageError, match="expected a language, one of zh, en, got 'fr'"):
        LlmJudge([voter()], language="fr")  # type: ignore[arg-type]
