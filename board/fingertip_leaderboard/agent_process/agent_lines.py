"""Messages between the process of an isolated agent and ours: lines of JSON, each checked when it is read.

The first line to the agent's process is an `AgentStart` and gets an `AgentHello`; each later one is a query
and gets a `AgentReply`. An action is written in the release's spelling, bytes in base64.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.actions import format_action, parse_action
from fingertip_dataset.errors import EndpointError, FingerTipError, ModelError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput
from fingertip_dataset.track import Track

MOST_BYTES = 1 << 26
"""Maximum size of a reply in bytes."""

ERRORS: dict[str, type[FingerTipError]] = {
    error.__name__: error for error in (ModelError, EndpointError, UsageError)
}
"""Errors that an agent may raise; every other one becomes a `ModelError`."""

_Message = TypeVar("_Message", bound=BaseModel)


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")


class AgentStart(_Line):
    """Settings from which the process makes the agent.

    Attributes:
        track: Track of the agent.
        name: Name of its entry point.
        folder: Folder that its package is installed in.
        readable: As in `enter_sandbox`.
        listed: As in `enter_sandbox`.
        writable: As in `enter_sandbox`; the first is the working directory.
    """

    track: Track
    name: str
    folder: str
    readable: list[str]
    listed: list[str]
    writable: list[str]


class AgentFailure(_Line):
    """An error of the agent.

    Attributes:
        kind: Name of its class, one of `ERRORS`.
        message: Its message.
    """

    kind: str
    message: str

    @property
    def error(self) -> FingerTipError:
        """The error to raise in our process."""
        return ERRORS.get(self.kind, ModelError)(printable(self.message, 500))


class AgentHello(_Line):
    """The agent's name and settings, or why there is no agent."""

    name: str = Field(default="", max_length=500)
    settings: dict[str, JsonValue] = {}
    failure: AgentFailure | None = None


class PastLine(_Line):
    """A `PastStep`."""

    action: str
    written: str
    output: str
    thought: str

    @classmethod
    def of(cls, step: PastStep) -> PastLine:
        """The line of a step."""
        return cls(
            action=format_action(step.action), written=step.written, output=step.output, thought=step.thought
        )

    @property
    def step(self) -> PastStep:
        """The step of the line."""
        return PastStep(
            action=parse_action(self.action), written=self.written, output=self.output, thought=self.thought
        )


class AgentQuery(_Line):
    """A task of either track; for track 2 with the screen and the steps before."""

    suggestion: SuggestionInput | None = None
    execution: ExecutionInput | None = None
    screen: ScreenInput | None = None
    past: list[PastLine] = []


class DecisionLine(_Line):
    """A `Decision`."""

    actions: list[str]
    raw: list[str]
    problem: str | None
    thought: str
    output: str
    opens: str = ""
    notes: list[str] = []
    seconds: float
    prompt_tokens: int | None
    completion_tokens: int | None
    queries: int

    @classmethod
    def of(cls, decision: Decision) -> DecisionLine:
        """The line of a decision."""
        return cls(**_fields(decision) | {"actions": [format_action(one) for one in decision.actions]})

    @property
    def decision(self) -> Decision:
        """The decision of the line.

        Raises:
            ActionSyntaxError: An action is not of the action space.
        """
        actions = tuple(parse_action(text) for text in self.actions)
        texts = {"raw": tuple(self.raw), "notes": tuple(self.notes)}
        return Decision(**_fields(self) | texts | {"actions": actions})


class AgentReply(_Line):
    """An answer of the agent: of track 1, of track 2, or an error."""

    suggestion: Suggestion | None = None
    decision: DecisionLine | None = None
    failure: AgentFailure | None = None


def write_line(message: BaseModel) -> bytes:
    """The message as a line; what UTF-8 cannot hold is replaced."""
    text = json.dumps(message.model_dump(mode="json"), ensure_ascii=False)
    return text.encode("utf-8", "replace") + b"\n"


def read_line(kind: type[_Message], line: bytes) -> _Message:
    """Read a message.

    Raises:
        ModelError: The line is none; the message says where.
    """
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the line"
        raise ModelError(f"the agent gave no valid answer: {place}: {printable(first['msg'], 200)}") from None


def past_of(lines: Sequence[PastLine]) -> tuple[PastStep, ...]:
    """The steps of lines."""
    return tuple(line.step for line in lines)


def _fields(record: Decision | DecisionLine) -> dict[str, Any]:
    return {one.name: getattr(record, one.name) for one in fields(Decision)}
