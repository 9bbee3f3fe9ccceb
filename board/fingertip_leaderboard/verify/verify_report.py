"""The result of verifying one bundle, as the verifying process hands it to its caller."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from fingertip_leaderboard.bundle.refusal import Refusal
from fingertip_leaderboard.bundle.schema import Bundle
from fingertip_leaderboard.verify.check_outcome import AnyScores
from fingertip_leaderboard.verify.copies import Answers, MarkKind, describe_mark
from fingertip_metrics.sr1_score import Sr1
from suggestion_runner.scoring import SuggestionRunScores as SuggestionScores

PLACE = Path("bundle")
"""Stands for a bundle's path where only its content counts: a path may not be valid Unicode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMark:
    """Likeness of an accepted bundle to another one; a person decides what follows.

    Attributes:
        kind: What they have in common: nearly equal answers, equal seconds, or names that look alike.
        other: sha256 of the other's bundle.json.
        other_name: Name of the other's file or folder.
        same: Number of tasks in which they have it; 0 for a name.
        of: Number of comparable tasks; 0 for a name.
    """

    kind: MarkKind
    other: str
    other_name: str
    same: int = 0
    of: int = 0

    def __str__(self) -> str:
        return describe_mark(self.kind, self.other_name, self.same, self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """The result of verifying one bundle.

    Attributes:
        path: Path of the bundle.
        sha256: sha256 of its bundle.json, which names that of every other file; None if it cannot be read.
        bundle: Its bundle.json; None if it cannot be read.
        problems: Reasons for its refusal; empty if it is accepted.
        more: Number of further problems, which are not kept.
        remarks: Notes for readers that are no reason to refuse it.
        scores: Recomputed from the raw outputs; None if it is refused, or without a dataset. Of a repeated
            run those of the first try.
        tries: Recomputed scores of the further tries of a repeated run.
        marks: What it has in common with other accepted bundles.
    """

    path: Path
    sha256: str | None
    bundle: Bundle | None
    problems: tuple[Refusal, ...]
    more: int
    remarks: tuple[str, ...]
    scores: AnyScores | None
    marks: tuple[NearMark, ...] = ()
    tries: tuple[AnyScores, ...] = ()

    @property
    def all_tries(self) -> tuple[AnyScores, ...]:
        """Scores of every try; one of an ordinary run, none of a refused bundle."""
        return () if self.scores is None else (self.scores, *self.tries)

    @property
    def sr1(self) -> Sr1 | None:
        """SR_1, recomputed from the verdicts, or None on track 2 and in a run without a judge."""
        return self.scores.sr1 if isinstance(self.scores, SuggestionScores) else None

    @property
    def accepted(self) -> bool:
        """Whether no problem was found and its scores were recomputed."""
        return not self.problems and self.scores is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBundle:
    """A report, and what a comparison of this bundle with others needs.

    Attributes:
        report: The report before that comparison.
        answers: Answers and times of the run; None if it was not scored. Of a repeated run those of its first
            try.
        more_answers: Those of the further tries.
        data_sha256: The dataset that it was verified on; None without one.
    """

    report: VerifyReport
    answers: Answers | None
    data_sha256: str | None
    more_answers: tuple[Answers, ...] = ()

    def move_to(self, path: Path) -> CheckedBundle:
        """Return the same for a bundle at another path."""
        scores, answers = self.report.scores, self.answers
        tries = tuple(replace(one, folder=path) for one in self.report.tries)
        report = replace(self.report, path=path, scores=scores and replace(scores, folder=path), tries=tries)
        name = path.name or "bundle"
        named = answers and replace(answers, name=name)
        more = tuple(replace(one, name=name) for one in self.more_answers)
        return replace(self, report=report, answers=named, more_answers=more)


@cache
def checked_bundle_adapter() -> TypeAdapter[CheckedBundle]:
    """Writes and reads a checked bundle as JSON."""
    return TypeAdapter(CheckedBundle)
