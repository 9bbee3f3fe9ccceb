"""How a model's answer becomes an intent."""

from __future__ import annotations

import json
import unicodedata
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_agents.suggestion import intent_answer
from fingertip_agents.suggestion.intent_answer import MAX_INTENT, MAX_READ, AnswerOutcome, read_intent
from tests.examples import examples

WANTED = "打开QQ音乐，播放晴天"


@pytest.mark.parametrize(
    "text",
    [
        WANTED,
        "打开QQ音乐，播放晴天。",
        "看看海淀今天的天气",
        "Open Dr. Who on YouTube",
        "How do I get to the nearest grocery store?",
        "12306查票",
        "1.5倍速播放视频",
        "设7:30的闹钟",
        "“稻香”和“晴天”",
        "在微信里搜索“你好吗？怎么办。”的答案",
        "用备忘录记下[买奶]{三盒}",
        "作为AI助手的用户，打开ChatGPT提问",
        "YouTubeで音楽を聴く",
        "Öffne die Wetter-App und zeige Berlin 🌧️ 👨‍👩‍👧",
        '{"app": "QQ音乐", "do": "播放晴天"}',
    ],
)
def test_one_sentence_is_the_intent_in_any_language(text: str) -> None:
    answer = read_intent(text)
    assert (answer.intent, answer.outcome) == (text, "answered")
    assert read_intent(f"\n {text}\r\n\n") == answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "。",
        "...",
        "**",
        "```\n```",
        "{}",
        "[]",
        '{"intent": ""}',
        '{"intent": null}',
        "🎵",
        "意图：",
    ],
)
def test_an_answer_without_letters_has_the_outcome_nothing(text: str) -> None:
    assert read_intent(text) == read_intent("")
    assert (read_intent(text).intent, read_intent(text).outcome) == ("", "nothing")


@pytest.mark.parametrize(
    "text",
    [
        "抱歉，我无法预测用户的意图。",
        "我无法判断主人想做什么",
        "对不起。没有足够的资料。",
        "作为一个AI语言模型，我无法预测。",
        "资料不足",
        "I'm sorry, but I can't help with that.",
        "I cannot predict this. There is not enough data.",
        "As an AI, I am unable to know.",
        "无",
        "Unknown.",
        "Intent: N/A",
        '{"intent": "未知"}',
        '{"intent": "抱歉，我无法预测。"}',
    ],
)
def test_a_refusal_is_no_intent(text: str) -> None:
    assert (read_intent(text).intent, read_intent(text).outcome) == ("", "refused")


@pytest.mark.parametrize(
    "text",
    [
        "对不起，我爱你：打开腾讯视频播放这部剧",
        "打开腾讯视频，播放《对不起，我爱你》",
        "抱歉的英文怎么说",
        "Sorry Sorry by Super Junior on YouTube",
        "不好意思表情包，在微信里搜索",
        "抱歉，我不太确定，打开微信看消息",
    ],
)
def test_an_apology_in_an_intent_is_no_refusal(text: str) -> None:
    assert (read_intent(text).intent, read_intent(text).outcome) == (text, "answered")


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("打开美团外卖。点一份黄焖鸡米饭，要微辣。", "打开美团外卖。点一份黄焖鸡米饭，要微辣。"),
        ("打开美团。进入外卖。点一份饭。因为现在是中午。", "打开美团。进入外卖。点一份饭。"),
        ("打开微信，看消息。打开美团，点外卖。", "打开微信，看消息。"),
        ("意图：打开美团外卖。点一份饭。\n理由：中午了。", "打开美团外卖。点一份饭。"),
        ("中午了。\n1. 打开美团外卖。点一份饭。\n2. 打开微信。", "打开美团外卖。点一份饭。"),
        ("Open Meituan. Order noodles, mild. This is lunch time.", "Open Meituan. Order noodles, mild."),
    ],
)
def test_what_goes_on_with_an_intent_belongs_to_it(text: str, intent: str) -> None:
    assert (read_intent(text).intent, read_intent(text).outcome) == (intent, "long")


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ('{"app":"微信","intent":"看消息"}', "打开微信，看消息"),
        ('{"应用": "微信", "意图": "看消息"}', "打开微信，看消息"),
        ('{"app":"微信","intent":"打开微信，看消息"}', "打开微信，看消息"),
        ('{"app":"","intent":"看消息"}', "看消息"),
        ('{"app":"微信","intent":""}', ""),
        ('{"result": {"app":"微信","intent":"看消息"}}', "打开微信，看消息"),
    ],
)
def test_an_app_beside_the_intent_is_kept(text: str, intent: str) -> None:
    assert read_intent(text).intent == intent


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '"{}"',
        "“{}”",
        "「{}」",
        "`{}`",
        "**{}**",
        "- {}",
        "* {}",
        "• {}",
        "1. {}",
        "1、{}",
        "（1）{}",
        "# {}",
        "> {}",
        "意图：{}",
        "**意图：** {}",
        "预测的意图：“{}”",
        "用户最可能的意图是：\n{}",
        "Intent: {}",
        "**Intent**: {}",
        "The user's most likely intent is: {}",
        "- **Predicted intent:** {}",
        "Answer:\n\n{}",
        "以下是我预测的意图：\n\n{}",
        "```\n{}\n```",
        '```json\n{{"intent": "{}"}}\n```',
        "好的：\n```text\n{}\n```\n希望有帮助！",
        '{{"intent": "{}", "reason": "早上"}}',
        '{{"意图": "{}"}}',
        '{{"result": {{"intent": "{}"}}}}',
        '[{{"intent": "{}", "probability": 0.9}}, {{"intent": "打车"}}]',
        '["{}", "打车"]',
        '{{"intent": "{}',
        "{{'intent': '{}'}}",
        '{{intent: "{}"}}',
        'Answer: {{"intent": "{}"}}',
        "<answer>{}</answer>",
        "\\boxed{{{}}}",
    ],
)
def test_what_is_around_the_target_is_taken_off(text: str) -> None:
    answer = read_intent(text.format(WANTED))
    assert (answer.intent, answer.outcome) == (WANTED, "answered" if text == "{}" else "wrapped")


def test_emphasis_within_a_sentence_is_taken_off() -> None:
    assert read_intent("打开**QQ音乐**，播放~~晴天~~").intent == WANTED


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        (f"{WANTED}。因为现在是早上。", f"{WANTED}。"),
        (f"现在是早上八点，主人在家。\n\n意图：{WANTED}\n理由：习惯。", WANTED),
        (f"主人在家。以下是预测：\n{WANTED}\n祝好！", WANTED),
        (f"主人在家。\n1. {WANTED}\n2. 打开美团，点餐", WANTED),
        (f"意图：听歌。\n\n{WANTED}", "听歌。"),
        ("Let me think. It is early. Open QQ Music and play a song. Bye.", "Open QQ Music and play a song."),
        (f"抱歉，我不能确定。{WANTED}", WANTED),
        ("Let me think. It is early.", "Let me think. It is early."),
        ("今天天气很好。\n小鸟在唱歌。\n" * 100, ("今天天气很好。 小鸟在唱歌。 " * 100)[:MAX_INTENT].strip()),
        ("听" * 900, "听" * MAX_INTENT),
    ],
)
def test_the_first_sentence_of_the_required_form_is_scored_in_a_long_answer(text: str, intent: str) -> None:
    answer = read_intent(text)
    assert (answer.intent, answer.outcome) == (intent, "long")


@pytest.mark.parametrize(
    "text",
    [
        "打开\x00QQ音乐，播放\x07晴天",
        f"\x1b[2J\x1b[31m{WANTED}\x1b[0m",
        f"\ufeff\u202e{WANTED}",
        f"{WANTED}\ud800",
    ],
)
def test_control_characters_are_taken_out(text: str) -> None:
    assert (read_intent(text).intent, read_intent(text).outcome) == (WANTED, "control")
    escaped = read_intent(json.dumps({"intent": text}))
    assert (escaped.intent, escaped.outcome) == (WANTED, "wrapped")


def test_tabs_and_other_ends_of_lines_are_blanks_and_lines() -> None:
    assert read_intent("打开音乐\t听歌\x85").intent == "打开音乐 听歌"
    assert read_intent("主人在家\u2028打开音乐").outcome == "long"


MARKS = (
    '"',
    "'",
    "“",
    "”",
    "{",
    "}",
    "[",
    "]",
    ":",
    "：",
    "\n",
    "```",
    "**",
    "- ",
    "1. ",
    "。",
    ", ",
    " ",
    "\\",
)
WORDS = ("意图", "Intent", "intent", "打开", "抱歉", "json", "null", "x", "1", "<a>", "</a>", "\x1b[", "\x00")
tokens = st.sampled_from((*MARKS, *WORDS))
decorated = st.lists(tokens, max_size=25).map("".join)


@given(st.one_of(st.text(), decorated))
@settings(max_examples=examples(400))
def test_any_answer_is_read_as_one_printable_line(output: str) -> None:
    answer = read_intent(output)
    assert len(answer.intent) <= MAX_INTENT
    assert len(answer.intent.splitlines()) <= 1
    assert answer.intent == answer.intent.strip()
    assert not [char for char in answer.intent if unicodedata.category(char) in ("Cc", "Cs")]
    assert any(char.isalnum() for char in answer.intent) is (answer.outcome not in ("nothing", "refused"))


words = st.text(st.sampled_from("打开音乐听歌看新闻点餐，abcXYZ 0 《》（）"), min_size=1, max_size=60).map(
    lambda text: f"打开{text.strip()}"
)


@given(words, st.sampled_from(["", "。", "！"]))
def test_a_clean_sentence_is_left_as_it_is(text: str, stop: str) -> None:
    once = read_intent(text + stop)
    assert (once.intent, once.outcome) == (text + stop, "answered")
    assert read_intent(once.intent) == once


@pytest.mark.parametrize(
    "text", [*MARKS, *WORDS, "{" * 20, '{"', "a. ", "意图：", "（1）", "**a**", "“”", "1、a\n"]
)
def test_only_the_beginning_of_an_endless_answer_is_read(text: str) -> None:
    endless = text * MAX_READ
    assert read_intent(endless) == read_intent(endless[:MAX_READ])


def test_outcomes_match_the_docstring() -> None:
    assert all(f'- "{outcome}":' in (intent_answer.__doc__ or "") for outcome in get_args(AnswerOutcome))
