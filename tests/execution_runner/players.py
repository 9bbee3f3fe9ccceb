"""Scripted agents for the tests of the attempt loop; each is a real `ExecutionAgent`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from execution_runner.execution_log import Attempt
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_dataset.actions import Action, parse_action
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionInput

Trajectory = object
"""A Decision, an action, an action string; an exception to raise; a function from the screen to one of these;
or any other object, returned unchanged."""


class Player:
    """Agent that plays a task's script, indexed by the number of past steps, and then says finished.

    Attributes:
        seen: (task id, screen, past) of each call.
    """

    def __init__(
        self,
        ways: Mapping[str, Sequence[Trajectory]],
        *,
        settings: Mapping[str, object] | None = None,
        on_call: Callable[[int], None] = lambda number: None,
    ) -> None:
        self.name = "player"
        self.settings = settings or {}
        self.seen: list[tuple[str, ScreenInput, tuple[PastStep, ...]]] = []
        self._ways = ways
        self._on_call = on_call
        self._turn = threading.Lock()

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        with self._turn:
            self.seen.append((task_input.task_id, screen, tuple(past)))
            number = len(self.seen)
        self._on_call(number)
        way = self._ways[task_input.task_id]
        shown_text = way[len(past)] if len(past) < len(way) else "finished()"
        if callable(shown_text):
            shown_text = shown_text(screen)
        if isinstance(shown_text, BaseException):
            raise shown_text
        if isinstance(shown_text, str):
            return Decision(output=shown_text, actions=(parse_action(shown_text),), seconds=0.25, queries=1)
        if isinstance(shown_text, Action):
            return Decision(output="by itself", actions=(shown_text,))
        return shown_text  # type: ignore[return-value]


def golden_ways(dataset: Path, split: str = "test_execution") -> dict[str, list[str]]:
    """Task id -> the person's actions."""
    rows = BuiltDataset.open(dataset).rows(split, columns=("episode_id", "actions"))
    return {row["episode_id"]: [step["raw"] for step in row["actions"]] for row in rows}


def result(attempts: Sequence[Attempt], folder: Path) -> list[object]:
    """Results of a run without times, devices and attempt numbers; screens as bytes."""
    return [
        (
            one.end.model_copy(update={"at": "", "attempt": 1, "device": "", "final_screenshot": None}),
            _bytes(folder, one.end.final_screenshot),
            [
                (
                    step.model_copy(
                        update={"at": "", "attempt": 1, "device_s": 0, "screenshot": None, "tree": None}
                    ),
                    _bytes(folder, step.screenshot),
                    _bytes(folder, step.tree),
                )
                for step in one.steps
            ],
        )
        for one in attempts
    ]


def _bytes(folder: Path, file: str | None) -> bytes | None:
    return None if file is None else (folder / file).read_bytes()
