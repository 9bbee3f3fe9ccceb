"""rater_answers.jsonl: who joined, and every answer that a rater gave, in order; nothing is ever taken out.

Of one rater the last answer to a task counts. Which rater's answer goes into predictions.jsonl is said in
`session`; the answers of the others are here alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from fingertip_dataset.errors import RunError
from fingertip_models.messages import Language
from fingertip_runs.line_log import LineLog, read_lines, validated
from fingertip_runs.run_record import FrozenModel

ANSWERS = "rater_answers.jsonl"

ANSWERS_VERSION = 1
"""Version of each line; a newer one is refused."""

LONGEST_ANSWER = 2000
"""Characters."""


class RaterJoined(FrozenModel):
    """A rater came and was dealt tasks.

    Attributes:
        at: When, in ISO 8601 with its zone.
    """

    version: Literal[1] = 1
    kind: Literal["joined"] = "joined"
    rater: str = Field(min_length=1)
    at: str


class RaterAnswer(FrozenModel):
    """A rater's answer to a task.

    Attributes:
        task_id: The episode id.
        text: What they wrote, without blanks around it.
        seconds: For which the task was in view, in a visible window, until the answer was saved; all looks at
            it together.
        language: Of the page when it was saved.
        at: When, in ISO 8601 with its zone.
    """

    version: Literal[1] = 1
    kind: Literal["answer"] = "answer"
    task_id: str
    rater: str = Field(min_length=1)
    text: str = Field(min_length=1, max_length=LONGEST_ANSWER)
    seconds: float = Field(ge=0)
    language: Language
    at: str


RaterLine = RaterJoined | RaterAnswer


class _Head(BaseModel):
    version: int
    kind: str


def read_answers(run: Path) -> tuple[RaterAnswer, ...]:
    """The answers of a run, of each rater the last one to each task; in the order of the first ones.

    Raises:
        RunError: The file cannot be read, a line is broken, or of a newer version.
    """
    return latest(line for line in read_lines(run / ANSWERS, _read) if isinstance(line, RaterAnswer))


def latest(answers: Iterable[RaterAnswer]) -> tuple[RaterAnswer, ...]:
    """Of each rater the last answer to each task."""
    return tuple({(answer.task_id, answer.rater): answer for answer in answers}.values())


def open_answers(run: Path) -> LineLog[RaterLine]:
    """The file of a run, to add to; held by this process until it is closed.

    Raises:
        RunError: It cannot be written, another process holds it, or it has a broken line.
    """
    return LineLog(run / ANSWERS, _read, sync=True)


def _read(text: bytes, file: Path, line: int) -> RaterLine:
    head = validated(_Head, text, file, line)
    if head.version > ANSWERS_VERSION:
        raise RunError(
            f"answers of version {head.version} cannot be read here, only {ANSWERS_VERSION} or older: "
            "a newer fingertip-20k reads them",
            file=file,
            line=line,
        )
    if head.kind == "joined":
        return validated(RaterJoined, text, file, line)
    return validated(RaterAnswer, text, file, line)
