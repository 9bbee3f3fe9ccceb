"""How CogAgent is asked: its own lines, its operations as history, actions written back."""

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
from fingertip_agents.formats.cogagent import CogAgent, ScrollDown, read_answer, write
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

FRAME = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
CONTENTS = st.none() | st.text(min_size=1, max_size=20).filter(lambda text: bool(text.strip()))
ACTIONS = st.one_of(
    st.builds(Click, x=st.integers(0, 1079), y=st.integers(0, 2399), content=CONTENTS),
    st.builds(
        Scroll, x=st.integers(0, 1079), y=st.integers(0, 2399), direction=st.sampled_from(get_args(Direction))
    ),
    st.sampled_from([Finished(), Finished(content="7:30, '早上'")]),
)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_prompt_is_the_one_of_this_version(
    language: Language,
    alarm_task: ExecutionInput,
    clock_screen: ScreenInput,
    matches_golden: Callable[[str, str, tuple[Message, ...]], None],
) -> None:
    output = (
        "Action: 在搜索框中输入“七点”。\n"
        "Grounded Operation: TYPE(box=[[055,841,648,891]], text='七点', element_info='搜索')\n<<一般操作>>"
    )
    past = (
        PastStep(action=Click(x=380, y=2078, content="搜索"), written="click(...)", output=output),
        PastStep(action=Type(text="七点"), written="type(text='七点')", output=output),
        PastStep(action=Wait(), written="I am\nlost.", output="I am\nlost."),
    )
    agent = CogAgent()
    messages = agent.prepare(alarm_task, clock_screen, past, language).messages
    matches_golden(f"cogagent_{language}", agent.version, messages)


def test_the_screen_is_sent_as_it_is(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    prepared = CogAgent().prepare(alarm_task, clock_screen, (), "zh")
    assert prepared.messages[0].images == (clock_screen.screenshot,)
    assert prepared.read("Grounded Operation: CLICK(box=[[219,186,311,207]])").actions == (
        Click(x=286, y=472),
    )


def test_what_scroll_down_moves_is_in_the_settings_and_the_prompt(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    agent = CogAgent(scroll_down="finger")
    assert agent.settings == {"max_pixels": None, "scroll_down": "finger"}
    prepared = agent.prepare(alarm_task, clock_screen, (), "en")
    assert "the direction is that of the finger" in prepared.messages[0].text
    # the similar task of the fixture scrolls down: the finger goes up
    assert "SCROLL_UP(box=[[268,365,288,385]], step_count=1)" in prepared.messages[0].text
    (scroll,) = prepared.read("SCROLL_UP(box=[[268,365,288,385]], step_count=1)").actions
    assert scroll == Scroll(x=300, y=900, direction="down")
    with pytest.raises(UsageError, match="expected scroll_down content or finger, got 'up'"):
        CogAgent(scroll_down="up")  # type: ignore[arg-type]


def test_a_limit_of_pixels_makes_the_picture_smaller_and_moves_no_point(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    prepared = CogAgent(max_pixels=648_000).prepare(alarm_task, clock_screen, (), "zh")
    with Image.open(io.BytesIO(prepared.messages[0].images[0])) as image:
        assert image.size == (540, 1200)
    output = "CLICK(box=[[219,186,311,207]])"
    assert prepared.read(output).actions == (Click(x=286, y=472),)
    with pytest.raises(UsageError, match="expected a picture of at least 784 pixels"):
        CogAgent(max_pixels=5)


@given(action=ACTIONS, scroll_down=st.sampled_from(get_args(ScrollDown)))
def test_what_is_written_in_its_grammar_is_read_back(action: Action, scroll_down: ScrollDown) -> None:
    written = write(action, frame=FRAME, scroll_down=scroll_down)
    (found,) = read_answer(f"Grounded Operation: {written}", frame=FRAME, scroll_down=scroll_down).actions
    if isinstance(action, Click | Scroll):
        assert isinstance(found, Click | Scroll)
        assert abs(found.x - action.x) <= 2
        assert abs(found.y - action.y) <= 3
        found = replace(found, x=action.x, y=action.y)
    assert found == action


@pytest.mark.parametrize(
    "action", [LongClick(x=5, y=5), PressBack(), PressHome(), PressRecent(), Wait(), Type(text="a")]
)
def test_what_it_cannot_say_is_not_in_its_grammar(action: Action) -> None:
    assert write(action, frame=FRAME) is None
