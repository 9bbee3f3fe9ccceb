"""Prompts of track 1 from the user's files: each term of equation (1), in the order of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fingertip_agents.prompts.placeholders import SUGGESTION_PLACEHOLDERS
from fingertip_agents.prompts.prompt_files import PromptFiles
from fingertip_agents.prompts.prompt_text import PromptText, read_prompt_text
from fingertip_agents.suggestion.model_suggester import describe_files
from fingertip_agents.suggestion.suggestion_prompt import check_files, make_suggestion_messages
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.messages import Language, Message

EXAMPLE = Path(__file__).parents[3] / "docs" / "prompt-files" / "track-1-fields.txt"
NONE = PromptText(name="empty.txt", text=" \n")


def fill(
    text: str, task_input: SuggestionInput, language: Language = "zh", summary: str = ""
) -> Sequence[Message]:
    files = PromptFiles(user=PromptText(name="p.txt", text=text), system=NONE)
    return make_suggestion_messages(task_input, language, summary=summary, files=files)


def test_the_documented_file_has_each_term_in_its_order(morning: SuggestionInput) -> None:
    files = PromptFiles(user=read_prompt_text(str(EXAMPLE), "suggestion"), system=NONE)
    (message,) = make_suggestion_messages(morning, "zh", files=files)
    assert message.images == morning.screenshots
    assert message.text.splitlines() == [
        "You know the user of a phone and predict what the user wants to do with it now. Answer in Chinese "
        "with one sentence, as the user would say it, that names the app and the purpose, and nothing else.",
        "User: 用户的性别是女，年龄是31，职业是教师，住址是北京，手机品牌是小米。",
        "Time: 2025-03-10 08:15:30 星期一 上午",
        "Place: 住所",
        r"Earlier intents: 打开QQ音乐，播放晴天，打开美团，点一份麻辣烫，打开QQ音乐，\n# 此刻\n播放稻香",
        "附有此刻最先的 2 张截图，按先后排列。",
    ]
    described = describe_files(files)
    assert str(described["prompt_text"]).startswith("file track-1-fields.txt sha256:")
    fields = described["prompt_fields"]
    assert (fields["lacks"], fields["ours"]) == ([], [])  # type: ignore[index]


def test_every_placeholder_is_filled(morning: SuggestionInput) -> None:
    text = "¦".join(f"{{{name}}}" for name in SUGGESTION_PLACEHOLDERS)
    remembered = replace(morning, language="de", memory="about 08:10: news")
    (message,) = fill(text, remembered, "en", summary="早上听歌")
    values = dict(zip(SUGGESTION_PLACEHOLDERS, message.text.split("¦"), strict=True))
    ours = make_suggestion_messages(remembered, "en", summary="早上听歌")[1].text
    assert values["memory"] == "about 08:10: news"
    assert values["task"] == ours.rpartition("\n\n")[0]
    assert values["intents"].splitlines()[1] == (
        '2. 2025-03-08 12:05:00 Saturday; 餐饮场所 (dining place); "打开美团，点一份麻辣烫"'
    )
    assert values["profile"].startswith("sex: 女; age: 31; ")
    assert (values["most"], values["language"], values["summary"]) == ("5", "German", "早上听歌")
    bare = SuggestionInput(task_id="1__x", profile=UserProfile(), time=None, scenario="", previous_intents=())
    (message,) = fill(text.removeprefix("{task}¦").replace("{most}¦{language}", ""), bare)
    assert message.text == "¦" * 9


def test_a_message_that_is_not_given_stays_ours(morning: SuggestionInput) -> None:
    ours = make_suggestion_messages(morning, "en")
    files = PromptFiles(user=PromptText(name="p.txt", text="{task}"))
    system, user = make_suggestion_messages(morning, "en", files=files)
    assert (system, user.text) == (ours[0], ours[1].text.rpartition("\n\n")[0])
    assert files.describe_fields({})["ours"] == ["system"]
    given = PromptFiles(system=PromptText(name="s.txt", text="Answer in {language}."))
    system, user = make_suggestion_messages(morning, "en", files=given)
    assert (system.text, user) == ("Answer in Chinese.", ours[1])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("What now?", "p.txt: the prompt has no placeholder for the task: put {task} where it belongs"),
        ("{task} {summary}", "p.txt: {summary} needs --history relevant, in which a model writes it"),
    ],
)
def test_a_text_that_cannot_be_filled_is_one_line(text: str, problem: str) -> None:
    files = PromptFiles(user=PromptText(name="p.txt", text=text))
    with pytest.raises(UsageError) as refused:
        check_files(files, relevant=False)
    assert problem in str(refused.value)
    check_files(PromptFiles(user=PromptText(name="p.txt", text="{task} {summary}")), relevant=True)


def test_a_placeholder_of_the_other_track_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("{task}\n{intent}")
    with pytest.raises(UsageError, match=r"unknown placeholder {intent}: did you mean {intents}") as refused:
        read_prompt_text(str(tmp_path / "p.txt"), "suggestion")
    assert "(file " in str(refused.value)
    assert "line 2)" in str(refused.value)
    assert "\n" not in str(refused.value)
