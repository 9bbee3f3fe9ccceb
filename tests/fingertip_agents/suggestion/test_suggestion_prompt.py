"""What a model of track 1 is asked."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from fingertip_agents.suggestion.suggestion_prompt import VERSION, make_suggestion_messages
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import InputError, UsageError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.messages import Language, Message
from tests.examples import examples
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


LANGUAGES = get_args(Language)
UNKNOWN = re.compile("未知|unknown|None|没有任何")

languages = pytest.mark.parametrize("language", LANGUAGES)


def user_text(output: SuggestionInput, language: Language = "zh", **options: str) -> str:
    return make_suggestion_messages(output, language, summary=options.get("summary", ""))[1].text


@languages
@pytest.mark.parametrize("distribution", [False, True])
def test_the_prompt(
    language: Language,
    distribution: bool,
    morning: SuggestionInput,
    matches_golden: Callable[[str, str, tuple[Message, ...]], None],
) -> None:
    messages = make_suggestion_messages(
        morning,
        language,
        distribution=distribution,
        summary="早上听歌，\n中午点外卖。" if distribution else "",
    )
    name = f"suggestion_{'distribution_' if distribution else ''}{language}"
    matches_golden(name, VERSION, messages)
    assert messages[1].images == morning.screenshots


@pytest.mark.parametrize(
    ("language", "written", "phrase"),
    [
        ("en", "en", "one sentence in English, as the owner would say it, that names the app and what is to"),
        ("en", "en", "achieved, in the manner of: Open an app, do something."),
        ("en", "de", "one sentence in German, as the owner would say it, that names the app and what is to"),
        ("en", "de", "achieved, in a manner that says: open an app, do something."),
        ("en", "zh", "in the manner of: 打开某应用，做某事 (open an app, do something)."),
        ("zh", "zh-TW", "每个意图是一句中文（zh-TW），像主人自己会说的那样"),
        ("zh", "zh-TW", "例如这样的句式：打开某应用，做某事。"),
        ("zh", "en", "每个意图是一句英语，像主人自己会说的那样"),
        ("zh", "en", "例如这样的句式：Open an app, do something。"),
        ("zh", "tlh", "每个意图是一句ISO 639 代码为 tlh 的语言，"),
    ],
)
def test_the_answer_is_asked_in_the_persons_language(
    language: Language, written: str, phrase: str, morning: SuggestionInput
) -> None:
    for distribution in (False, True):
        system = make_suggestion_messages(
            replace(morning, language=written), language, distribution=distribution
        )[0].text
        assert phrase in system
        assert "{language}" not in system
        assert ("Chinese" in system) == ((language, written) == ("en", "zh"))


@languages
@pytest.mark.parametrize(
    ("part", "hidden", "words"),
    [
        ("profile", UserProfile(), ("手机主人", "Owner of the phone", "教师")),
        ("profile", UserProfile(sex="", occupation=""), ("手机主人", "Owner of the phone", "性别")),
        ("time", None, ("时间：2", "time: 2", "08:15:30", "上午", "morning")),
        ("scenario", "", ("地点：", "place: ")),
        ("scenario", "  ", ("地点：", "place: ")),
        ("previous_intents", (), ("以前的意图", "Earlier intents", "QQ音乐")),
        ("screenshots", (), ("截图", "screenshots")),
    ],
)
def test_a_hidden_part_is_left_out_whole(
    language: Language, part: str, hidden: object, words: tuple[str, ...], morning: SuggestionInput
) -> None:
    shown = user_text(morning, language)
    assert any(word in shown for word in words)
    assert not UNKNOWN.search(shown)
    text = user_text(replace(morning, **{part: hidden}), language)
    assert not [word for word in words if word in text]
    assert not UNKNOWN.search(text)


@languages
def test_with_time_and_place_hidden_there_is_no_now(language: Language, morning: SuggestionInput) -> None:
    text = user_text(replace(morning, time=None, scenario="", screenshots=()), language)
    headings = [line for line in text.splitlines() if line.startswith("# ")]
    assert len(headings) == 2
    assert not {"# 此刻", "# Now"} & set(headings)


@languages
def test_with_everything_hidden_there_is_still_a_question(
    language: Language, morning: SuggestionInput
) -> None:
    bare = SuggestionInput(task_id="1__x", profile=UserProfile(), time=None, scenario="", previous_intents=())
    text = user_text(bare, language)
    assert text.splitlines()[0] in ("没有任何资料。", "Nothing is known.")
    assert text.splitlines()[-1] == user_text(morning, language).splitlines()[-1]


@languages
@given(words=st.text(min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))
def test_nothing_in_the_data_makes_a_line_or_a_heading(
    language: Language, words: str, morning: SuggestionInput
) -> None:
    plain = user_text(morning, language, summary="x").splitlines()
    forged = replace(
        morning,
        profile=replace(morning.profile, occupation=words, address=words),
        scenario=f"x{words}",
        previous_intents=tuple(
            replace(intent, text=words, app=f"x{words}", scenario=f"x{words}")
            for intent in morning.previous_intents
        ),
    )
    lines = user_text(forged, language, summary=f"x{words}").splitlines()
    assert len(lines) == len(plain)
    assert [line for line in lines if line.startswith("# ")] == [
        line for line in plain if line.startswith("# ")
    ]
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(("hour", "part"), VECTORS["the_part_of_the_day_is_a_fact"])
def test_the_part_of_the_day_is_a_fact(hour: int, part: str, morning: SuggestionInput) -> None:
    assert morning.time is not None
    at = replace(morning, time=morning.time.replace(hour=hour, minute=59))
    assert f"2025-03-10 {hour:02}:59:30 星期一 {part}\n" in user_text(at)


def test_the_prompt_leaves_out_the_task_id_and_the_trees(morning: SuggestionInput) -> None:
    text = user_text(replace(morning, accessibility_trees=("<secret/>",)))
    assert "secret" not in text
    assert "1__" not in text


def test_screenshots_are_made_smaller_to_the_limit(morning: SuggestionInput) -> None:
    written = io.BytesIO()
    Image.new("RGB", (100, 200)).save(written, "PNG")
    output = replace(morning, screenshots=(written.getvalue(),))
    assert make_suggestion_messages(output, "zh", max_pixels=20_000)[1].images == output.screenshots
    (small,) = make_suggestion_messages(output, "zh", max_pixels=5_000)[1].images
    with Image.open(io.BytesIO(small)) as picture:
        assert picture.size == (50, 100)
    with pytest.raises(UsageError, match="at least 784 pixels"):
        make_suggestion_messages(output, "zh", max_pixels=5)
    with pytest.raises(InputError, match="expected a screenshot as PNG or JPEG"):
        make_suggestion_messages(morning, "zh", max_pixels=5_000)
