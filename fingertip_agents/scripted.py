"""Scripted agent: actions from a file, one per screen, independent of the screen."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.own_agents import OWN_EXECUTORS
from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import ActionSyntaxError, InputError, UsageError
from fingertip_dataset.tasks.task import FINISHED, ExecutionInput

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup


class Scripted:
    """Performs the actions of a file, the same for every task or a list per task; then `finished()`.

    The file is UTF-8: either one action per line (empty lines and lines that begin with # are ignored), or
    one JSON object, `{"1001__20250310_081530": ["press_home()", ...], ...}`.

    Args:
        path: Path of the file.

    Raises:
        UsageError: The file cannot be read.
        ActionSyntaxError: A line, or a text of the object, is no action.
        InputError: The file has neither form, or no action.
    """

    name = "scripted"
    traits = OWN_EXECUTORS["scripted"].traits

    def __init__(self, path: Path) -> None:
        try:
            content = path.read_bytes()
            text = content.decode("utf-8-sig")
        except OSError as error:
            raise UsageError(f"the file of actions cannot be read: {error.strerror}", file=path) from None
        except UnicodeDecodeError as error:
            raise InputError(
                f"expected UTF-8, got another byte at position {error.start}", file=path
            ) from None
        self._path = path
        self._everywhere: tuple[str, ...] = ()
        self._by_task: dict[str, tuple[str, ...]] | None = None
        if text.lstrip().startswith("{"):
            self._by_task = _read_object(text, path)
        else:
            self._everywhere = tuple(_read_lines(text, path))
        if not (self._everywhere or self._by_task):
            raise InputError("expected at least one action, got none", file=path)
        self._settings = {"script": path.name, "sha256": hashlib.sha256(content).hexdigest()}

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command.

        Raises:
            UsageError: The setup has no file of actions.
        """
        if setup.script is None:
            raise UsageError("the agent scripted needs a file of actions: give --script FILE")
        return cls(setup.script)

    @property
    def settings(self) -> Mapping[str, object]:
        """The file's name and SHA-256."""
        return self._settings

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The next action; `finished()` after the last one.

        Raises:
            UsageError: The file has lists by task, and none for this one.
        """
        start = time.perf_counter()
        actions = self._everywhere if self._by_task is None else self._by_task.get(task_input.task_id)
        if actions is None:
            raise UsageError(
                "the file of --script has no actions for this task: add its id with its actions",
                file=self._path,
                episode_id=task_input.task_id,
            )
        written = actions[len(past)] if len(past) < len(actions) else FINISHED
        return Decision(
            output=written,
            actions=(parse_action(written),),
            raw=(written,),
            seconds=time.perf_counter() - start,
        )


def _read_lines(text: str, path: Path) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                parse_action(line)
            except ActionSyntaxError as error:
                raise ActionSyntaxError(error.message, file=path, line=number) from None
            yield line.strip()


def _read_object(text: str, path: Path) -> dict[str, tuple[str, ...]]:
    try:
        fields = json.loads(text, object_pairs_hook=_refuse_repeats)
    except json.JSONDecodeError as error:
        raise InputError(f"expected a JSON object, got: {error.msg}", file=path, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected a JSON object, got: {error}", file=path) from None
    return {task_id: tuple(_read_list(actions, task_id, path)) for task_id, actions in fields.items()}


def _refuse_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:60]!r} twice")
    return found


def _read_list(actions: object, task_id: str, path: Path) -> Iterator[str]:
    if not isinstance(actions, list):
        raise InputError(
            f"expected a list of actions, got {type(actions).__name__}", file=path, episode_id=task_id
        )
    for number, raw in enumerate(actions, 1):
        if not isinstance(raw, str):
            raise InputError(
                f"expected action {number} as text, got {type(raw).__name__}", file=path, episode_id=task_id
            )
        try:
            parse_action(raw)
        except ActionSyntaxError as error:
            raise ActionSyntaxError(
                f"action {number}: {error.message}", file=path, episode_id=task_id
            ) from None
        yield raw.strip()
