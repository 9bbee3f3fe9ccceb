"""A model that names reasons, on a real server: votes, answers that are none, failures, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_dataset.errors import ModelError
from fingertip_metrics.judges.llm import LONGEST_INTENT
from fingertip_models import ChatClient, ModelOptions
from fingertip_models.cache import AppendOnlyCache
from suggestion_runner.why.reason_judge import JudgedReason, ReasonJudge, open_reason_judge
from suggestion_runner.why.reason_question import FailedAnswer
from tests.obedient_judge import obey, read_injected_texts
from tests.suggestion_runner.why.test_reason_question import intent

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

MakeClient = Callable[..., ChatClient]
FAILED = [
    FailedAnswer(predicted=text, task=intent("打车"), earlier=(intent("看书", 3),))
    for text in ("听歌", "看书", "点外卖")
]


def data(query: ReceivedRequest) -> dict[str, str]:
    found: dict[str, str] = json.loads(query.text.split("\n")[1])
    return found


def says(query: ReceivedRequest, server: OpenAIServer, kind: str) -> Reply:
    return server.says(json.dumps({"code": data(query)["code"], "reason": "因为", "kind": kind}))


@pytest.fixture
def voter(openai_server: OpenAIServer) -> Iterator[MakeClient]:
    """Clients of the server, which names the same reason each time."""
    openai_server.replies = lambda query: says(query, openai_server, "generic")
    made: list[ChatClient] = []

    def make(model: str = "tiny", **options: Any) -> ChatClient:  # noqa: ANN401 - those of ModelOptions
        settings = ModelOptions(model=model, base_url=openai_server.base_url, retries=0, **options)
        made.append(ChatClient(settings, backoff_s=0.01))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_reasons_are_in_the_order_of_the_answers(openai_server: OpenAIServer, voter: MakeClient) -> None:
    kinds = dict(zip([one.predicted for one in FAILED], ["generic", "bad luck", "stale_habit"], strict=True))
    openai_server.replies = lambda query: says(query, openai_server, kinds[data(query)["predicted"]])
    done: list[tuple[int, int]] = []
    judge = ReasonJudge([voter()], language="zh", on_progress=lambda *counts: done.append(counts))
    found = judge.find_reasons(FAILED)
    assert [one.name for one in found] == ["generic", None, "stale_habit"]
    assert found[0].words == "因为"
    assert found[1].words.startswith("no reason of the list in '{")
    assert sorted(done) == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert judge.find_reasons([]) == ()


def test_settings_and_names_tell_judges_apart(voter: MakeClient) -> None:
    chinese = ReasonJudge([voter("m")], language="zh")
    english = ReasonJudge([voter("m"), voter("m", seed=2)], language="en")
    assert (chinese.name, english.name) == ("why-judge:m@zh-1", "why-judge:m@en-1, 2 votes")
    assert json.loads(json.dumps(chinese.settings))["voters"][0]["model"] == "m"
    assert chinese.settings["prompt"] != english.settings["prompt"]


@pytest.mark.parametrize(
    ("kinds", "name", "words"),
    [
        (["generic", "generic", "wrong_time"], "generic", "因为"),
        (["generic", "other_thing", "wrong_time"], None, "no majority: generic, other_thing, wrong_time"),
        (["generic", "nothing"], None, "no majority: generic, none"),
        (["generic", "nothing", "none"], None, "no reason of the list in "),
    ],
)
def test_more_than_half_of_the_votes_decide(
    openai_server: OpenAIServer, voter: MakeClient, kinds: list[str], name: str | None, words: str
) -> None:
    openai_server.replies = lambda query: says(query, openai_server, kinds[query.body["seed"]])
    judge = ReasonJudge([voter(seed=seed) for seed in range(len(kinds))], language="zh")
    (found,) = judge.find_reasons(FAILED[:1])
    assert found.name == name
    assert found.words.startswith(words)


def test_an_overlong_text_is_not_sent(openai_server: OpenAIServer, voter: MakeClient) -> None:
    long = FailedAnswer(predicted="打" * (LONGEST_INTENT + 1), task=intent("打车"), earlier=())
    (found,) = ReasonJudge([voter()], language="zh").find_reasons([long])
    assert found == JudgedReason(name="unreadable_answer", words="2,001 characters")
    assert openai_server.requests == []


def test_answers_are_kept_and_failed_queries_are_made_again(
    openai_server: OpenAIServer, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        if query.number == 1:
            return openai_server.Reply(status=400, body={"error": {"message": "refused"}})
        return says(query, openai_server, "generic")

    openai_server.replies = reply

    def ask() -> list[str | None]:
        options: dict[str, Any] = {"base_url": openai_server.base_url, "cache": tmp_path / "judge.jsonl"}
        with open_reason_judge("tiny", **options, concurrency=1) as judge:
            return [one.name for one in judge.find_reasons(FAILED)]

    assert ask() == ["generic", None, "generic"]
    assert ask() == ["generic", "generic", "generic"]
    assert ask() == ["generic", "generic", "generic"]
    assert len(openai_server.requests) == 4
    with AppendOnlyCache(tmp_path / "judge.jsonl") as cache:
        assert len(cache) == 3
    kept = [json.loads(line)["value"] for line in (tmp_path / "judge.jsonl").read_text().splitlines()]
    assert {(value["predicted"], value["intended"], value["task_id"]) for value in kept} == {
        (one.predicted, "打车", "1__20250326_083000") for one in FAILED
    }


def test_a_server_that_refuses_every_query_is_an_error(
    openai_server: OpenAIServer, voter: MakeClient
) -> None:
    client = voter()
    openai_server.play(openai_server.Reply(status=401, body={"error": {"message": "no key"}}))
    with pytest.raises(ModelError, match=r"no answer has a reason: .* run it again to continue"):
        ReasonJudge([client], language="zh").find_reasons(FAILED)


@pytest.mark.parametrize("echo", [False, True])
def test_no_answer_changes_its_reason(openai_server: OpenAIServer, voter: MakeClient, echo: bool) -> None:
    texts = [text for text in read_injected_texts().values() if len(text) < LONGEST_INTENT]
    failed = [FailedAnswer(predicted=text, task=intent("打车"), earlier=(intent(text, 3),)) for text in texts]
    openai_server.replies = obey(openai_server, {"kind": "generic"}, echo=echo)
    found = ReasonJudge([voter()], language="zh").find_reasons(failed)
    assert {one.name for one in found} == ({"generic", None} if echo else {"generic"})
