"""How Aguvis-7B is asked: the prompt as it stands, its own sentences as steps, calls written back."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.aguvis import Aguvis, read_answer, write
from fingertip_agents.formats.coordinates import ModelFrame
from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

FRAME = ModelFrame(size=(1, 1), screen=(1080, 2400))
POINTS = {"x": st.integers(0, 1079), "y": st.integers(0, 2399)}
ACTIONS = st.one_of(
    st.builds(Click, **POINTS),
    st.builds(LongClick, **POINTS),
    st.builds(
        Scroll,
        x=st.integers(20, 1059),
        y=st.integers(20, 2379),
        direction=st.sampled_from(get_args(Direction)),
    ),
    st.sampled_from([PressHome(), PressBack(), Wait(), Finished(), Finished(content="7:30 ('早')")]),
    st.builds(Type, text=st.text(min_size=1, max_size=30).filter(lambda text: not text.endswith("\\n"))),
)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_prompt_is_the_one_of_this_version(
    language: Language,
    alarm_task: ExecutionInput,
    clock_screen: ScreenInput,
    matches_golden: Callable[[str, str, tuple[Message, ...]], None],
) -> None:
    output = (
        "assistantall\nThought: The plus.\nAction: Add an alarm.\nassistantos\npyautogui.click(x=0.5, y=0.93)"
    )
    past = (
        PastStep(action=Click(x=540, y=2232), written="click(coordinates=(540, 2232))", output=output),
        PastStep(action=PressBack(), written="press_back()", output="assistantos\nmobile.back()"),
    )
    agent = Aguvis()
    messages = agent.prepare(alarm_task, clock_screen, past, language).messages
    matches_golden(f"aguvis_{language}", agent.version, messages)


def test_the_screen_is_sent_as_it_is(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    prepared = Aguvis().prepare(alarm_task, clock_screen, (), "zh")
    assert prepared.messages[1].images == (clock_screen.screenshot,)
    assert prepared.read("pyautogui.click(x=0.863, y=0.390)").actions == (Click(x=932, y=936),)


def test_the_sign_of_a_page_is_among_the_settings_of_the_run(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    agent = Aguvis(positive_page="down")
    assert agent.settings == {"max_pixels": None, "positive_page": "down"}
    (scroll,) = agent.prepare(alarm_task, clock_screen, (), "zh").read("pyautogui.scroll(page=0.2)").actions
    assert scroll == Scroll(x=540, y=1200, direction="down")
    with pytest.raises(UsageError, match="expected positive_page up or down, got 'left'"):
        Aguvis(positive_page="left")  # type: ignore[arg-type]


def test_a_limit_of_pixels_makes_the_picture_smaller_and_moves_no_point(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    prepared = Aguvis(max_pixels=648_000).prepare(alarm_task, clock_screen, (), "zh")
    with Image.open(io.BytesIO(prepared.messages[1].images[0])) as image:
        assert image.size == (540, 1200)
    output = "pyautogui.click(x=0.863, y=0.390)"
    assert prepared.read(output).actions == (Click(x=932, y=936),)
    with pytest.raises(UsageError, match="expected a picture of at least 784 pixels"):
        Aguvis(max_pixels=5)


@given(action=ACTIONS)
def test_what_is_written_in_its_grammar_is_read_back(action: Action) -> None:
    (found,) = read_answer(f"assistantos\n{write(action, frame=FRAME)}", frame=FRAME).actions
    if isinstance(action, Click | LongClick | Scroll):
        assert isinstance(found, Click | LongClick | Scroll)
        assert abs(found.x - action.x) <= 1
        assert abs(found.y - action.y) <= 1
        found = replace(found, x=action.x, y=action.y)
    assert found == action


def test_recents_are_not_in_its_grammar() -> None:
    assert write(PressRecent(), frame=FRAME) is None
