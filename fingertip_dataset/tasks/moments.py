"""Moments: looks at the phone, at about half of which the person wants something.

Only simulated people have moments, because recordings do not say when nothing was wanted. What the program
that drew them knows, and no task shows, lies beside the simulations: the probability that something is wanted
at each moment, and the patience of each person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Protocol, TypeVar, get_args

from pydantic import Field, ValidationError

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults, describe_fault

NO_MOMENTS = (
    "has no moments: recordings of real people do not say when nothing was wanted; `fingertip sample` "
    "simulates people with moments, and `fingertip build` keeps them"
)
"""End of a sentence about a dataset or a release."""
MOMENTS_VERSION = "1.0"
"""Version of the moments: of how they are drawn, and of what a row holds."""

MomentKind = Literal["intent", "glance", "notification", "just_done", "false_routine", "busy"]
"""Kind of a moment: "intent" is about to do something, and the others want nothing. "glance" looks and puts
the phone away, "notification" reads one and leaves it, "just_done" has carried the intent out minutes ago,
"false_routine" is the usual minute of a habit without one of its conditions, "busy" is in the middle of
something else."""

MOMENT_KINDS: tuple[MomentKind, ...] = get_args(MomentKind)

INTENT: MomentKind = "intent"
"""The kind at which something is wanted."""

Condition = Literal["day", "place", "done", "ended"]
"""What a false routine is missing: the weekday, the place, it was done earlier today, the habit has ended."""


ODDS_FILE, PATIENCE_FILE = "moment_odds.jsonl", "patience.jsonl"
"""Files of a built dataset beside the simulations, which no task shows."""


class HoldsMoments(Protocol):
    """A `BuiltDataset`, which is above this module."""

    @property
    def path(self) -> Path:
        """Path of the dataset."""

    def read_moment_file(self, name: str) -> bytes:
        """Return the content of a file of the moments."""


Record = TypeVar("Record", bound=FrozenModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentOdds:
    """Probabilities of a moment, known to one who knows the person's routine and what was done before.

    Attributes:
        wanted: Probability, 0-1, that the person wants something at this moment.
        right: Probability, 0-1, that the likeliest intent is the right one, given that something is wanted.
    """

    wanted: float
    right: float


class OddsRecord(FrozenModel):
    """Line of `ODDS_FILE`: a moment's probabilities; see `MomentOdds`."""

    moment_id: str
    wanted: float = Field(ge=0, le=1)
    right: float = Field(ge=0, le=1)


DriftDate = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
"""Date on which a habit of a person takes the place of another."""


class PatienceRecord(OmitDefaults):
    """Line of `PATIENCE_FILE`: a person's patience and changes of habit; see `read_patience`."""

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"drifts"})

    user_id: str
    patience: int = Field(ge=1)
    drifts: tuple[DriftDate, ...] = ()


def read_moment_odds(built: HoldsMoments) -> Mapping[str, MomentOdds]:
    """Return the generator's own probabilities of each moment, by moment id.

    Raises:
        UsageError: The dataset has no moments.
        DatasetError: The file has changed since the build, or a line is invalid.
    """
    return {
        one.moment_id: MomentOdds(wanted=one.wanted, right=one.right)
        for one in _read_records(built, ODDS_FILE, OddsRecord)
    }


def read_patience(built: HoldsMoments) -> Mapping[str, int]:
    """Return how many wrong suggestions of a day each person answers, by user id.

    Raises:
        UsageError: The dataset has no moments.
        DatasetError: The file has changed since the build, or a line is invalid.
    """
    return {one.user_id: one.patience for one in _read_records(built, PATIENCE_FILE, PatienceRecord)}


def read_drifts(built: HoldsMoments) -> Mapping[str, tuple[str, ...]]:
    """Return the dates, YYYY-MM-DD, on which a habit of each person takes the place of another, by user id.

    Raises:
        UsageError: The dataset has no moments.
        DatasetError: The file has changed since the build, or a line is invalid.
    """
    return {one.user_id: one.drifts for one in _read_records(built, PATIENCE_FILE, PatienceRecord)}


def _read_records(built: HoldsMoments, name: str, record: type[Record]) -> Iterator[Record]:
    for number, line in enumerate(built.read_moment_file(name).splitlines(), 1):
        try:
            yield record.model_validate_json(line)
        except ValidationError as error:
            raise DatasetError(
                f"the line is not valid at {describe_fault(error)}", file=built.path / name, line=number
            ) from None
