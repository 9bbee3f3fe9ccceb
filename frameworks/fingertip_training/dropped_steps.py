"""Counts of what an export leaves out, by kind, each with an example."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.release.problems import printable

EXAMPLE_LENGTH = 300
"""Maximum number of characters of an example."""


class DroppedKind(FrozenModel):
    """Everything of one kind that an export leaves out.

    Attributes:
        kind: What is wrong or missing.
        count: Number of steps; episodes for a kind that begins with "episode".
        example: Episode, step and action of the first one.
    """

    kind: str
    count: int = Field(gt=0)
    example: str


class DroppedSteps:
    """Collects what is left out."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, kind: str, episode_id: str, *, step: int = 0, detail: str = "", count: int = 1) -> None:
        """Count something that is left out.

        Args:
            kind: What is wrong or missing.
            episode_id: Id of the episode.
            step: Number of the step, from 1; 0 for a whole episode.
            detail: The action or another excerpt.
            count: Number of steps.
        """
        place = f"episode {episode_id}" + (f", step {step}" if step else "")
        written = printable(f"{place}: {detail}" if detail else place, EXAMPLE_LENGTH)
        self.add_kinds([DroppedKind(kind=kind, count=count, example=written)])

    def add_kinds(self, kinds: Iterable[DroppedKind]) -> None:
        """Count what was left out of a later part; the first example of a kind stays."""
        for one in kinds:
            before, example = self._found.get(one.kind, (0, one.example))
            self._found[one.kind] = before + one.count, example

    def kinds(self) -> tuple[DroppedKind, ...]:
        """All kinds, the most frequent first."""
        ordered = sorted(self._found.items(), key=lambda found: (-found[1][0], found[0]))
        return tuple(
            DroppedKind(kind=kind, count=count, example=example) for kind, (count, example) in ordered
        )
