"""Scripted tasks, and what plays them: a tool's own calls on the simulated phone, no model.

A test of a tool writes one `Controller` (a few lines: which of the tool's calls taps, types, reads the tree)
and hands it to the fixture `carry_out`, which resets the phone, plays the task's steps and evaluates the
goal's rule on the phone's state.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal
from xml.etree import ElementTree

from simulated_phone import APPS, GoalInstance
from simulated_phone.goals.steps import Hold, Open, Press, SetWheel, Step, Tap, TypeText

SEED = 0
"""Seed of the phone on which all tasks are carried out."""

Key = Literal["back", "home", "recents"]

_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedTask:
    """A task with the decisions that an agent would make.

    Args:
        name: Name in tests and in docs/developers/frameworks.md.
        words: The task in words.
        goal: The goal whose rule says whether the task is done.
        steps: The decisions, by the labels on the screen.
    """

    name: str
    words: str
    goal: GoalInstance
    steps: tuple[Step, ...]

    @property
    def package(self) -> str:
        """Package name of the task's app."""
        return self.goal.package


def _task(
    name: str, words: str, package: str, goal: str, strategy: str, typed: str = "", **arguments: str | int
) -> ScriptedTask:
    """A task by a goal's strategy; `typed` is typed instead of the strategy's text."""
    app = next(app for app in APPS if app.package == package)
    strategies = {one.name: one for one in app.goal(goal).strategies}
    steps = strategies[strategy].steps(arguments)
    return ScriptedTask(
        name=name,
        words=words,
        goal=GoalInstance(package=package, goal=goal, arguments=arguments),
        steps=tuple(
            replace(step, text=typed) if typed and isinstance(step, TypeText) else step for step in steps
        ),
    )


_CLOCK, _MUSIC, _CHAT = "com.android.deskclock", "com.netease.cloudmusic", "com.simulated.liaotian"

TASKS = {
    task.name: task
    for task in (
        _task(
            "alarm", "set an alarm for 6:30", _CLOCK, "set_alarm", "picked", hour=6, minute=30, time="06:30"
        ),
        _task(
            "search",
            "search for Love and play the song Love Story",
            _MUSIC,
            "play_song",
            "search",
            "Love",
            song="Love Story",
            artist="Taylor Swift",
        ),
        _task(
            "message",
            "send the message 记得带身份证。8点见 to 妈妈",
            _CHAT,
            "send_text",
            "search",
            contact="妈妈",
            text="记得带身份证。8点见",
        ),
        _task(
            "ascii-message",
            "send the message Home by 8 pm to 妈妈",
            _CHAT,
            "send_text",
            "list",
            contact="妈妈",
            text="Home by 8 pm",
        ),
    )
}


class Controller(ABC):
    """A tool's calls, as a scripted task needs them. Coordinates are pixels of the screen."""

    @abstractmethod
    def open(self, package: str) -> None:
        """Open an app."""

    @abstractmethod
    def tree(self) -> str:
        """The accessibility tree in the XML of `uiautomator dump`."""

    @abstractmethod
    def tap(self, x: int, y: int) -> None:
        """Tap a point."""

    @abstractmethod
    def write(self, text: str) -> None:
        """Type into the focused field."""

    def begin(self) -> None:  # noqa: B027 - a tool may have none
        """Do what the tool does before its first action."""

    def observe(self) -> None:  # noqa: B027 - a tool may have none
        """Do what the tool does before each action; a screenshot where it takes one."""

    def end(self) -> None:  # noqa: B027 - a tool may have none
        """Do what the tool does after its last action."""

    def hold(self, x: int, y: int) -> None:
        """Long-press a point."""
        raise NotImplementedError("no task of this tool holds an element")

    def press(self, key: Key) -> None:
        """Press a system key."""
        raise NotImplementedError("no task of this tool presses a key")

    def tap_label(self, label: str) -> None:
        """Tap the element with the label; a tool with selectors of its own overrides this."""
        self.tap(*centre_of(self.tree(), label))

    def play(self, steps: tuple[Step, ...], reached: Callable[[], bool]) -> None:
        """Carry out the steps until the task's state is reached: some tools press Enter after a text.

        Raises:
            AssertionError: The element of a step is not in the tree.
        """
        self.begin()
        for step in steps:
            self.observe()
            self._carry_out(step)
            if reached():
                break
        self.observe()
        self.end()

    def _carry_out(self, step: Step) -> None:
        if isinstance(step, Open):
            self.open(step.package)
        elif isinstance(step, Tap):
            self.tap_label(step.label)
        elif isinstance(step, TypeText):
            self.tap_label(step.into)
            self.write(step.text)
        elif isinstance(step, SetWheel):
            # the middle of a wheel picker is its text field
            self.tap_label(step.wheel)
            self.write(step.value)
        elif isinstance(step, Hold):
            self.hold(*centre_of(self.tree(), step.label))
        elif isinstance(step, Press):
            assert step.key in ("back", "home", "recents")
            self.press(step.key)
        else:
            raise AssertionError(f"no scripted task has a step {step}")


def centre_of(tree: str, label: str) -> tuple[int, int]:
    """The centre, in pixels, of the first element with the label.

    Raises:
        AssertionError: No element has the label.
    """
    left, top, right, bottom = bounds_of(tree, label)
    return (left + right) // 2, (top + bottom) // 2


def bounds_of(tree: str, label: str) -> tuple[int, int, int, int]:
    """Left, top, right and bottom, in pixels, of the first element with the label.

    Raises:
        AssertionError: No element has the label.
    """
    nodes = list(ElementTree.fromstring(tree).iter("node"))  # noqa: S314 - the simulated phone's own tree
    found = [node for node in nodes if label in (node.get("text"), node.get("content-desc"))]
    # the field that holds the searched word is not what a search found
    found.sort(key=lambda node: node.get("class") == "android.widget.EditText")
    assert found, f"expected {label!r} on the screen, got {sorted(filter(None, _labels(nodes)))}"
    box = _BOUNDS.fullmatch(found[0].get("bounds", ""))
    assert box, f"expected bounds of {label!r}, got {found[0].get('bounds')!r}"
    left, top, right, bottom = map(int, box.groups())
    return left, top, right, bottom


def _labels(nodes: list[ElementTree.Element]) -> Iterator[str]:
    for node in nodes:
        yield node.get("text") or node.get("content-desc") or ""
