"""Human labels of pairs of intents: one line per label; each rater's latest counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fingertip_dataset.errors import InputError
from fingertip_metrics.judges.verdicts import IntentPair

LABELS = "labels.jsonl"
"""File name of the labels in a run folder."""


class PairLabel(BaseModel):
    """Label of a pair of intents by a rater: a line of the file. It applies to the texts in any run.

    Attributes:
        predicted: The agent's intent.
        intended: The person's intent.
        rater: Name of the rater.
        same: Whether the two texts are the same intent.
        why: The rater's reason.
        seconds: Time the rater took, seconds; None if unknown.
        at: Time of the label, ISO 8601 with time zone; "" if unknown.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    version: Literal[1] = 1
    predicted: str
    intended: str
    rater: str = Field(min_length=1)
    same: Literal["yes", "no", "unsure"]
    why: str = ""
    seconds: float | None = Field(default=None, ge=0)
    at: str = ""


def read_pair_labels(file: Path) -> tuple[PairLabel, ...]:
    """Read the labels, keeping each rater's last one for a pair; a truncated last line is ignored.

    Raises:
        InputError: The file cannot be read, a line is invalid, or there is no label.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(
            f"the labels cannot be read: {error.strerror}; `fingertip review RUN` writes one",
            file=file,
        ) from error
    lines = content.split(b"\n")
    if lines and not _is_label(lines[-1]):
        lines.pop()
    labels = [
        read_pair_label(line, file, number) for number, line in enumerate(lines, start=1) if line.strip()
    ]
    if not labels:
        raise InputError("the file has no label", file=file)
    return latest(labels)


def read_pair_label(text: bytes, file: Path, line: int) -> PairLabel:
    """Parse one line.

    Raises:
        InputError: The line is no label; the message names the first wrong field.
    """
    try:
        return PairLabel.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        where = f" at {place}" if place else ""
        raise InputError(f"the label is not valid{where}: {first['msg']}", file=file, line=line) from error


def latest(labels: Sequence[PairLabel]) -> tuple[PairLabel, ...]:
    """Each rater's last label for a pair."""
    return tuple({(label.rater, label.predicted, label.intended): label for label in labels}.values())


def by_pair(labels: Sequence[PairLabel]) -> dict[IntentPair, list[PairLabel]]:
    """Group the labels by pair."""
    found: dict[IntentPair, list[PairLabel]] = {}
    for label in labels:
        found.setdefault((label.predicted, label.intended), []).append(label)
    return found


def _is_label(line: bytes) -> bool:
    try:
        PairLabel.model_validate_json(line)
    except ValidationError:
        return False
    return True
