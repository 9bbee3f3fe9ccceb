"""A bundle verified: every check in its order, the scores made again, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.contents import open_contents
from fingertip_leaderboard.bundle.read import ReadBundle, read_bundle
from fingertip_leaderboard.bundle.refusal import Refusal, RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import Bundle
from fingertip_leaderboard.verify.check_manifest import check_manifest
from fingertip_leaderboard.verify.copies import Answers, answers_of, check_copies, remark_uniform
from fingertip_leaderboard.verify.coverage import check_data
from fingertip_leaderboard.verify.moments import Clock
from fingertip_leaderboard.verify.tracks import CheckOutcome, Embedders, check_execution, check_suggestion
from fingertip_metrics.sr1_score import Sr1
from suggestion_runner.scoring import SuggestionRunScores as SuggestionScores
from suggestion_runner.suggestion_records import SuggestionRun


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What became of a bundle.

    Attributes:
        path: Of the bundle.
        sha256: Of its bundle.json, which names the sha256 of all else; None where it cannot be read.
        bundle: Its bundle.json; None where it cannot be read.
        problems: Why it is refused; empty where it is not.
        more: Further problems, which are not kept.
        remarks: What a reader must know of it all the same.
        scores: Made again from the raw outputs; None where it is refused, or without a dataset.
    """

    path: Path
    sha256: str | None
    bundle: Bundle | None
    problems: tuple[Refusal, ...]
    more: int
    remarks: tuple[str, ...]
    scores: SuggestionScores | ExecutionScores | None

    @property
    def sr1(self) -> Sr1 | None:
        """SR_1, made again from the verdicts; None without a judge, and on track 2."""
        return self.scores.sr1 if isinstance(self.scores, SuggestionScores) else None

    @property
    def accepted(self) -> bool:
        """Whether nothing is wrong with it and its scores were made again."""
        return not self.problems and self.scores is not None


def verify_bundle(
    path: Path, dataset: Path | None, *, embedders: Embedders | None = None, now: datetime | None = None
) -> VerifyReport:
    """Verifies one bundle; see `verify_bundles`."""
    return verify_bundles([path], dataset, embedders=embedders, now=now)[0]


def verify_bundles(
    paths: Sequence[Path],
    dataset: Path | None,
    *,
    embedders: Embedders | None = None,
    now: datetime | None = None,
) -> tuple[VerifyReport, ...]:
    """Verifies bundles, which are also compared with one another.

    Args:
        paths: Folders or .zip files.
        dataset: The dataset that the runs must have been made on; without it nothing is scored.
        embedders: Gives the embedders that bundles name; loaded once.
        now: When this happens; None for now.

    Raises:
        UsageError: No bundle is given.
        DatasetError: The dataset is missing or broken.
        ModelError: An embedder cannot be loaded.
    """
    if not paths:
        raise UsageError("expected a bundle, got none")
    built = None if dataset is None else BuiltDataset.open(dataset)
    moment = now or datetime.now(UTC)
    given = embedders or Embedders()
    looks = [_VerifyState(path, moment).go(built, given) for path in paths]
    check_copies([(look.answers, look.found) for look in looks if look.answers is not None])
    return tuple(look.report() for look in looks)


class _VerifyState:
    """One bundle, and what is found in it."""

    def __init__(self, path: Path, now: datetime) -> None:
        self._path = path
        self._now = now
        self.found = Refusals()
        self.answers: Answers | None = None
        self._read: ReadBundle | None = None
        self._outcome: CheckOutcome | None = None

    def go(self, built: BuiltDataset | None, embedders: Embedders) -> _VerifyState:
        with open_contents(self._path, self.found) as contents:
            if contents is None:
                return self
            self._read = read_bundle(contents, self.found)
        if self._read is None:
            return self
        clock = Clock(self._now, self.found)
        check_manifest(self._read, clock, self.found)
        if built is None:
            self.found.remark("no dataset: neither targets nor scores are looked at")
        elif check_data(self._read.bundle, built, self.found) and self._may_go_on():
            self._score(self._read, built, clock, embedders)
        return self

    def _may_go_on(self) -> bool:
        stops = {RefusalKind.CONTRADICTION, RefusalKind.NOT_A_TEST}
        return not any(refusal.kind in stops for refusal in self.found.refusals)

    def _score(self, read: ReadBundle, built: BuiltDataset, clock: Clock, embedders: Embedders) -> None:
        run = read.bundle.run
        name = self._path.name or "bundle"
        if isinstance(run, ExecutionRun):
            self._outcome = check_execution(read, run, built, clock, name, self.found)
        elif isinstance(run, SuggestionRun):
            self._outcome = check_suggestion(read, run, built, embedders, name, self.found)
        if self._outcome is not None:
            self.answers = answers_of(name, read, self._outcome.right)
            remark_uniform(self.answers, self.found)

    def report(self) -> VerifyReport:
        fine = self._outcome is not None and not self.found.refusals
        return VerifyReport(
            path=self._path,
            sha256=self._read.sha256 if self._read else None,
            bundle=self._read.bundle if self._read else None,
            problems=tuple(self.found.refusals),
            more=self.found.more,
            remarks=tuple(self.found.remarks),
            scores=self._outcome.scores if fine and self._outcome else None,
        )
