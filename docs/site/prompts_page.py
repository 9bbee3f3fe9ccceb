"""The prompts of docs/reference/prompts.md, as agents send them, with each line's term of the equation.

python -m docs.site.prompts_page

writes them again. The prompts of track 1 are in `suggestion_prompts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from docs.site.labelled_prompt import PROFILE, draw_picture, render_prompt
from docs.site.page_lists import with_lists
from docs.site.suggestion_prompts import equation_1
from execution_runner.execution_view import EQUATION_2
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.registry import FORMATS, make_format
from fingertip_dataset.actions import Click, Wait, format_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence
from fingertip_dataset.times import parse_time
from fingertip_models.messages import Message

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "prompts.md"

PHONE = (1080, 2400)

TREE = """
<node class="android.widget.FrameLayout" package="com.clock" bounds="[0,0][1080,2400]">
  <node class="android.widget.TextView" text="Alarms" bounds="[60,100][500,220]"/>
  <node class="android.widget.LinearLayout" clickable="true" bounds="[0,300][1080,500]">
    <node class="android.widget.TextView" text="08:30" bounds="[60,320][300,400]"/>
  </node>
  <node class="android.widget.ImageButton" content-desc="Add alarm" clickable="true"
        bounds="[460,2160][620,2320]"/>
</node>
"""

TASK = ExecutionInput(
    task_id="1__20250310_081530",
    language="en",
    profile=PROFILE,
    intent="Set an alarm for 7 o'clock",
    app="com.clock",
    time=parse_time("20250310_081530"),
    scenario="residence",
    reference=ReferenceSequence(
        episode_id="1__20250301_070000",
        intent="Set an alarm for 6 o'clock",
        similarity=0.8,
        actions=(
            "click(coordinates=(540, 2240), content='Add alarm')",
            "scroll(coordinates=(300, 900), direction='down')",
            "finished()",
        ),
    ),
)

PAST = tuple(
    PastStep(action=action, written=format_action(action), output="", recorded=True)
    for action in (Wait(), Click(x=180, y=360, content="08:30"))
)


def draw_screen() -> ScreenInput:
    """The screen of the example."""
    return ScreenInput(screenshot=draw_picture(PHONE), tree=TREE, size=PHONE, package="com.clock")


def make_prompts(name: str, screen: ScreenInput) -> tuple[Sequence[Message], Mapping[str, Sequence[Message]]]:
    """The prompt of an agent of track 2 for the example, and the prompts with each term changed.

    Args:
        name: Name of the agent.
        screen: The screen of the example.
    """
    task_input, shown_screen, form = (
        EQUATION_2.show_task(TASK),
        EQUATION_2.show_screen(screen),
        make_format(name),
    )

    def prepare(
        task: ExecutionInput = task_input,
        seen: ScreenInput = shown_screen,
        past: Sequence[PastStep] = PAST,
    ) -> Sequence[Message]:
        return form.prepare(task, seen, past, "en").messages

    others = {
        "U": prepare(replace(task_input, profile=UserProfile())),
        "I": prepare(replace(task_input, intent="Another intent")),
        "A_ref": prepare(replace(task_input, reference=None)),
        "a": prepare(past=()),
        "tree": prepare(seen=replace(shown_screen, tree=None)),
    }
    return prepare(), others


def equation_2() -> str:
    """The prompts of all agents of track 2."""
    screen = draw_screen()
    return "\n\n".join(
        f"### {name}, prompt {make_format(name).version}\n\n{render_prompt(*make_prompts(name, screen))}"
        for name in FORMATS
    )


LISTS = (equation_1, equation_2)


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text(encoding="utf-8"), LISTS), encoding="utf-8")
