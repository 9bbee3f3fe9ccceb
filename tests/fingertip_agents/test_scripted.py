"""scripted: actions from a file, and what is wrong with a file by its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fingertip_agents.execution_agent import Decision, ScreenInput
from fingertip_agents.scripted import Scripted
from fingertip_dataset.actions import format_action
from fingertip_dataset.errors import ActionSyntaxError, FingerTipError, InputError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput

Write = Callable[[str], Path]


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "script"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_lines_are_for_every_task(
    script: Write,
    task: Callable[..., ExecutionInput],
    screen: Callable[..., ScreenInput],
    followed: Callable[..., list[Decision]],
) -> None:
    agent = Scripted(script("\ufeff# how to begin\n\npress_home()\r\n type( text='a，b') \n"))
    for task_id in ("1", "2"):
        decisions = followed(agent, task(task_id=task_id), [screen()] * 4)
        done = [format_action(decision.actions[0]) for decision in decisions]
        assert done == ["press_home()", "type(text='a，b')", "finished()", "finished()"]


def test_an_object_has_a_list_for_each_task(
    script: Write,
    task: Callable[..., ExecutionInput],
    screen: Callable[..., ScreenInput],
    followed: Callable[..., list[Decision]],
) -> None:
    agent = Scripted(script('{"1": ["press_home()"], "2": []}'))
    decisions = [followed(agent, task(task_id=task_id), [screen()])[0] for task_id in "12"]
    assert [decision.output for decision in decisions] == ["press_home()", "finished()"]
    with pytest.raises(
        UsageError,
        match=r"the file of --script has no actions for this task: add its id with its actions \(file "
        r".*script, episode 3",
    ):
        followed(agent, task(task_id="3"), [screen()])


def test_another_content_is_another_agent(script: Write) -> None:
    one, other = (Scripted(script(text)).settings for text in ("press_home()", "press_back()"))
    assert one["script"] == other["script"] == "script"
    assert one["sha256"] != other["sha256"]


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (
            "press_home()\nclick the alarm\n",
            ActionSyntaxError,
            r"expected one of .*\(file .*script, line 2\)",
        ),
        ('{"1": ["press_home()", "home"]}', ActionSyntaxError, r"action 2: .*\(file .*script, episode 1\)"),
        ('{"1": "press_home()"}', InputError, r"expected a list of actions, got str .*episode 1"),
        ('{"1": [1]}', InputError, r"expected action 1 as text, got int"),
        ('{"1": [],\n "1": []}', InputError, r"'1' twice"),
        ('{"1":\n [}', InputError, r"expected a JSON object, got: .* line 2\)"),
        ("{" * 100_000, InputError, r"expected a JSON object"),
        ('{"1": [' + "[" * 100_000, InputError, r"expected a JSON object"),
        ("# nothing\n\n", InputError, r"expected at least one action, got none"),
        ("{}", InputError, r"expected at least one action, got none"),
    ],
)
def test_a_wrong_script_is_refused_in_one_line(
    text: str, error: type[FingerTipError], words: str, script: Write
) -> None:
    with pytest.raises(error, match=words) as caught:
        Scripted(script(text))
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_binary_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the file of actions cannot be read: No such file"):
        Scripted(tmp_path / "none")
    with pytest.raises(UsageError, match=r"the file of actions cannot be read: Is a directory"):
        Scripted(tmp_path)
    binary = tmp_path / "binary"
    binary.write_bytes(b"press\xff")
    with pytest.raises(InputError, match=r"expected UTF-8, got another byte at position 5"):
        Scripted(binary)
