"""human: a person at a real terminal, who sees the task and types a line."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_agents.human import ListedRow, read_line
from fingertip_dataset.actions import format_action
from fingertip_dataset.errors import ActionSyntaxError
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


PROGRAM = r"""
import sys
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.human import Human
from fingertip_dataset.actions import PressHome
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.times import parse_time
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput

task_input = ExecutionInput(
    task_id="1", profile=UserProfile(), intent="闹钟\x1b[2J七点", app="a", time=parse_time("20250310_081500"),
    scenario="", reference=None,
)
tree = (
    '<hierarchy><node text="闹钟 (1, 2)" clickable="true" bounds="[0,0][100,40]"/>'
    '<node resource-id="a:id/more" clickable="true" bounds="[0,40][100,80]"/></hierarchy>'
)
past = [PastStep(action=PressHome(), written="press_home()", output="home")]
human = Human()
try:
    for shown in (tree, None):
        screen = ScreenInput(screenshot=b"\x89PNG picture", tree=shown, size=(360, 800), package="a")
        decision = human.act(task_input, screen, past)
        print(repr((decision.output, decision.actions, decision.seconds >= 0)))
except UsageError as error:
    print(error)
"""

ROWS = {1: ListedRow(x=50, y=20, content="闹钟"), 12: ListedRow(x=9, y=8)}


@pytest.mark.parametrize(("line", "action"), VECTORS["actions"])
def test_a_line_is_an_action(line: str, action: str) -> None:
    assert format_action(read_line(line, ROWS, (360, 800))) == action


@pytest.mark.parametrize(("line", "words"), VECTORS["an_unreadable_line_is_reported_in_one_line"])
def test_an_unreadable_line_is_reported_in_one_line(line: str, words: str) -> None:
    with pytest.raises(ActionSyntaxError, match=words) as caught:
        read_line(line, ROWS, (360, 800))
    assert "\n" not in str(caught.value)
    with pytest.raises(ActionSyntaxError, match="none on this screen"):
        read_line("tap 1", {}, (360, 800))


@pytest.mark.parametrize("terminal", [True, False], ids=["pty", "pipe"])
def test_the_task_is_shown_and_the_prompt_repeats_until_an_action(terminal: bool, tmp_path: Path) -> None:
    typed = "dance\ntap 9\ntap 1\nhold 2\n"
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    here, there = pty.openpty() if terminal else os.pipe()
    if not terminal:
        here, there = there, here
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=there,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment,
    ) as program:
        os.close(there)
        os.write(here, typed.encode())
        if terminal:
            os.write(here, b"\x04")
        else:
            os.close(here)
        out, shown = program.communicate(timeout=300)
    assert out.splitlines() == [
        "('tap 1', (Click(x=50, y=20, content='闹钟 (1, 2)'),), True)",
        "standard input ended without a line from the person",
    ]
    assert "task    闹钟\\x1b[2J七点\n" in shown
    assert "done    1 press_home()\n" in shown
    assert '1 Element "闹钟 (1, 2)" (50, 20) clickable\n' in shown
    assert "expected the number of an element (1 to 2) or X Y, got '9'; tap 12, tap X Y" in shown
    assert "no accessibility tree: look at the picture" in shown
    assert re.search(r"^picture .*fingertip-human-\w+/screen\.png$", shown, re.MULTILINE)
    assert list(tmp_path.iterdir()) == []  # the picture is gone with the process
