"""How a model's answer becomes a distribution over intents."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_agents.suggestion.distribution_answer import read_distribution
from fingertip_agents.suggestion.intent_answer import MAX_READ
from fingertip_agents.suggestion.suggestion_agent import MOST_INTENTS
from fingertip_metrics.intent_distribution import IntentDistribution
from tests.examples import examples
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


TWO = (("打开音乐，听歌", 0.75), ("打开美团，点餐", 0.25))
ASKED = json.dumps([{"intent": text, "probability": chance} for text, chance in TWO], ensure_ascii=False)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (ASKED, "answered"),
        (f"\n{ASKED}\n", "answered"),
        (f'{{"intents": {ASKED}}}', "answered"),
        *VECTORS["a_distribution_is_read_however_it_is_written"],
        (f"```json\n{ASKED}\n```", "wrapped"),
        (f"好的，以下是预测：{ASKED}。祝好！", "wrapped"),
        (ASKED[:-1], "wrapped"),
        (ASKED.strip("[]").replace("}, ", "}\n"), "wrapped"),
    ],
)
def test_a_distribution_is_read_however_it_is_written(text: str, outcome: str) -> None:
    answer = read_distribution(text)
    assert [words for words, _ in answer.alternatives] == [words for words, _ in TWO]
    assert [chance for _, chance in answer.alternatives] == pytest.approx([0.75, 0.25])
    assert (answer.intent, answer.outcome) == (TWO[0][0], outcome)


@pytest.mark.parametrize(("text", "intent"), VECTORS["what_is_no_distribution_is_read_as_one_intent"])
def test_what_is_no_distribution_is_read_as_one_intent(text: str, intent: str) -> None:
    answer = read_distribution(text)
    assert (answer.intent, answer.outcome, answer.alternatives) == (intent, "unreadable distribution", ())


@pytest.mark.parametrize(
    ("text", "outcome"), [("", "nothing"), ("[]", "nothing"), ("抱歉，我无法预测。", "refused")]
)
def test_nothing_and_a_refusal_keep_their_names(text: str, outcome: str) -> None:
    answer = read_distribution(text)
    assert (answer.intent, answer.outcome, answer.alternatives) == ("", outcome, ())


def test_equal_intents_are_one_and_what_is_no_intent_is_left_out() -> None:
    shown_text = [("听歌", 0.2), ("打车", 0.3), ("听歌。"[:-1], 0.2), ("", 0.5), ("抱歉", 0.5)]
    answer = read_distribution(json.dumps([{"intent": text, "probability": p} for text, p in shown_text]))
    assert [text for text, _ in answer.alternatives] == ["听歌", "打车"]
    assert [chance for _, chance in answer.alternatives] == pytest.approx([4 / 7, 3 / 7])


def test_the_likeliest_of_too_many_intents_are_kept() -> None:
    answer = read_distribution(json.dumps({f"打开应用{number}": number for number in range(1, 21)}))
    assert [text for text, _ in answer.alternatives] == [f"打开应用{number}" for number in range(20, 15, -1)]
    assert len(answer.alternatives) == MOST_INTENTS


chances = st.one_of(
    st.floats(), st.integers(), st.booleans(), st.none(), st.sampled_from(["40%", "0.5", "x"])
)
items = st.fixed_dictionaries({"intent": st.text(), "probability": chances})
answers = st.one_of(
    st.text(),
    st.lists(items, max_size=8).map(json.dumps),
    st.dictionaries(st.text(), chances).map(json.dumps),
    st.recursive(chances | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)).map(
        json.dumps
    ),
)


@given(answers)
@settings(max_examples=examples(300), deadline=None)
def test_any_answer_is_read_and_alternatives_are_a_distribution(output: str) -> None:
    answer = read_distribution(output)
    if not answer.alternatives:
        assert answer.outcome in ("unreadable distribution", "nothing", "refused")
        return
    assert answer.intent == answer.alternatives[0][0]
    assert math.fsum(chance for _, chance in answer.alternatives) == pytest.approx(1)
    shares = IntentDistribution.of(answer.alternatives).shares
    assert [share.text for share in shares] == [text for text, _ in answer.alternatives]


@pytest.mark.parametrize(
    "text", ["[", "{", '{"', '{"a":', "-", " ", "5%", "听", "听: 5% ", "1.", "0.5", "(", "~"]
)
def test_of_an_endless_answer_only_the_beginning_is_read(text: str) -> None:
    endless = text * MAX_READ
    assert read_distribution(endless) == read_distribution(endless[:MAX_READ])
