"""Decisions of a board's maintainers on marked submissions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, RootModel, StringConstraints, ValidationError

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_leaderboard.bundle.lines import Sha256
from fingertip_leaderboard.results_file import check_outside, read_bounded

LARGEST = 1 << 22
"""Maximum size of the file in bytes."""


class Ruling(FrozenModel):
    """A maintainer's decision on a submission.

    Attributes:
        decision: Whether the submission stays on the board.
        reason: Reason, which the board shows.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    decision: Literal["keep", "remove"]
    reason: Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]


class _Decisions(RootModel[dict[Sha256, Ruling]]):
    pass


def read_decisions(file: Path) -> Mapping[str, Ruling]:
    """Read a file of decisions: sha256 of a bundle.json -> {"decision": "keep" | "remove", "reason": ...}.

    Raises:
        UsageError: The file lies among bundles, cannot be read, or has an invalid entry.
    """
    check_outside(file)
    text = read_bounded(file, LARGEST, "the file of decisions", kind=UsageError)
    try:
        return _Decisions.model_validate_json(text).root
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole file"
        raise UsageError(
            'expected {"SHA256 of a bundle.json": {"decision": "keep" or "remove", "reason": "..."}}, '
            f"got at {place}: {first['msg']}",
            file=file,
        ) from error
