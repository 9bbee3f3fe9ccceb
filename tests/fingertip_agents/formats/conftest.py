"""A task, screens and past steps, and each format's query of a case of vectors/."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from execution_runner.execution_view import ExecutionView
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.parsing.reading import Prepared
from fingertip_agents.registry import make_format
from fingertip_dataset.actions import Wait, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language

Case = Mapping[str, Any]
Prepare = Callable[..., Prepared]

VECTORS = Path(__file__).parent / "vectors"
CASES: Mapping[str, Mapping[str, Any]] = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(VECTORS.glob("*.toml"))
}
"""Format -> the tables of its file of vectors/."""

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
LAUNCHER = """
<hierarchy>
  <node class="android.widget.FrameLayout" package="com.android.launcher3" bounds="[0,0][1080,2400]">
    <node class="android.widget.TextView" text="音乐" bounds="[100,300][500,360]"/>
    <node class="android.widget.TextView" content-desc="音乐" clickable="true" bounds="[100,1000][300,1200]"/>
    <node class="android.widget.TextView" text="ＱＱ 音乐" clickable="true" bounds="[400,1000][600,1200]"/>
    <node class="android.widget.TextView" text="藏起" clickable="true" bounds="[0,0][0,0]"/>
  </node>
</hierarchy>
"""
SCREENS: Mapping[str, tuple[str | None, str]] = {
    "clock": (TREE, "com.clock"),
    "no tree": (None, "com.clock"),
    "broken tree": ("<hierarchy", "com.clock"),
    "tree with entities": ("<!DOCTYPE a [<!ENTITY b 'c'>]><node/>", "com.clock"),
    "launcher": (LAUNCHER, "com.android.launcher3"),
    "launcher without a tree": (None, "com.android.launcher3"),
}
"""Name of a screen -> its tree and the package in front."""


def past_step(step: str | Mapping[str, str]) -> PastStep:
    """Return a past step from its output, and from the written action if one was performed."""
    output, written = (step, "wait()") if isinstance(step, str) else (step["output"], step["written"])
    try:
        return PastStep(action=parse_action(written), written=written, output=output)
    except ActionSyntaxError:
        return PastStep(action=Wait(), written=written, output=output)


@pytest.fixture(scope="session")
def make_screen(blank_screenshot: bytes) -> Callable[[Case], ScreenInput]:
    def make(case: Case) -> ScreenInput:
        tree, package = SCREENS[case.get("screen", "clock")]
        size: tuple[int, int] = tuple(case.get("size", (1080, 2400)))
        return ScreenInput(screenshot=blank_screenshot, tree=tree, size=size, package=package)

    return make


@pytest.fixture(scope="session")
def prepare(alarm_task: ExecutionInput, make_screen: Callable[[Case], ScreenInput]) -> Prepare:
    """Function that makes a format's query of what an agent is shown by default, once for equal cases.

    Its arguments are the format's name, a case and a language.
    """
    view = ExecutionView()
    made: dict[str, Prepared] = {}

    def make(name: str, case: Case, language: Language = "zh") -> Prepared:
        about = [case.get(part) for part in ("settings", "size", "screen", "past")]
        key = f"{name} {language} {about}"
        if key not in made:
            past = [past_step(step) for step in case.get("past", ())]
            form = make_format(name, **case.get("settings", {}))
            shown_screen = view.show_screen(make_screen(case))
            made[key] = form.prepare(view.show_task(alarm_task), shown_screen, past, language)
        return made[key]

    return make


@pytest.fixture(scope="session")
def clock_screen(make_screen: Callable[[Case], ScreenInput]) -> ScreenInput:
    return make_screen({})


@pytest.fixture(scope="session")
def two_steps() -> tuple[PastStep, ...]:
    written = "click(coordinates=(540, 2240), content='添加闹钟')"
    tapped = {"written": written, "output": "Action: tap(5)\nSummary: I opened\tthe editor."}
    return past_step(tapped), past_step({"written": "I am\nlost.", "output": "I am\nlost."})
