"""Agent of track 2 that asks a person at the terminal, for human reference results."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.own_agents import OWN_EXECUTORS
from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
    parse_action,
)
from fingertip_dataset.errors import AccessibilityTreeError, ActionSyntaxError, UsageError
from fingertip_dataset.plain_pictures import write_plain
from fingertip_dataset.release.problems import printable
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.screen_description import describe_screen

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

WIDEST = 200
"""Maximum printed characters of a label; generous, since a cut label is useless as content of an action."""

HELP = (
    "tap 12, tap X Y, hold 12, type TEXT, scroll down [12], back, home, recent, wait, done [ANSWER], "
    "or an action such as press_back()"
)
_BARE: Mapping[str, Action] = MappingProxyType(
    {
        "back": PressBack(),
        "home": PressHome(),
        "recent": PressRecent(),
        "wait": Wait(),
        "done": Finished(),
    }
)
_ROW = re.compile(r'(\d+) \S+(?: (id |hint )?"(.*)")? \((-?\d+), (-?\d+)\)(?: [a-z-]+)*')
_TERMINAL = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRow:
    """An element of the printed list: its centre in device px, and its label."""

    x: int
    y: int
    content: str | None = None


class Human:
    """A person at the terminal: shows the task view and reads the next action from standard input.

    The screenshot is written to a file that each screen overwrites, in a folder that only this user can read
    and that is removed at the end of the process. Screens of several phones are shown one at a time.
    """

    name = "human"
    traits = OWN_EXECUTORS["human"].traits
    settings: Mapping[str, object] = MappingProxyType({"decides": "a person at the terminal"})

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="fingertip-human-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls()

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The person's action; the prompt repeats until the line can be parsed.

        Raises:
            UsageError: Standard input has ended.
        """
        start = time.perf_counter()
        with _TERMINAL:
            content = write_plain(screen.screenshot)
            kind = "png" if content.startswith(b"\x89PNG") else "jpg"
            picture = self._folder / f"screen.{kind}"
            picture.write_bytes(content)
            description = _describe(screen)
            _show(task_input, past, picture, description)
            line, action = _query(_read_rows(description), screen.size)
        return Decision(output=line, actions=(action,), seconds=time.perf_counter() - start)


def read_line(line: str, rows: Mapping[int, ListedRow], size: tuple[int, int]) -> Action:
    """Parse an action in the short form of `HELP`, or in the release's spelling.

    Args:
        line: The typed line.
        rows: Elements by their number in the list.
        size: Width and height of the screen, device px.

    Raises:
        ActionSyntaxError: The line has neither form.

    >>> read_line("tap 2", {2: ListedRow(x=60, y=196, content="闹钟")}, (1080, 2400))
    Click(x=60, y=196, content='闹钟')
    >>> read_line("scroll down", {}, (1080, 2400))
    Scroll(x=540, y=1200, direction='down')
    """
    line = line.lstrip().rstrip("\r\n")
    word, _, rest = line.partition(" ")
    if line.strip() in _BARE:
        return _BARE[line.strip()]
    if word == "done" and rest.strip():
        return Finished(content=rest.strip())
    if word == "type":
        if not rest:
            raise ActionSyntaxError("type needs a text behind it")
        return Type(text=rest)
    if word in ("tap", "hold"):
        row = _find_place(rest, rows)
        touch = Click if word == "tap" else LongClick
        return touch(x=row.x, y=row.y, content=row.content)
    if word == "scroll":
        side, _, number = rest.strip().partition(" ")
        row = _find_place(number, rows) if number else ListedRow(x=size[0] // 2, y=size[1] // 2)
        direction = DIRECTIONS.get(side)
        if direction is None:
            raise ActionSyntaxError(f"expected scroll {', '.join(DIRECTIONS)}, got {side[:60]!r}")
        return Scroll(x=row.x, y=row.y, direction=direction)
    return parse_action(line)


def _find_place(text: str, rows: Mapping[int, ListedRow]) -> ListedRow:
    """The element with a number, or the point of two numbers."""
    numbers = re.findall(r"[0-9]{1,5}", text)
    if re.fullmatch(r"\s*[0-9]{1,5}[\s,]+[0-9]{1,5}\s*", text):
        return ListedRow(x=int(numbers[0]), y=int(numbers[1]))
    if re.fullmatch(r"\s*[0-9]{1,5}\s*", text) and int(numbers[0]) in rows:
        return rows[int(numbers[0])]
    last = f"1 to {max(rows)}" if rows else "none on this screen"
    raise ActionSyntaxError(f"expected the number of an element ({last}) or X Y, got {text.strip()[:60]!r}")


def _show(task_input: ExecutionInput, past: Sequence[PastStep], picture: Path, description: str) -> None:
    """Print the task, the last steps, the picture's path and the elements to standard error."""
    done = [f"{number} {step.written}" for number, step in enumerate(past, 1)]
    lines = [
        "",
        f"task    {task_input.request}",
        *(f"done    {line}" for line in done[-5:]),
        f"picture {picture}",
        *description.splitlines(),
    ]
    _say(*lines)


def _query(rows: Mapping[int, ListedRow], size: tuple[int, int]) -> tuple[str, Action]:
    """Read lines until one can be parsed; return it with its action."""
    while True:
        print("> ", end="", file=sys.stderr, flush=True)  # noqa: T201 - a person is asked
        line = sys.stdin.readline()
        if not line:
            raise UsageError("standard input ended without a line from the person")
        try:
            return line.strip(), read_line(line, rows, size)
        except ActionSyntaxError as error:
            _say(f"{error}; {HELP}")


def _say(*lines: str) -> None:
    print(*map(printable, lines), sep="\n", file=sys.stderr)  # noqa: T201 - a person reads it


def _describe(screen: ScreenInput) -> str:
    if screen.tree is None:
        return "no accessibility tree: look at the picture"
    try:
        tree = parse_tree(screen.tree, screen=screen.size)
        return describe_screen(tree, max_characters=WIDEST, with_package=bool(screen.package))
    except AccessibilityTreeError as error:
        return f"no accessibility tree: {error}"


def _read_rows(description: str) -> dict[int, ListedRow]:
    """Parse the numbered lines of a description; an element named by its id has no label."""
    found = [match for match in map(_ROW.fullmatch, description.splitlines()) if match]
    return {
        int(match[1]): ListedRow(
            x=int(match[4]), y=int(match[5]), content=None if match[2] == "id " else match[3] or None
        )
        for match in found
    }
