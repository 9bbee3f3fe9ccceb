"""redaction.json of a redacted release: what `fingertip privacy redact` replaced, without private values."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.frozen_model import describe_fault

REDACTION_FILE = "redaction.json"
"""File at the top of a redacted release."""

MAX_BYTES = 1 << 20

Counts = dict[str, int]


class Redaction(BaseModel):
    """Statement that private parts were replaced, and how many; it quotes none of them.

    Attributes:
        version: Version of the statement.
        date: Day of the redaction, UTC.
        by: Package and version that redacted.
        scan: Distribution or model -> version by which the private parts were found.
        finds: Kind -> number of finds that were redacted.
        values: Kind -> number of distinct values of a person, summed over the people.
        confirmed: Number of redacted finds that a person confirmed.
        undecided: Number of redacted finds that nobody has decided on.
        rejected: Number of finds that people rejected, which were left as they are.
        kept_undecided: Number of finds left as they are because nobody had confirmed them.
        added: Number of redacted finds that people added.
        without_place: Number of finds in pixels with neither a box nor a text, which are left as they are: a
            person has to draw a box.
        screenshots: Number of screenshots with painted boxes.
        reencoded: Number of those that were compressed again in whole.
        texts: Number of replaced values in trees, actions, surveys and tables.
        simulations_removed: Number of episodes whose set-up of a simulated phone was left out, because the
            phone would show the replaced values.
        left_out: Number of files and episode folders that were left out, because they could not be scanned
            or are no part of a release.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    date: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    by: str = Field(max_length=200)
    scan: dict[str, str] = Field(default_factory=dict)
    finds: Counts
    values: Counts
    confirmed: int = Field(ge=0)
    undecided: int = Field(ge=0)
    rejected: int = Field(ge=0)
    kept_undecided: int = Field(default=0, ge=0)
    added: int = Field(ge=0)
    without_place: int = Field(default=0, ge=0)
    screenshots: int = Field(ge=0)
    reencoded: int = Field(ge=0)
    texts: int = Field(ge=0)
    simulations_removed: int = Field(ge=0)
    left_out: int = Field(ge=0)

    @property
    def total(self) -> int:
        """Number of redacted finds."""
        return sum(self.finds.values())


def read_redaction(raw: Path) -> Redaction | None:
    """Read the statement of a release; None if it has no statement, and thus is not redacted.

    Args:
        raw: Folder of the release.

    Raises:
        ReleaseError: The file is no such statement.
    """
    file = raw / REDACTION_FILE
    try:
        data = file.read_bytes() if file.stat().st_size <= MAX_BYTES else b""
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ReleaseError(f"the file cannot be read: {error.strerror or error}", file=file) from None
    try:
        return Redaction.model_validate_json(data)
    except ValidationError as error:
        fault = f"the statement on redaction is not valid at {describe_fault(error)}"
        raise ReleaseError(fault, file=file) from None
