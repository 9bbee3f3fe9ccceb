"""rater_answers.jsonl: every rater who joined and every answer, in order; append-only.

A rater's last answer to a task counts. `HumanSession` chooses which rater's answer goes into
predictions.jsonl; the other raters' answers are only in this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from fingertip_dataset.errors import RunError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_models.messages import Language
from fingertip_runs.annotation import LabelFile
from fingertip_runs.line_log import LineLog, read_lines, validate_json

ANSWERS = "rater_answers.jsonl"

ANSWERS_VERSION = 1
"""Version of each line; a newer one is refused."""

LONGEST_ANSWER = 2000
"""Characters of an answer."""


class RaterJoined(FrozenModel):
    """A rater joined the session and was dealt tasks.

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
        text: The answer, without blanks around it.
        seconds: Seconds for which the task was in view in a visible window until the answer was saved, over
            all visits.
        language: Language of the page when the answer was saved.
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


class _LineKind(BaseModel):
    version: int
    kind: str


def read_answers(run: Path) -> tuple[RaterAnswer, ...]:
    """The answers of a run, the last one of each rater to each task, in the order of the first ones.

    Raises:
        RunError: The file cannot be read, or a line is broken or of a newer version.
    """
    return latest(line for line in read_lines(run / ANSWERS, _read) if isinstance(line, RaterAnswer))


def latest(answers: Iterable[RaterAnswer]) -> tuple[RaterAnswer, ...]:
    """The last answer of each rater to each task."""
    return tuple({(answer.task_id, answer.rater): answer for answer in answers}.values())


def open_answers(run: Path) -> LineLog[RaterLine]:
    """The file of a run, open to append; this process holds it until it is closed.

    Raises:
        RunError: It cannot be written, another process holds it, or it has a broken line.
    """
    return _FILE.open(run)


def _read(text: bytes, file: Path, line: int) -> RaterLine:
    head = validate_json(_LineKind, text, file, line)
    if head.version > ANSWERS_VERSION:
        raise RunError(
            f"answers of version {head.version} cannot be read here, only {ANSWERS_VERSION} or older: "
            "a newer fingertip-20k reads them",
            file=file,
            line=line,
        )
    if head.kind == "joined":
        return validate_json(RaterJoined, text, file, line)
    return validate_json(RaterAnswer, text, file, line)


_FILE: LabelFile[RaterLine] = LabelFile(ANSWERS, _read)
