"""An app that is opened by name: its icon on the launcher, the next page, or the home key."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.open_app import is_way_to
from fingertip_agents.registry import make_format
from fingertip_dataset.actions import Action, Click, PressBack, PressHome, Scroll, Type
from fingertip_dataset.tasks.task import ExecutionInput

HOME = """
<hierarchy>
  <node class="android.widget.FrameLayout" package="com.android.launcher3" bounds="[0,0][1080,2400]">
    <node class="android.widget.TextView" text="音乐" bounds="[100,300][500,360]"/>
    <node class="android.widget.TextView" content-desc="音乐" clickable="true" bounds="[100,1000][300,1200]"/>
    <node class="android.widget.TextView" text="ＱＱ 音乐" clickable="true" bounds="[400,1000][600,1200]"/>
    <node class="android.widget.TextView" text="藏起" clickable="true" bounds="[0,0][0,0]"/>
  </node>
</hierarchy>
"""
NEXT_PAGE = Scroll(x=540, y=1200, direction="right")


def answer(agent: str, name: str) -> str:
    if agent == "qwen2.5-vl":
        return json.dumps({"action": "open", "text": name})
    return f"Action:\n{'mobile.' if agent == 'aguvis' else ''}open_app(app_name='{name}')"


@pytest.mark.parametrize("agent", ["ui-tars-1.5", "ui-tars-v1", "aguvis", "qwen2.5-vl"])
def test_an_app_is_opened_as_a_person_does(
    alarm_task: ExecutionInput, clock_screen: ScreenInput, agent: str
) -> None:
    home = replace(clock_screen, tree=HOME, package="com.android.launcher3")

    def opened(screen: ScreenInput, name: str) -> Action:
        prepared = make_format(agent).prepare(alarm_task, screen, (), "zh")
        (action,) = prepared.read(answer(agent, name)).actions
        assert is_way_to(name, action)
        return action

    assert opened(home, "音乐") == Click(x=200, y=1100, content="音乐")
    assert opened(home, " qq音乐 ") == Click(x=500, y=1100, content="ＱＱ 音乐")
    assert opened(home, "藏起") == opened(home, "地图") == NEXT_PAGE
    assert opened(replace(home, tree=None), "音乐") == NEXT_PAGE
    assert opened(clock_screen, "音乐") == PressHome()


@pytest.mark.parametrize(
    "action", [Click(x=1, y=2), Click(x=1, y=2, content="支付"), PressBack(), Type(text="音乐")]
)
def test_another_action_is_no_way_to_an_app(action: Action) -> None:
    assert not is_way_to("音乐", action)
