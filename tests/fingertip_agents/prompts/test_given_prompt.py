"""Agents with a prompt of the user's: pictures, earlier turns and the parser stay, the texts are replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_agents.agent_settings import list_setting_names
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.prompts.placeholders import ALIASES, PLACEHOLDERS
from fingertip_agents.prompts.prompt_text import PromptText
from fingertip_agents.registry import FORMATS, make_model_format
from fingertip_dataset.actions import Finished, Wait
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from tests.fingertip_agents.formats.conftest import alarm_task, blank_screenshot, clock_screen, make_screen
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


__all__ = ["alarm_task", "blank_screenshot", "clock_screen", "make_screen"]

SPLIT = PromptText(
    name="p.txt",
    text="{intent}¦{profile}¦{time}¦{place}¦{reference}¦{history}¦{app}¦{width}x{height}¦{language}",
)
WHOLE = PromptText(name="p.txt", text='{instruction} {"json": 1} {{task}} {previous_actions}')
NONE = PromptText(name="empty.txt", text=" \n")
PAST = (PastStep(action=Wait(), written="wait()", output="I am lost."),)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_takes_the_texts_and_keeps_the_rest(
    name: str, alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    ours = make_model_format(name).prepare(alarm_task, clock_screen, PAST, "en")
    format = make_model_format(name, prompt=SPLIT, system_prompt=NONE)
    own = format.prepare(alarm_task, clock_screen, PAST, "en")
    kept = [message for message in ours.messages if message.role != "system"]
    assert [(one.role, one.images) for one in own.messages] == [(one.role, one.images) for one in kept]
    assert [one.text for one in own.messages[1:]] == [one.text for one in kept[1:]]
    intent, profile, time, place, reference, history, app, size, language = own.messages[0].text.split("¦")
    assert (intent, place, app, language) == ("定一个七点的闹钟", "住所 (residence)", "com.clock", "English")
    assert "age: 31" in profile
    assert time == "2025-03-10 08:15:30 Monday"
    assert "设早上六点的闹钟" in reference
    assert history
    assert all(float(side) > 0 for side in size.split("x"))
    whole = make_model_format(name, prompt=WHOLE).prepare(alarm_task, clock_screen, PAST, "zh").messages
    user = next(message for message in whole if message.role == "user")
    assert alarm_task.intent in user.text
    assert '{"json": 1} {task} ' in user.text
    (finished,) = own.read(own.write([Finished()]).text).actions  # type: ignore[union-attr]
    assert finished == Finished()


def test_the_record_names_the_texts_and_what_they_leave_out() -> None:
    settings = make_model_format(
        "ui-tars-1.5", prompt=PromptText(name="a.txt", text="{intent} {place}")
    ).settings
    assert str(settings["prompt_text"]).startswith("file a.txt sha256:")
    assert settings["prompt_without"] == ["profile", "time", "reference"]
    both = make_model_format("aguvis", prompt=WHOLE, system_prompt=NONE).settings
    assert "prompt_without" not in both
    assert "system message of file empty.txt sha256:" in str(both["prompt_text"])
    assert "prompt_text" not in make_model_format("aguvis").settings


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("aguvis", "Do it. {history}", "p.txt: the prompt has no placeholder for the task: put {task} where"),
        ("aguvis", "{task}", "p.txt: the prompt has no placeholder {history} for the steps so far"),
        ("aguvis", "{task} {history} {elements}", "the agent aguvis has no list of elements for {elements}"),
    ],
)
def test_a_prompt_without_its_placeholders_is_one_line(name: str, text: str, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_model_format(name, prompt=PromptText(name="p.txt", text=text))
    assert problem in str(refused.value)
    make_model_format("ui-tars-1.5", prompt=PromptText(name="p.txt", text="{task}"))
    make_model_format("generalist", prompt=PromptText(name="p.txt", text="{task} {history} {elements}"))


@pytest.mark.parametrize(("name", "settings", "problem"), VECTORS["a_wrong_setting_is_one_line"])
def test_a_wrong_setting_is_one_line(name: str, settings: dict[str, object], problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_model_format(name, given=settings)
    assert problem in str(refused.value)


def test_the_page_lists_every_placeholder_and_setting() -> None:
    page = (Path(__file__).parents[3] / "docs" / "agents.md").read_text(encoding="utf-8")
    for name, meaning in PLACEHOLDERS.items():
        names = [name, *(alias for alias, of in ALIASES.items() if of == name)]
        assert f"\n| {', '.join(f'`{{{one}}}`' for one in names)} | {meaning} |\n" in page
    for name in FORMATS:
        own = list_setting_names(type(make_model_format(name)))
        row = f"\n| `{name}` | {', '.join(f'`{one}`' for one in own)} |\n"
        assert (row in page) == bool(own), row
