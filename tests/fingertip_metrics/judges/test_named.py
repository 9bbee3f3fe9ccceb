"""Judges by their name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_dataset.errors import FingerTipError, InputError, UsageError
from fingertip_metrics.judges import LexicalJudge, open_judge
from fingertip_metrics.judges.lexical import THRESHOLD

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer


def test_several_votes_are_several_seeds_of_a_warm_model(openai_server: OpenAIServer, tmp_path: Path) -> None:
    cache = tmp_path / "c.jsonl"
    with open_judge("tiny", base_url=openai_server.base_url, votes=3, language="en", cache=cache) as judge:
        (verdict,) = judge.judge([("听歌", "打车")])
    assert verdict.votes == ("unscored",) * 3
    sent = sorted((query.body["seed"], query.body["temperature"]) for query in openai_server.requests)
    assert sent == [(1, 0.7), (2, 0.7), (3, 0.7)]
    assert "The same app" in openai_server.requests[0].body["messages"][0]["content"]


def test_one_vote_is_greedy_and_the_client_is_closed(openai_server: OpenAIServer) -> None:
    with open_judge("tiny", base_url=openai_server.base_url) as judge:
        judge.judge([("听歌", "打车")])
    assert openai_server.requests[0].body["temperature"] == 0.0
    assert "seed" not in openai_server.requests[0].body
    with pytest.raises(UsageError, match="the client is closed"):
        judge.judge([("听歌", "打车")])


def test_lexical_human_and_given_judges_are_opened(tmp_path: Path) -> None:
    with open_judge("lexical") as lexical:
        assert isinstance(lexical, LexicalJudge)
    with open_judge(lexical) as same:
        assert same is lexical
    file = tmp_path / "labels.jsonl"
    file.write_text('{"predicted": "a", "intended": "b", "rater": "A", "same": "no"}\n')
    with open_judge("human", labels=file) as human:
        assert human.judge([("a", "b")])[0].state == "different"


@pytest.mark.parametrize(
    ("name", "options", "kind", "output"),
    [
        ("human", {}, UsageError, "judge human needs a file of labels: `fingertip review RUN` writes one"),
        ("human", {"labels": Path("no")}, InputError, "the labels cannot be read: No such file"),
        ("lexical", {"votes": 3}, UsageError, "a base URL, a backend and votes apply to a model judge only"),
        ("m", {"votes": 0}, UsageError, "expected 1 to 99 votes of a model, got 0"),
        ("m", {"votes": 3, "backend": "local"}, UsageError, "expected one vote of a local model, got 3"),
        ("m", {"base_url": "x"}, UsageError, "expected a base URL such as"),
        (" ", {"base_url": "http://x/v1"}, UsageError, "expected the name of a model, got ' '"),
        (
            "",
            {},
            UsageError,
            "expected a judge: lexical, human, simulated, simulated-goal or the name of a model, got none",
        ),
        (LexicalJudge(), {"votes": 3}, UsageError, "only; got one for judge lexical (similarity"),
        (
            "m",
            {"base_url": "http://x/v1", "cache": Path("/no/no")},
            UsageError,
            "the cache file cannot be written",
        ),
    ],
)
def test_wrong_calls_are_refused(
    name: Any,  # noqa: ANN401
    options: dict[str, Any],
    kind: type[FingerTipError],
    output: str,
) -> None:
    with pytest.raises(kind, match=re.escape(output)), open_judge(name, **options):
        pass


def test_the_lexical_judge_compares_letters() -> None:
    judge = LexicalJudge()
    pairs = [
        ("用微信给妈妈发消息", "用微信，给妈妈发消息！"),
        ("Play music", "PLAY MUSIC."),
        ("？", "！"),
        ("？", "？"),
        ("给妈妈发微信", "打车回家"),
    ]
    states = [verdict.state for verdict in judge.judge(pairs)]
    assert states == ["same", "same", "different", "same", "different"]
    assert judge.name == f"lexical (similarity of {THRESHOLD:.2f} or more)"
    assert "a rule on characters" in judge.why_not_comparable
    assert LexicalJudge(0.0).judge(pairs[-1:])[0].state == "same"
    with pytest.raises(UsageError, match=r"expected a threshold of 0 to 1, got 1\.5"):
        LexicalJudge(1.5)
