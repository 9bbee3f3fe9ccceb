"""The agent interface of track 2: a name, its settings, and one decision per screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fingertip_dataset.actions import Action
from fingertip_dataset.tasks.task import ExecutionInput


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenInput:
    """The current screen, as an agent sees it.

    Attributes:
        screenshot: A PNG or JPEG file's bytes; a protected screen is black.
        tree: The accessibility tree as XML, in either dialect; None if the phone returned none.
        size: Width and height of the screenshot, device px: the frame of every coordinate.
        package: Package of the foreground app; "" if unknown.
    """

    screenshot: bytes = field(repr=False)
    tree: str | None = field(repr=False)
    size: tuple[int, int]
    package: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One answer of an agent.

    Attributes:
        output: The raw output; an agent without a model writes its own text.
        actions: Actions to perform, in device px: usually one; two where the agent's own format has two at
            once (a click and what is typed then), each counted as a step. Empty: the output cannot be parsed;
            `wait()` is performed and the output is scored as it is written (the authors' script).
        raw: The text of each action as the agent wrote it, where that is the release's syntax in device px;
            empty: each action in the release's spelling. The release's protocol scores this text.
        problem: Why it cannot be parsed, "expected X, got Y"; None where it can.
        thought: The agent's reasoning, without the action.
        seconds: Duration of the decision, seconds.
        prompt_tokens: Tokens of the prompt; 0 without a model, None if the model does not report them.
        completion_tokens: Tokens of the output; 0 without a model, None if not reported.
        queries: Number of model calls; 0 without a model.
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
    """One completed step.

    Attributes:
        action: As performed.
        written: The action in the release's spelling, or the output that could not be parsed.
        output: The agent's raw output; both actions of one decision share it.
        thought: The decision's reasoning.
    """

    action: Action
    written: str
    output: str
    thought: str = ""


class ExecutionAgent(Protocol):
    """An agent of track 2, personalized task execution.

    It keeps no state between two calls: everything about a task is in the arguments, so several phones can
    query the same agent concurrently, from several threads.
    """

    @property
    def name(self) -> str:
        """Name of the agent in the run's record."""

    @property
    def settings(self) -> Mapping[str, object]:
        """Everything its decisions depend on beside the task, JSON-serializable; kept in the run's record."""

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """What to do on this screen.

        Raises:
            ModelError: It does not answer: an agent error, which is no failure of the task.
        """
