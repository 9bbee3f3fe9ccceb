"""What every agent of track 2 is: a name, its settings, and one decision a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fingertip_dataset.actions import Action
from fingertip_dataset.tasks.task import ExecutionInput


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenInput:
    """What an agent sees of a phone.

    Attributes:
        screenshot: A PNG or JPEG file's bytes; a protected screen is black.
        tree: The accessibility tree as XML, in either dialect; None where none could be had.
        size: Width and height of the screenshot, device px: the frame of every coordinate.
        package: The app in front; "" where the phone does not say.
    """

    screenshot: bytes = field(repr=False)
    tree: str | None = field(repr=False)
    size: tuple[int, int]
    package: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One answer of an agent.

    Attributes:
        output: What it wrote, as it came; for an agent without a model its own words.
        actions: What is to be done, in device px: usually one; two where the agent's own format says two at
            once (a click and what is typed then), each counted as a step. Empty: the output cannot be parsed;
            `wait()` is performed and the output is scored as it is written (the authors' script).
        raw: The text of each action as the agent wrote it, where that is the release's syntax in device px;
            empty: each action in the release's spelling. The release's protocol scores this text.
        problem: Why it cannot be parsed, "expected X, got Y"; None where it can.
        thought: What it says of its reasons, apart from the action.
        seconds: How long it took.
        prompt_tokens: Tokens it read; 0 without a model, None where a model does not say.
        completion_tokens: Tokens it wrote; likewise.
        queries: Calls of a model that it took; 0 without one.
    """

    output: str
    actions: tuple[Action, ...]
    raw: tuple[str, ...] = ()
    problem: str | None = None
    thought: str = ""
    seconds: float = 0.0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    queries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PastStep:
    """One step that is done.

    Attributes:
        action: As performed.
        written: The action in the release's spelling, or the output that could not be parsed.
        output: What the agent wrote; the second action of a decision has the same.
        thought: Of the decision.
    """

    action: Action
    written: str
    output: str
    thought: str = ""


class ExecutionAgent(Protocol):
    """An agent of track 2, personalized task execution.

    It keeps nothing between two calls: all it may need of a task is in what it is told, so that several
    phones can ask the same agent side by side, from several threads.
    """

    @property
    def name(self) -> str:
        """What the run is called after."""

    @property
    def settings(self) -> Mapping[str, object]:
        """What its decisions depend on beside the task, as JSON holds it; it goes into the run's log."""

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """What to do on this screen.

        Raises:
            ModelError: It does not answer: an agent error, which is no failure of the task.
        """
