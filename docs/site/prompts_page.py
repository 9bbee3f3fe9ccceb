"""The prompts of docs/prompts.md, as agents send them, with the term of the paper's equation at each line.

python -m docs.site.prompts_page

writes them again. The term of a line is found by making the prompt once more with another value of that term,
or without it: the lines that change are of the term.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

from PIL import Image

from docs.site.page_lists import with_lists
from execution_runner.execution_view import EQUATION_2
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.registry import FORMATS, make_format
from fingertip_dataset.actions import Click, Wait, format_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence
from fingertip_dataset.times import parse_time
from fingertip_models.messages import Message

PAGE = Path(__file__).parents[2] / "docs" / "prompts.md"

WIDTH = 110
"""Maximum characters of a shown line; a longer one, such as the signature of a function, is cut."""

PICTURE = "[the picture of the screen]"

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
    profile=UserProfile(
        sex="female",
        age=31,
        occupation="teacher",
        address="Leeds",
        marital_status="single",
        phone_brand="Xiaomi",
    ),
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

Line = tuple[str, str]
"""The terms of a line, "" for wording of ours, and the line."""


def list_lines(messages: Sequence[Message]) -> list[str]:
    """The lines of a prompt: of each message its role, its text, and its pictures where they stand."""
    found: list[str] = []
    for message in messages:
        words, pictures = message.text.splitlines(), [PICTURE] * len(message.images)
        parts = [*words, *pictures] if message.images_last else [*pictures, *words]
        found += [f"---- {message.role}", *parts]
    return found


def label_lines(messages: Sequence[Message], others: Mapping[str, Sequence[Message]]) -> list[Line]:
    """The lines of a prompt with their terms.

    Args:
        messages: The prompt.
        others: Term -> the same prompt with another value of the term, or without it. Pictures are `x`.
    """
    lines = list_lines(messages)
    terms: list[list[str]] = [["x"] if line == PICTURE else [] for line in lines]
    for term, other in others.items():
        matcher = SequenceMatcher(a=lines, b=list_lines(other), autojunk=False)
        for kind, start, end, *_ in matcher.get_opcodes():
            for number in range(start, end) if kind in ("replace", "delete") else ():
                terms[number].append(term)
    return [("+".join(found), line) for found, line in zip(terms, lines, strict=True)]


def render_prompt(messages: Sequence[Message], others: Mapping[str, Sequence[Message]]) -> str:
    """A block of text with the terms at the left and the prompt at the right; arguments of `label_lines`."""
    rows = label_lines(messages, others)
    column = max(len(term) for term, _ in rows)
    shown = (f"{term:<{column}} | {line[:WIDTH]}{' …' if len(line) > WIDTH else ''}" for term, line in rows)
    return "\n".join(("```text", *(line.rstrip() for line in shown), "```"))


def draw_screen() -> ScreenInput:
    """The screen of the example."""
    written = io.BytesIO()
    Image.new("RGB", PHONE, "white").save(written, "PNG", compress_level=1)
    return ScreenInput(screenshot=written.getvalue(), tree=TREE, size=PHONE, package="com.clock")


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


LISTS = (equation_2,)


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text(encoding="utf-8"), LISTS), encoding="utf-8")
