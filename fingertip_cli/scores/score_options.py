"""Options of `fingertip score`, of runs of either track and of moments."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingertip_runs.type_references import TypeName
    from suggestion_runner.answer_text import AnswerText


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """Options of scoring and printing.

    Attributes:
        protocol: "release" or "paper".
        answers: Track 1: the scored text, "raw" or "read".
        spelling: Track 2: spelling of the actions compared by Sim_2; None for the protocol's own.
        by: Groupings, in the order given.
        against: Track 1: run that every run is compared with; None for no comparison.
        partial: Whether unfinished runs are scored.
        published: None: print the paper's rows below runs of their setting; True: also in a separate table;
            False: never.
        why: Whether the reasons of failed tasks are printed, too.
        also_types: Track 2: further definitions of the user types by which Sim_2 is printed, too.
        tricks: Whether chance and tricks are scored, too; None if that takes no model.
        as_json: Whether one JSON object is printed instead of tables.
    """

    protocol: str
    answers: AnswerText
    spelling: str | None
    by: tuple[str, ...]
    against: Path | None
    partial: bool
    published: bool | None
    why: bool
    also_types: tuple[TypeName, ...]
    tricks: bool | None
    as_json: bool
