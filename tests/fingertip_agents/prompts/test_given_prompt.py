"""Agents with a prompt of the user's: pictures, earlier turns and the parser stay, the texts are replaced."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from execution_runner.execution_view import ExecutionView
from fingertip_agents.agent_settings import list_setting_names
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.prompts.placeholders import ALIASES, EXECUTION_PLACEHOLDERS, SUGGESTION_PLACEHOLDERS
from fingertip_agents.prompts.prompt_text import PromptText, read_prompt_text
from fingertip_agents.registry import FORMATS, make_model_format
from fingertip_dataset.actions import Finished, Wait, parse_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_runs.score_summary import model_caveats
from tests.fingertip_agents.formats.conftest import clock_screen, make_screen
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)
PROMPTS = Path(__file__).parents[3] / "docs" / "prompt-files"
"""The example files of the documentation."""


__all__ = ["clock_screen", "make_screen"]

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
    assert (intent, place, app, language) == ("定一个七点的闹钟", "住所 (residence)", "com.clock", "Chinese")
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


def test_the_record_names_the_texts_and_what_they_show() -> None:
    settings = make_model_format(
        "ui-tars-1.5", prompt=PromptText(name="a.txt", text="{intent} {place}")
    ).settings
    assert str(settings["prompt_text"]).startswith("file a.txt sha256:")
    assert settings["prompt_fields"] == {
        "placeholders": ["intent", "place"],
        "shows": ["intent"],
        "lacks": ["profile", "reference"],
        "adds": ["place"],
        "ours": [],
    }
    both = make_model_format("aguvis", prompt=WHOLE, system_prompt=NONE).settings
    assert both["prompt_fields"]["lacks"] == both["prompt_fields"]["ours"] == []  # type: ignore[index]
    assert "system message of file empty.txt sha256:" in str(both["prompt_text"])
    user = make_model_format("generalist", prompt=WHOLE).settings["prompt_fields"]
    assert (user["lacks"], user["ours"]) == (["tree"], ["system"])  # type: ignore[index]
    system = make_model_format("generalist", system_prompt=NONE).settings["prompt_fields"]
    assert (system["lacks"], system["ours"]) == ([], ["user"])  # type: ignore[index]
    assert "prompt_text" not in make_model_format("aguvis").settings


AUTHORS = read_prompt_text(str(PROMPTS / "track-2-authors.txt"))
CLICK = "click(coordinates=(540, 2240), content='添加闹钟')"
BEFORE = (
    PastStep(action=parse_action(CLICK), written=CLICK, output=CLICK),
    PastStep(action=Wait(), written="I am lost.", output="I am lost."),
)


def test_the_documented_file_makes_the_authors_message(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    """The golden message was typed from the order and the joins of the authors' fields."""
    format = make_model_format("generalist", prompt=AUTHORS, system_prompt=NONE)
    shown, screen = ExecutionView().show_task(alarm_task), ExecutionView().show_screen(clock_screen)
    (message,) = format.prepare(shown, screen, BEFORE, "zh").messages
    assert (message.role, message.images) == ("user", (screen.screenshot,))
    golden = Path(__file__).parent / "golden" / "track-2-authors.txt"
    assert message.text == golden.read_text(encoding="utf-8").strip()
    assert format.settings["prompt_fields"] == {
        "placeholders": sorted(AUTHORS.placeholders),
        "shows": ["profile", "intent", "reference", "past actions", "tree"],
        "lacks": [],
        "adds": [],
        "ours": [],
    }
    assert not model_caveats({**format.settings, "prompt": format.version})


def test_without_a_reference_or_a_tree_their_places_stay_empty(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    bare = replace(alarm_task, reference=None, profile=UserProfile())
    format = make_model_format("generalist", prompt=AUTHORS, system_prompt=NONE)
    for tree in (None, "<hierarchy"):
        (message,) = format.prepare(bare, replace(clock_screen, tree=tree), (), "en").messages
        lines = [line.strip() for line in message.text.splitlines()]
        assert lines[-3:] == ["Screen_description: []", "Actions_reference:", "Previous_actions:"]
        assert "User:" in lines


@pytest.mark.parametrize(
    ("name", "centre", "action"),
    [
        ("generalist", "(280, 160)", "click(coordinates=(540, 2240)"),
        ("cogagent", "(259, 67)", "SCROLL_DOWN(box=[[268,365,288,385]]"),
        ("aguvis", "(0.259, 0.067)", "coord=[0.2778, 0.1667])，"),
    ],
)
def test_nodes_and_actions_are_in_the_agents_frame(
    name: str, centre: str, action: str, alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    text = PromptText(name="p.txt", text="{intent} {nodes} {reference_actions} {past_actions} {width}")
    format = make_model_format(name, prompt=text, system_prompt=NONE)
    (message,) = format.prepare(alarm_task, clock_screen, BEFORE, "zh").messages
    assert f"('闹钟 <全部>', {centre})" in message.text
    assert action in message.text
    assert "，" in message.text


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
    for name, meaning in EXECUTION_PLACEHOLDERS.items():
        names = [name, *(alias for alias, of in ALIASES.items() if of == name)]
        assert f"\n| {', '.join(f'`{{{one}}}`' for one in names)} | {meaning} |\n" in page
    for name in FORMATS:
        own = list_setting_names(type(make_model_format(name)))
        row = f"\n| `{name}` | {', '.join(f'`{one}`' for one in own)} |\n"
        assert (row in page) == bool(own), row
        # its form, coordinates, pictures and source
        assert re.search(rf"^\| `{re.escape(name)}`[^|\n]*(\|[^|\n]+){{5}}\|$", page, re.MULTILINE), name
    first = (Path(__file__).parents[3] / "docs" / "track-1.md").read_text(encoding="utf-8")
    for name, meaning in SUGGESTION_PLACEHOLDERS.items():
        assert f"\n| `{{{name}}}` | {meaning} |\n" in first
