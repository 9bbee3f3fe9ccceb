"""Lines of inputs.jsonl: every input of an attached agent that reached the phone, with the phone's time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import ClassVar, Literal

from pydantic import Field

from fingertip_dataset.frozen_model import OmitDefaults
from simulated_phone.logged_input import InputCall, LoggedInput

INPUTS = "inputs.jsonl"
"""File of the lines: in a run next to the screens of its attempt, in a bundle one of all attempts."""

MOST_INPUTS = 20_000
"""Largest number of inputs of an attempt; a keyboard sends one a letter."""


class InputLine(OmitDefaults):
    """An input; the attributes are those of `LoggedInput`, with the task's id and a number from 1."""

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {"numbers", "words", "writes", "velocity", "screen_sha256"}
    )

    kind: Literal["input"] = "input"
    task_id: str
    input: int = Field(ge=1)
    at_ms: int = Field(ge=0)
    call: InputCall
    numbers: tuple[int | float, ...] = ()
    words: tuple[str, ...] = ()
    writes: tuple[tuple[str, ...], ...] = ()
    velocity: tuple[float, float] | None = None
    screen_sha256: str = ""
    state_sha256: str

    def to_logged(self) -> LoggedInput:
        """The input as a phone logs it."""
        return LoggedInput(**self.model_dump(exclude={"kind", "task_id", "input"}))


class InputsEndLine(OmitDefaults):
    """The end of a log, when the agent ended or was ended.

    Attributes:
        task_id: The episode id.
        inputs: Number of inputs.
        at_ms: Time on the phone's clock since the log's start, ms.
        state_sha256: Hash of the phone's state.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset()

    kind: Literal["inputs_end"] = "inputs_end"
    task_id: str
    inputs: int = Field(ge=0)
    at_ms: int = Field(ge=0)
    state_sha256: str


def write_lines(task_id: str, log: Sequence[LoggedInput], end: InputsEndLine | None) -> bytes:
    """Lines of a log; without an end if the phone failed before it."""
    lines: Iterable[OmitDefaults] = (
        InputLine(task_id=task_id, input=number, **asdict(one)) for number, one in enumerate(log, start=1)
    )
    made = [*lines, *([] if end is None else [end])]
    return b"".join(line.model_dump_json().encode("utf-8", "replace") + b"\n" for line in made)
