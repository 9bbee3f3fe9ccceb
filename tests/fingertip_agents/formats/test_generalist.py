"""The generalist's prompt, and its coordinates in a smaller picture."""

from __future__ import annotations

import ast
import io
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.generalist import Generalist, read_answer
from fingertip_agents.formats.scale import Scale
from fingertip_dataset.actions import Click, Finished, Scroll, Type
from fingertip_dataset.errors import InputError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.screen_description import describe_screen
from fingertip_models.messages import Language, Message

Matches = Callable[[str, str, tuple[Message, ...]], None]


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt(
    language: Language,
    alarm_task: ExecutionInput,
    clock_screen: ScreenInput,
    two_steps: tuple[PastStep, ...],
    matches_golden: Matches,
) -> None:
    prepared = Generalist().prepare(alarm_task, clock_screen, two_steps, language)
    matches_golden(f"generalist_{language}", Generalist.version, prepared.messages)
    assert prepared.messages[1].images == (clock_screen.screenshot,)


def test_a_smaller_picture_has_every_coordinate_in_its_own_pixels(
    alarm_task: ExecutionInput, clock_screen: ScreenInput, two_steps: tuple[PastStep, ...]
) -> None:
    prepared = Generalist(long_side=1200).prepare(alarm_task, clock_screen, two_steps, "en")
    system, user = prepared.messages
    assert "The screenshot is 540 wide and 1200 high." in system.text
    assert "screen 540x1200 com.clock" in user.text
    assert '"添加闹钟" (270, 1120) clickable' in user.text
    assert user.text.count("click(coordinates=(270, 1120), content='添加闹钟')") == 2
    assert "(540, 2240)" not in user.text
    with Image.open(io.BytesIO(user.images[0])) as picture:
        assert picture.size == (540, 1200)
    assert prepared.read("click(coordinates=(270, 1120), content='添加闹钟')").actions == (
        Click(x=540, y=2240, content="添加闹钟"),
    )
    assert prepared.read("finished()").actions == (Finished(),)


def test_max_pixels_makes_the_picture_smaller(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    prepared = Generalist(max_pixels=784_000).prepare(alarm_task, clock_screen, (), "zh")
    with Image.open(io.BytesIO(prepared.messages[1].images[0])) as picture:
        width, height = picture.size
    assert width * height <= 784_000
    assert f"截图宽 {width}、高 {height}。" in prepared.messages[0].text
    (click,) = prepared.read(f"click(coordinates=({width - 1}, {height - 1}))").actions
    assert isinstance(click, Click)
    assert (1078 <= click.x < 1080, 2397 <= click.y < 2400) == (True, True)


def test_a_coordinate_beyond_all_screens_in_a_smaller_picture_is_a_problem(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    prepared = Generalist(long_side=1200).prepare(alarm_task, clock_screen, (), "en")
    reading = prepared.read("click(coordinates=(900000000, 1))")
    assert reading.actions == ()
    assert reading.problem == "expected a coordinate of at most 1000000000 px, got '1.80000e+9'"


@pytest.mark.parametrize("tree", [None, "<hierarchy", "<!DOCTYPE a [<!ENTITY b 'c'>]><node/>"])
def test_the_prompt_names_a_missing_tree(
    tree: str | None, alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    prepared = Generalist().prepare(alarm_task, replace(clock_screen, tree=tree), (), "en")
    assert "The elements of this screen cannot be read" in prepared.messages[1].text


def test_a_broken_screenshot_is_named_when_it_is_to_be_made_smaller(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    broken = replace(clock_screen, screenshot=clock_screen.screenshot[:200])
    with pytest.raises(InputError, match="expected a screenshot as PNG or JPEG, got 200 bytes"):
        Generalist(long_side=1200).prepare(alarm_task, broken, (), "en")


def test_a_limit_that_leaves_nothing_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="expected a picture of at least 784 pixels, got 5"):
        Generalist(max_pixels=5)


def test_the_settings_contain_the_limits() -> None:
    assert Generalist(long_side=1200).settings == {
        "max_pixels": None,
        "long_side": 1200,
        "screen_description": "elements",
    }


def test_the_screen_can_be_described_in_the_authors_form(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    form = Generalist(screen_description="authors")
    assert form.settings["screen_description"] == "authors"
    for language, columns in (("zh", "元素（文字、中心坐标）："), ("en", "elements (text, centre):")):
        text = form.prepare(alarm_task, clock_screen, (), language).messages[-1].text  # type: ignore[arg-type]
        listed = text.split(columns + "\n")[1].split("\n")[0]
        assert clock_screen.tree is not None
        tree = parse_tree(clock_screen.tree, screen=clock_screen.size)
        assert listed == describe_screen(tree, form="authors")
        assert isinstance(ast.literal_eval(listed), list)
    with pytest.raises(UsageError, match="expected a screen description, elements or authors, got 'html'"):
        Generalist(screen_description="html")  # type: ignore[arg-type]


def test_the_raw_text_of_an_action_is_kept_where_its_coordinates_are_the_phones() -> None:
    output = "Thought: tap.\nAction: click(coordinates=(10,20))"
    same = read_answer(output, scale=Scale(device=(100, 200), shown=(100, 200)))
    small = read_answer(output, scale=Scale(device=(100, 200), shown=(50, 100)))
    assert (same.raw, small.raw) == (("click(coordinates=(10,20))",), ())
    assert read_answer(" finish( )\n", scale=Scale(device=(1, 1), shown=(1, 1))).raw == ("finish( )",)


def test_what_the_release_cannot_write_is_completed() -> None:
    scale = Scale(device=(100, 200), shown=(100, 200))
    for output, action, raw in (
        ("Action: scroll( direction='up' )", Scroll(x=50, y=100, direction="up"), ()),
        (r"type(text='牛奶\n')", Type(text="牛奶\n"), ()),
        ("type(text='牛奶\n')", Type(text="牛奶\n"), ("type(text='牛奶\n')",)),
        ("type(text='scroll(direction='up')')", Type(text="scroll(direction='up')"), None),
    ):
        reading = read_answer(output, scale=scale)
        assert reading.actions == (action,)
        assert raw is None or reading.raw == raw
    assert read_answer("scroll(direction='inwards')", scale=scale).problem
