"""Badges of the board's page: what a row or a value rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from fingertip_leaderboard.evidence import EVIDENCE, LEGEND, WORD, Evidence, weakest
from fingertip_leaderboard.score_columns import ScoreColumn
from fingertip_leaderboard.verified_records import Submission

_STYLES: Mapping[Evidence, str] = MappingProxyType(
    dict(zip(EVIDENCE, ("ft-ev-board", "ft-ev-rerun", "ft-ev-made", "ft-ev-word"), strict=True))
)

EFFORT = ("device", "seconds", "tokens")
"""Names of evidence that belongs to no score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceBadge:
    """Badge that says which evidence a row or a value rests on.

    Attributes:
        text: Kind of evidence.
        style: CSS class of its badge.
        hint: Its meaning, or that of each score.
        place: Place in the order from the strongest, from 0.
    """

    text: Evidence
    style: str
    hint: str
    place: int

    @classmethod
    def of(cls, kind: Evidence, hint: str = "") -> EvidenceBadge:
        """The badge of a kind of evidence."""
        return cls(text=kind, style=_STYLES[kind], hint=hint or LEGEND[kind], place=EVIDENCE.index(kind))


def make_row_badge(submission: Submission, columns: Sequence[ScoreColumn]) -> EvidenceBadge:
    """The weakest evidence of a row's scores; its hint names each, and that of seconds and tokens."""
    kinds = {
        column.title: submission.evidence[column.name]
        for column in columns
        if column.name in submission.scores and submission.scores[column.name].mean is not None
    }
    hints = kinds | {name: submission.evidence[name] for name in EFFORT if name in submission.evidence}
    return EvidenceBadge.of(
        weakest(kinds.values() or [WORD]), "; ".join(f"{title}: {kind}" for title, kind in hints.items())
    )


def effort_badges(submission: Submission) -> list[tuple[str, EvidenceBadge]]:
    """The badges of a submission's device, seconds and tokens."""
    return [
        (name, EvidenceBadge.of(submission.evidence[name])) for name in EFFORT if name in submission.evidence
    ]
