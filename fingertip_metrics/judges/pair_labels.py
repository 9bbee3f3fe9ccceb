"""Human labels of pairs of intents: one line per label; each rater's latest counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fingertip_dataset.errors import InputError
from fingertip_metrics.judges.verdicts import IntentPair

LABELS = "labels.jsonl"
"""In the folder of a run."""


class PairLabel(BaseModel):
    """A line: one person's word on one pair. It holds for the texts, in whatever run they are.

    Attributes:
        predicted: The agent's intent.
        intended: The person's.
        rater: Name of the rater.
        same: Whether the two are one and the same intent.
        why: In words.
        seconds: How long the rater looked; None where it is not known.
        at: When, in ISO 8601 with its zone; "" where it is not known.
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
    """The labels that count: of each rater the last one for a pair. A last line that was cut off is left out.

    Raises:
        InputError: The file cannot be read, a line is broken, or there is none.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(
            f"expected a file of labels, got {error.strerror}: `fingertip review RUN` writes one", file=file
        ) from error
    lines = content.split(b"\n")
    if lines and not _is_label(lines[-1]):
        lines.pop()
    labels = [
        read_pair_label(line, file, number) for number, line in enumerate(lines, start=1) if line.strip()
    ]
    if not labels:
        raise InputError("expected at least one label, got none", file=file)
    return latest(labels)


def read_pair_label(text: bytes, file: Path, line: int) -> PairLabel:
    """A label from its line.

    Raises:
        InputError: It is none; the message names the first field that is wrong.
    """
    try:
        return PairLabel.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        where = f" at {place}" if place else ""
        raise InputError(f"expected a label, got{where}: {first['msg']}", file=file, line=line) from error


def latest(labels: Sequence[PairLabel]) -> tuple[PairLabel, ...]:
    """Each rater's last label for a pair."""
    return tuple({(label.rater, label.predicted, label.intended): label for label in labels}.values())


def by_pair(labels: Sequence[PairLabel]) -> dict[IntentPair, list[PairLabel]]:
    """The labels of each pair."""
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
