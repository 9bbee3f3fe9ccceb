"""The agent interface of track 2: a name, its settings, and one decision per screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fingertip_agents.parsing.reading import Reading
from fingertip_dataset.actions import Action
from fingertip_dataset.tasks.task import ExecutionInput


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenInput:
    """The current screen, as an agent sees it.

    Attributes:
        screenshot: A PNG or JPEG file's bytes; a protected screen is black.
        tree: The accessibility tree as XML, in either dialect; None if the phone returned none, or if hidden.
        size: Width and height of the screenshot, device px: the frame of every coordinate.
        package: Package of the foreground app; "" if unknown or hidden, as it is by default.
    """

    screenshot: bytes = field(repr=False)
    tree: str | None = field(repr=False)
    size: tuple[int, int]
    package: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Reading):
    """Answer of an agent: its output, how it is read, and what it cost.

    Attributes:
        output: The raw output; an agent without a model writes its own text.
        actions: Actions to perform, in device px: usually one; several if the agent's own format allows them
            (a click and then typing), each counted as a step. Empty if the output cannot be parsed; `wait()`
            is then performed and the raw output is scored (as in the authors' script).
        seconds: Duration of the decision, seconds; None if nobody measured it.
        prompt_tokens: Tokens of the prompt; 0 without a model, None if the model does not report them.
        completion_tokens: Tokens of the output; 0 without a model, None if not reported.
        queries: Number of model calls; 0 without a model, None if nobody counted them.
    """

    output: str
    actions: tuple[Action, ...]
    seconds: float | None = 0.0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    queries: int | None = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PastStep:
    """Completed step.

    Attributes:
        action: The performed action, device px.
        written: The action in the release's spelling, or the output that could not be parsed.
        output: The agent's raw output; both actions of one decision share it.
        thought: The decision's reasoning.
        recorded: Whether it is the person's recorded action and no answer of the agent; `output` is then
            `written`.
        screenshot: The screen that it was decided on, a PNG or JPEG file's bytes; None if it is not at hand,
            as for an isolated agent.
    """

    action: Action
    written: str
    output: str
    thought: str = ""
    recorded: bool = False
    screenshot: bytes | None = field(default=None, repr=False)


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
        """All that its decisions depend on besides the task, JSON-serializable; stored in the run record."""

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """Decide what to do on this screen.

        Raises:
            ModelError: The agent does not answer; this is an agent error and not a failure of the task.
        """
