"""A flaw at its place, and the score of an episode's flaws."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_studies.quality.flaw_kinds import KINDS, FlawKind

WHOLE_EPISODE = frozenset({FlawKind.DETOUR, FlawKind.DUPLICATE, FlawKind.INTENT_NOT_SERVED})
"""Kinds that concern an episode as a whole; their step is None."""


class Flaw(FrozenModel):
    """A flaw of an episode.

    Attributes:
        kind: Its kind.
        step: Index of its first step, from 0; None if it concerns the whole episode.
        length: Number of steps that it covers.
        detail: What was seen, in words; "" if the kind says all.
    """

    kind: FlawKind
    step: int | None = Field(ge=0)
    length: int = Field(default=1, ge=1)
    detail: str = ""

    def covers(self, step: int) -> bool:
        """Whether a step is among those of the flaw."""
        return self.step is not None and self.step <= step < self.step + self.length


def quality_score(flaws: Iterable[Flaw], steps: int) -> float | None:
    """The quality of an episode, 0-1: the share of it that no flaw takes away; None without a step.

    Each step loses the largest loss of the flaws that cover it, never more than one step; the mean over steps
    is taken from 1. The result is multiplied by 1 - loss for each flaw of the whole episode, once a kind.

    >>> quality_score([Flaw(kind=FlawKind.UNDONE_ACTION, step=1, length=2)], steps=8)
    0.75
    >>> quality_score([Flaw(kind=FlawKind.DUPLICATE, step=None)], steps=8)
    0.0
    """
    if not steps:
        return None
    losses, factor = [0.0] * steps, 1.0
    whole: set[FlawKind] = set()
    for flaw in flaws:
        loss = KINDS[flaw.kind].loss
        if flaw.step is None:
            factor *= 1 - loss if flaw.kind not in whole else 1
            whole.add(flaw.kind)
            continue
        for step in range(flaw.step, min(flaw.step + flaw.length, steps)):
            losses[step] = max(losses[step], loss)
    return round(factor * (1 - sum(losses) / steps), 4)
