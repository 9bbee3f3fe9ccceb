"""The question why a suggestion failed: data that cannot speak, and a closed list of answers."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.episodes import Intent
from fingertip_models.messages import Language
from suggestion_runner.why.intent_reasons import INTENT_REASONS
from suggestion_runner.why.reason_question import (
    MOST_EARLIER,
    FailedAnswer,
    JudgedReasonName,
    ask_reason,
    derive_reason_code,
    hash_reason_prompt,
    read_reason,
)


def intent(text: str, day: int = 26, place: str = "住所") -> Intent:
    moment = datetime(2025, 3, 1, 8, 30) + timedelta(days=day - 1)
    return Intent(
        user_id="1", time=moment.strftime("%Y%m%d_%H%M%S"), scenario=place, app="com.music", text=text
    )


def data_of(failed: FailedAnswer, language: Language) -> dict[str, object]:
    found: dict[str, object] = json.loads(ask_reason(failed, language)[1].text.split("\n")[1])
    return found


@given(st.text(), st.text(), st.lists(st.text(), max_size=3), st.sampled_from(get_args(Language)))
def test_whatever_is_written_stays_in_its_field(
    predicted: str, wanted: str, earlier: list[str], language: Language
) -> None:
    failed = FailedAnswer(
        predicted=predicted, task=intent(wanted), earlier=tuple(intent(text, 3) for text in earlier)
    )
    (system, user) = ask_reason(failed, language)
    assert user.text.count("\n") == 2
    data = data_of(failed, language)
    assert data == {
        "predicted": predicted,
        "intended": wanted,
        "app": "com.music",
        "time": "2025-03-26 周三 08:30" if language == "zh" else "2025-03-26 Wed 08:30",
        "place": "住所",
        "code": derive_reason_code(failed, language),
        "earlier": [
            {
                "time": "2025-03-03 周一 08:30" if language == "zh" else "2025-03-03 Mon 08:30",
                "place": "住所",
                "app": "com.music",
                "intent": text,
            }
            for text in earlier
        ],
    }
    assert system == ask_reason(FailedAnswer(predicted="", task=intent(""), earlier=()), language)[0]


def test_the_latest_twenty_earlier_intents_are_sent() -> None:
    earlier = tuple(intent(f"第{number}件", 1 + number // 2) for number in range(MOST_EARLIER + 5))
    failed = FailedAnswer(predicted="听歌", task=intent("打车"), earlier=earlier)
    sent = data_of(failed, "zh")["earlier"]
    assert isinstance(sent, list)
    assert [one["intent"] for one in sent] == [one.text for one in earlier[-MOST_EARLIER:]]


def test_the_code_depends_on_every_text() -> None:
    base = FailedAnswer(predicted="听歌", task=intent("打车"), earlier=(intent("看书", 3),))
    others = [
        FailedAnswer(predicted="听歌。", task=intent("打车"), earlier=base.earlier),
        FailedAnswer(predicted="听歌", task=intent("打车回家"), earlier=base.earlier),
        FailedAnswer(predicted="听歌", task=intent("打车", place="学校"), earlier=base.earlier),
        FailedAnswer(predicted="听歌", task=intent("打车"), earlier=()),
        FailedAnswer(predicted="听歌", task=intent("打车"), earlier=(intent("看书", 4),)),
    ]
    codes = [derive_reason_code(one, "zh") for one in (base, *others)]
    assert len(set(codes)) == len(codes)


def test_both_prompts_list_exactly_the_reasons_that_are_taken() -> None:
    failed = FailedAnswer(predicted="", task=intent(""), earlier=())
    for language in get_args(Language):
        lines = ask_reason(failed, language)[0].text.splitlines()
        listed = [line[2:].split("：")[0].split(":")[0] for line in lines if line.startswith("- ")]
        assert tuple(listed) == get_args(JudgedReasonName)
    assert set(get_args(JudgedReasonName)) == set(INTENT_REASONS) - {"agent_error", "not_judged"}
    assert hash_reason_prompt("zh") != hash_reason_prompt("en")


GOOD = {"code": "1f", "reason": "上周就不做了", "kind": "stale_habit"}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (json.dumps(GOOD), ("stale_habit", "上周就不做了")),
        (f"好的。```json\n{json.dumps(GOOD)}\n```", ("stale_habit", "上周就不做了")),
        (json.dumps(GOOD | {"reason": None}), ("stale_habit", "")),
        (json.dumps(GOOD | {"kind": "generic"}) + json.dumps(GOOD), ("stale_habit", "上周就不做了")),
        (json.dumps(GOOD | {"code": "2f"}), None),
        (json.dumps(GOOD | {"kind": "agent_error"}), None),
        (json.dumps(GOOD | {"kind": "not_judged"}), None),
        (json.dumps(GOOD | {"kind": "Stale_Habit"}), None),
        (json.dumps(GOOD | {"kind": ["stale_habit"]}), None),
        (json.dumps(GOOD | {"kind": {}}), None),
        (json.dumps({"wrapped": GOOD}), None),
        ("stale_habit", None),
        ("", None),
    ],
)
def test_only_a_reason_of_the_list_with_the_code_is_taken(answer: str, found: tuple[str, str] | None) -> None:
    assert read_reason(answer, "1f") == found


@given(st.text())
def test_an_answer_in_words_has_no_reason(text: str) -> None:
    assert read_reason(text, "1f") is None
