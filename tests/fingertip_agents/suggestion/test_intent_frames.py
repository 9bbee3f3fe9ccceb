"""An intent within marks, JSON, hedges or reasons comes out as it is, or is refused; never as another text.

The frames and the intents stand in vectors/intent_frames.toml.
"""

from __future__ import annotations

import html
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fingertip_agents.suggestion.intent_answer import read_intent
from fingertip_agents.suggestion.intent_hedges import remove_hedge
from fingertip_agents.suggestion.loose_json import read_loose_json
from tests.examples import examples

PLACE = "☆"
FRAMES = tomllib.loads((Path(__file__).parent / "vectors" / "intent_frames.toml").read_text(encoding="utf-8"))
MARKS, JSON, HEDGES, REASONS = (FRAMES[name] for name in ("marks", "json", "hedges", "reasons"))
OPENED = FRAMES["opened"]
INTENTS = FRAMES["intents"]
REFUSED = ("nothing", "refused", "unclear")

letters = st.characters(categories=["Lu", "Ll", "Lo"], max_codepoint=0x9FFF)
plain_words = st.text(st.one_of(letters, st.sampled_from("打开看听买微信天气消息，、 0123")), max_size=30)
openings = st.sampled_from(["打开微信，看", "打开QQ音乐，播放", "买", "听", "Open WeChat to read ", "check "])
plain_intents = st.builds("{}{}".format, openings, plain_words).map(lambda text: " ".join(text.split()))
any_signs = st.text(st.one_of(st.just(" "), st.characters(categories=["L", "N", "P", "S"])), max_size=30)


def frame(form: str, intent: str) -> str:
    escaped = json.dumps(intent, ensure_ascii=False)[1:-1] if form in JSON else intent
    return form.replace(PLACE, escaped)


@pytest.mark.parametrize("form", [*MARKS, *JSON, *REASONS])
def test_an_intent_comes_out_of_its_frame(form: str) -> None:
    for intent in (
        "打开微信，看消息",
        "看看海淀今天的天气",
        "Open WeChat to read messages",
        "check the weather",
    ):
        assert read_intent(frame(form, intent)).intent == intent


@pytest.mark.parametrize("form", HEDGES)
def test_a_sentence_comes_out_of_its_hedge(form: str) -> None:
    for intent in ("打开微信，看消息", "看新闻", "open WeChat to read messages"):
        answer = read_intent(frame(form, intent))
        assert (answer.intent, answer.notes) == (intent, ("left_out: hedge",))


@pytest.mark.parametrize("form", OPENED)
def test_a_sentence_that_opens_an_app_comes_out(form: str) -> None:
    for intent in ("打开微信，看消息", "打开微信，给妈妈发消息", "open WeChat to read messages"):
        assert read_intent(frame(form, intent)).intent.rstrip(".") == intent


@pytest.mark.parametrize("form", [*MARKS, *JSON, *HEDGES, *REASONS])
def test_an_intent_of_any_kind_is_itself_or_refused(form: str) -> None:
    for intent in INTENTS:
        # behind "1、" a digit could be the second of two numbers, as in 1、2号线
        if not (form.startswith("1、") and intent[0].isdigit()):
            answer = read_intent(frame(form, intent))
            assert answer.intent == intent or answer.outcome in REFUSED


@given(st.sampled_from([*MARKS, *JSON, *HEDGES, *REASONS]), plain_intents)
@settings(max_examples=examples(400))
def test_any_plain_intent_is_itself_or_refused(form: str, intent: str) -> None:
    answer = read_intent(frame(form, intent))
    assert answer.intent == intent or answer.outcome in REFUSED


INNER = [form for form in (*MARKS, *HEDGES) if not set("<|◁[\n") & set(form.replace("&lt;", "<"))]


@given(st.sampled_from([*MARKS, *JSON]), st.sampled_from(INNER), st.sampled_from(INTENTS[:4]))
@settings(max_examples=examples(200))
def test_an_intent_within_two_frames_is_itself_or_refused(outer: str, inner: str, intent: str) -> None:
    # the same quotes or emphasis twice, and two list marks, mean something else
    shown = [html.unescape(form) for form in (outer, inner)]
    assume(not any(all(sign in form for form in shown) for sign in ('"', "“", "**", "__", "1")))
    answer = read_intent(frame(outer, frame(inner, intent)))
    assert answer.intent == intent or answer.outcome in REFUSED


@pytest.mark.parametrize("intent", INTENTS)
def test_a_plain_intent_is_left_as_it_is(intent: str) -> None:
    answer = read_intent(intent)
    assert (answer.intent, answer.outcome, answer.notes) == (intent, "answered", ())
    assert remove_hedge(intent) == intent


@given(st.sampled_from([one for one in INTENTS if not one.endswith("?")]), any_signs)
@settings(max_examples=examples(400))
def test_signs_behind_the_beginning_of_an_intent_stay(beginning: str, signs: str) -> None:
    text = f"{beginning}{signs}".strip()
    # a sentence ends at a stop, and emphasis comes in pairs
    assume(
        not set("。！？.!?") & set(signs) and not any(text.count(sign) > 1 for sign in ("**", "~~", "```"))
    )
    answer = read_intent(text)
    assert answer.intent == text or answer.outcome in REFUSED


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(0, 9), st.text(letters, max_size=9)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.text(letters, min_size=1, max_size=5), inner, max_size=3),
        ),
        max_leaves=8,
    ).filter(lambda value: isinstance(value, dict | list))
)
def test_python_s_spelling_of_an_object_is_read_like_json(value: object) -> None:
    strict, _, _ = read_loose_json(json.dumps(value), 0)
    assert strict == value
    text = repr(value)
    loose, end, completed = read_loose_json(text, 0)
    assert (end, completed) == (len(text), False)
    assert json.dumps(loose).replace('"', "") == json.dumps(value).replace('"', "")
