"""How Qwen2.5-VL and Qwen3-VL are asked: the prompt as it is, the picture in its size, calls both ways."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.coordinates import ModelFrame
from fingertip_agents.formats.qwen_vl import Qwen3VL, Qwen25VL, read_answer, write
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
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

PHONE = (1080, 2400)
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
    st.sampled_from(
        [PressHome(), PressBack(), PressRecent(), Wait(), Finished(), Finished(content="7:30 ('早')")]
    ),
    st.builds(Type, text=st.text(min_size=1, max_size=30).filter(lambda text: not text.endswith("\\n"))),
)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("agent", [Qwen25VL(), Qwen3VL()], ids=lambda agent: agent.name)
def test_the_prompt_is_the_one_of_this_version(
    agent: Qwen25VL,
    language: Language,
    alarm_task: ExecutionInput,
    clock_screen: ScreenInput,
    matches_golden: Callable[[str, str, tuple[Message, ...]], None],
) -> None:
    call = '{"name": "mobile_use", "arguments": {"action": "wait", "time": 2}}'
    output = f"Add one.\nAction: I wait.\n<tool_call>\n{call}\n</tool_call>"
    past = (
        PastStep(action=Wait(), written="wait()", output=output),
        PastStep(action=Wait(), written="I am\nlost.", output="I am\nlost."),
    )
    messages = agent.prepare(alarm_task, clock_screen, past, language).messages
    matches_golden(f"{agent.name}_{language}", agent.version, messages)


def test_the_picture_has_the_size_that_the_prompt_says(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    prepared = Qwen25VL().prepare(alarm_task, clock_screen, (), "en")
    system, user = prepared.messages
    with Image.open(io.BytesIO(user.images[0])) as image:
        assert image.size == (1092, 2408)
    assert "which is 1092 wide and 2408 high" in system.text
    call = json.dumps({"name": "mobile_use", "arguments": {"action": "click", "coordinate": [935, 406]}})
    assert prepared.read(f"<tool_call>\n{call}\n</tool_call>").actions == (Click(x=925, y=405),)


def test_thousandths_need_no_other_picture(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    prepared = Qwen3VL().prepare(alarm_task, clock_screen, (), "en")
    assert prepared.messages[1].images == (clock_screen.screenshot,)
    limited = Qwen3VL(max_pixels=800_000).prepare(alarm_task, clock_screen, (), "en")
    with Image.open(io.BytesIO(limited.messages[1].images[0])) as image:
        assert image.width % 32 == image.height % 32 == 0
        assert image.width * image.height <= 800_000
    call = '{"action": "click", "coordinate": [500, 500]}'
    assert prepared.read(call).actions == limited.read(call).actions == (Click(x=541, y=1201),)


def test_the_function_is_described_as_json(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    system, _ = Qwen25VL().prepare(alarm_task, clock_screen, (), "zh").messages
    shown_text = json.loads(system.text.split("<tools>\n")[1].split("\n</tools>")[0])
    assert shown_text["function"]["name"] == "mobile_use"
    properties = shown_text["function"]["parameters"]["properties"]
    assert properties["button"]["enum"] == ["Back", "Home", "Menu", "Enter"]
    assert "open" in properties["action"]["enum"]
    assert "answer" not in properties["action"]["enum"]


@given(action=ACTIONS)
def test_what_is_written_in_its_grammar_is_read_back(action: Action) -> None:
    for size in ((1092, 2408), (1000, 1000)):
        frame = ModelFrame(size=size, screen=PHONE)
        written = write(action, frame=frame)
        assert written is not None
        (found,) = read_answer(written, frame=frame).actions
        if isinstance(action, Click | LongClick | Scroll):
            assert isinstance(found, Click | LongClick | Scroll)
            assert abs(found.x - action.x) <= 1
            assert abs(found.y - action.y) <= 2
            found = replace(found, x=action.x, y=action.y)
        assert found == action
