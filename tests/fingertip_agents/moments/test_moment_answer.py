"""Reading of answers to moments: each kind of answer that models write has a stated outcome."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.moments.moment_answer import read_moment, write_moment
from fingertip_agents.moments.stated_probability import read_probability

ZH, EN = "打开微信，看消息", "Open WeChat, read messages"

ANSWERS = [
    # in the requested form
    (f'{{"intent": "{EN}", "wanted": 0.8}}', "answered", EN, 0.8),
    (f'{{"intent": "{ZH}", "wanted": 1}}', "answered", ZH, 1.0),
    ('{"intent": "", "wanted": 0.1}', "silent", "", 0.1),
    ('{"intent": "", "wanted": 0.95}', "silent", "", 0.95),
    ('{"intent": null, "wanted": 0.1}', "silent", "", 0.1),
    # in a fence, behind thinking, within text, with tokens, without braces, with other quotes, without an end
    (f'```json\n{{"intent": "{ZH}", "wanted": 0.7}}\n```', "wrapped", ZH, 0.7),
    (f'<think>perhaps 0.5</think>{{"intent": "{ZH}", "wanted": 0.7}}', "wrapped", ZH, 0.7),
    (f'The answer is: {{"intent": "{EN}", "wanted": 0.4}} I hope it helps.', "wrapped", EN, 0.4),
    ('{"intent":"","wanted":0.1}<|im_end|>', "silent", "", 0.1),
    (f'"intent": "{EN}", "wanted": 0.4', "wrapped", EN, 0.4),
    (f"{{'intent': '{EN}', 'wanted': 0.4}}", "wrapped", EN, 0.4),
    (f'{{"intent": "{ZH}"，"wanted"：0.6}}', "wrapped", ZH, 0.6),
    (f'{{"intent": "{EN}", "wanted": 0.7', "wrapped", EN, 0.7),
    (f'<answer>{{"intent":"{ZH}","wanted":0.6}}</answer>', "wrapped", ZH, 0.6),
    # other keys, nested, as a call
    (f'{{"意图": "{ZH}", "概率": "70%"}}', "wrapped", ZH, 0.7),
    ('{"意图": "无", "置信度": "高"}', "silent", "", 0.25),
    ('{"app": "WeChat", "intent": "read messages", "confidence": 85}', "wrapped", EN, 0.85),
    (f'{{"should_suggest": true, "intent": "{EN}", "probability": 0.7}}', "wrapped", EN, 0.7),
    (f'{{"intent": "{ZH}", "reason": "他每天早上看", "wanted": 0.8}}', "wrapped", ZH, 0.8),
    (f'{{"intent": {{"text": "{EN}", "probability": 0.6}}}}', "wrapped", EN, 0.6),
    (f'{{"name": "suggest", "arguments": {{"intent": "{EN}", "wanted": 0.7}}}}', "wrapped", EN, 0.7),
    ('{"answer": {"intent": null, "wanted": 0.1}}', "silent", "", 0.1),
    (f"<intent>{EN}</intent><confidence>0.8</confidence>", "wrapped", EN, 0.8),
    ("<intent></intent><confidence>0.2</confidence>", "silent", "", 0.2),
    # an intent without a probability
    (f'{{"intent": "{EN}"}}', "wrapped", EN, None),
    (EN, "wrapped", EN, None),
    (f'{{"intent": "{EN}", "wanted": true}}', "wrapped", EN, None),
    # a number that is no probability
    (f'{{"intent": "{EN}", "wanted": 1.7}}', "wrapped", EN, None),
    (f'{{"intent": "{EN}", "wanted": -0.5}}', "wrapped", EN, None),
    (f'{{"intent": "{EN}", "wanted": NaN}}', "wrapped", EN, None),
    (f'{{"intent": "{EN}", "wanted": "NaN"}}', "wrapped", EN, None),
    # a probability without an intent
    ('{"confidence": 0.3}', "silent", "", 0.3),
    ('{"confidence": 0.9}', "nothing", "", 0.9),
    ("0.2", "silent", "", 0.2),
    ("wanted: 0.3", "silent", "", 0.3),
    ("The probability that the owner wants something is 0.2.", "silent", "", 0.2),
    ("yes, 0.8", "nothing", "", 0.8),
    # silence in words and decisions
    ("Nothing", "silent", "", None),
    ("无。", "silent", "", None),
    ("none", "silent", "", None),
    ("No", "silent", "", None),
    ("No suggestion at this moment.", "silent", "", None),
    ("nothing, the owner is just glancing", "silent", "", None),
    (
        "She is home and it is 8 pm. She is just glancing at the phone. I would say nothing.",
        "silent",
        "",
        None,
    ),
    ("主人此刻什么都不想做，概率为0.1", "silent", "", 0.1),
    ("Intent: none\nWanted: 0.1", "silent", "", 0.1),
    ('intent: ""\nwanted: 0.1', "silent", "", 0.1),
    ("no intent 0.2", "silent", "", 0.2),
    ("\\boxed{无}", "silent", "", None),
    ("[]", "silent", "", None),
    ('{"speak": false}', "silent", "", None),
    ('{"intent": false}', "silent", "", None),
    # a confidence is that of the answer: with silence it is turned where it is above 1/2
    ('{"intent": null, "confidence": 0.95}', "silent", "", 0.05),
    ('{"intent": null, "confidence": 0.1}', "silent", "", 0.1),
    ('{"decision": "silent", "confidence": 0.8}', "silent", "", 0.2),
    ('{"wants_something": false, "confidence": 0.9}', "silent", "", 0.1),
    ("**Nothing** (confidence: 90%)", "silent", "", 0.1),
    # percentages, words and numbers in prose
    (f"{EN}. Confidence: 80%", "wrapped", f"{EN}.", 0.8),
    (f"{EN} (0.8)", "wrapped", EN, 0.8),
    (f"{EN}\n0.8", "wrapped", EN, 0.8),
    (f"Intent: {EN}\nConfidence: high", "wrapped", EN, 0.75),
    (f"{ZH}（置信度：八成）", "wrapped", ZH, 0.8),
    ("我有80%的把握认为主人想打开微信看消息", "wrapped", "打开微信看消息", 0.8),
    (
        "I'm 80% sure the owner wants to open WeChat and read messages.",
        "wrapped",
        "open WeChat and read messages.",
        0.8,
    ),
    # numbers that belong to the intent
    ('{"intent": "Open JD, buy a coat with 50% off", "wanted": 0.9}', "answered", None, 0.9),
    ("Open JD, buy a coat with 50% off", "wrapped", "Open JD, buy a coat with 50% off", None),
    # several intents
    (f'[{{"intent": "Open A, b", "wanted": 0.3}}, {{"intent": "{EN}", "wanted": 0.6}}]', "wrapped", EN, 0.6),
    (f'{{"intents": ["{EN}", "Open C"], "wanted": 0.6}}', "wrapped", EN, 0.6),
    (f"1. {EN} (60%)\n2. Open C, do d (30%)", "long", EN, 0.6),
    (f'{{"{EN}": 0.6, "nothing": 0.4}}', "wrapped", EN, 0.6),
    # an intent and nothing
    (f'{{"speak": false, "intent": "{EN}"}}', "unclear", "", None),
    (f'{{"intent": "{EN}", "wanted": false}}', "unclear", "", None),
    (f"Nothing is wanted. {EN}.", "unclear", "", None),
    (f'["{EN}", "nothing"]', "unclear", "", None),
    (f"Nothing urgent, but they may want to {EN}.", "wrapped", f"{EN}.", None),
    # what a small model writes
    ("The owner wants nothing, or nothing but what they want.", "silent", "", None),
    (
        "The owner wants nothing, or nothing but nothing, but they do not want to change the rules. They are "
        "not going to change the rules.",
        "silent",
        "",
        None,
    ),
    ("The owner wants nothing, or something, but they don't want to know what it is.", "silent", "", None),
    (
        "The owner wants to remove Frank Keller from their contacts, but they don't want to do anything "
        "about it. They're busy with something else.",
        "unclear",
        "",
        None,
    ),
    (
        "The owner wants to set an 8:30 alarm, but they don't want to do anything else. They're not asking.",
        "wrapped",
        "set an 8:30 alarm",
        None,
    ),
    ("The owner does not want to listen to music.", "silent", "", None),
    ("主人没有打开微信的习惯。", "silent", "", None),
    ("没什么要做的，不过主人可能想打开微信看消息", "wrapped", "打开微信看消息", None),
    # no answer
    ("", "nothing", "", None),
    ("Nothing, but", "silent", "", None),
    ("{}", "nothing", "", None),
    ('{"intent": "...", "wanted": 0.0}', "nothing", "", 0.0),
    ("<think>goes on without an end", "nothing", "", None),
    ("I cannot determine what the user wants.", "refused", "", None),
    ('{"intent": "I cannot tell", "wanted": 0.5}', "refused", "", 0.5),
]


@pytest.mark.parametrize(("text", "outcome", "intent", "confidence"), ANSWERS)
def test_each_kind_of_answer_has_an_outcome(
    text: str, outcome: str, intent: str | None, confidence: float | None
) -> None:
    found = read_moment(text)
    assert (found.outcome, found.confidence) == (outcome, confidence)
    assert intent is None or found.intent == intent


@given(st.sampled_from([ZH, EN, ""]), st.floats(0, 1))
def test_the_requested_form_is_read_as_it_was_written(intent: str, probability: float) -> None:
    found = read_moment(write_moment(intent, probability))
    assert (found.intent, found.confidence) == (intent, probability)
    assert found.outcome == ("answered" if intent else "silent")


@given(st.text(max_size=60))
def test_any_text_has_a_probability_of_0_to_1_or_none(text: str) -> None:
    found = read_moment(text)
    assert found.confidence is None or 0 <= found.confidence <= 1
    if found.outcome in ("silent", "refused", "unclear", "nothing"):
        assert found.intent == ""


@given(st.recursive(st.none() | st.booleans() | st.floats(allow_nan=True) | st.text(max_size=8), st.lists))
def test_any_field_is_read_or_left_out(value: object) -> None:
    found = read_moment(json.dumps({"intent": value, "wanted": value}))
    assert found.confidence is None or 0 <= found.confidence <= 1


@pytest.mark.parametrize("text", ["1.5", "130", "-0.2", "a lot", "", "1/0", "99999999999999999999"])
def test_what_is_no_probability_has_none(text: str) -> None:
    assert read_probability(text) is None


def test_a_turned_confidence_has_a_note() -> None:
    assert read_moment('{"intent": null, "confidence": 0.95}').notes == (
        "converted: the confidence in silence 0.95 to 0.05",
    )
