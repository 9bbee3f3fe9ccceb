"""A task, a screen and what was done, for the prompts and answers of each agent."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_dataset.actions import Click, Wait
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence
from fingertip_dataset.times import parse_time

TREE = """
<hierarchy>
  <node class="android.widget.FrameLayout" package="com.clock" bounds="[0,0][1080,2400]">
    <node class="android.widget.TextView" text="闹钟 &lt;全部&gt;" bounds="[60,100][500,220]"/>
    <node class="android.widget.LinearLayout" clickable="true" bounds="[0,300][1080,500]">
      <node class="android.widget.TextView" text="07:00" bounds="[60,320][300,400]"/>
      <node class="android.widget.TextView" text="起床" bounds="[60,410][300,480]"/>
      <node class="android.widget.Switch" content-desc="开启" checkable="true" checked="true" clickable="true"
            bounds="[900,350][1040,450]"/>
    </node>
    <node class="androidx.recyclerview.widget.RecyclerView" scrollable="true" bounds="[0,500][1080,2000]"/>
    <node class="android.widget.EditText" hint="搜索" bounds="[60,2020][700,2140]"/>
    <node class="android.widget.ImageButton" content-desc="添加闹钟" clickable="true"
          bounds="[460,2160][620,2320]"/>
    <node class="android.widget.Button" text="灰色" clickable="true" enabled="false"
          bounds="[800,2160][900,2320]"/>
    <node class="android.widget.Button" text="藏起" clickable="true" bounds="[0,0][0,0]"/>
  </node>
</hierarchy>
"""


@pytest.fixture(scope="session")
def blank_screenshot() -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (1080, 2400), "white").save(written, "PNG", compress_level=1)
    return written.getvalue()


@pytest.fixture
def clock_screen(blank_screenshot: bytes) -> ScreenInput:
    return ScreenInput(screenshot=blank_screenshot, tree=TREE, size=(1080, 2400), package="com.clock")


@pytest.fixture
def treeless_screen(blank_screenshot: bytes) -> ScreenInput:
    return ScreenInput(screenshot=blank_screenshot, tree=None, size=(1080, 2400), package="com.clock")


@pytest.fixture
def alarm_task() -> ExecutionInput:
    return ExecutionInput(
        task_id="1__20250310_081530",
        profile=UserProfile(sex="女", age=31, occupation="教师", address="北京", phone_brand="小米"),
        intent="定一个七点的闹钟",
        app="com.clock",
        time=parse_time("20250310_081530"),
        scenario="住所",
        reference=ReferenceSequence(
            episode_id="1__20250301_070000",
            intent="设早上六点的闹钟",
            similarity=0.8,
            actions=(
                "click(coordinates=(540, 2240), content='添加闹钟')",
                "scroll(coordinates=(300, 900), direction='down')",
                "finished()",
            ),
        ),
    )


@pytest.fixture
def two_steps() -> tuple[PastStep, ...]:
    return (
        PastStep(
            action=Click(x=540, y=2240, content="添加闹钟"),
            written="click(coordinates=(540, 2240), content='添加闹钟')",
            output="Action: tap(5)\nSummary: I opened\tthe editor.",
        ),
        PastStep(action=Wait(), written="I am\nlost.", output="I am\nlost."),
    )
