"""Verify bundles: run every check in order, recompute the scores, report what is wrong."""

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
    """The result of verifying one bundle.

    Attributes:
        path: Path of the bundle.
        sha256: sha256 of its bundle.json, which names that of every other file; None if it cannot be read.
        bundle: Its bundle.json; None if it cannot be read.
        problems: Reasons for its refusal; empty if it is accepted.
        more: Number of further problems, which are not kept.
        remarks: Notes for readers that are no reason to refuse it.
        scores: Recomputed from the raw outputs; None if it is refused, or without a dataset.
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
        """SR_1, recomputed from the verdicts; None without a judge and on track 2."""
        return self.scores.sr1 if isinstance(self.scores, SuggestionScores) else None

    @property
    def accepted(self) -> bool:
        """Whether no problem was found and its scores were recomputed."""
        return not self.problems and self.scores is not None


def verify_bundle(
    path: Path, dataset: Path | None, *, embedders: Embedders | None = None, now: datetime | None = None
) -> VerifyReport:
    """Verify one bundle; see `verify_bundles`."""
    return verify_bundles([path], dataset, embedders=embedders, now=now)[0]


def verify_bundles(
    paths: Sequence[Path],
    dataset: Path | None,
    *,
    embedders: Embedders | None = None,
    now: datetime | None = None,
) -> tuple[VerifyReport, ...]:
    """Verify bundles, and compare them with one another.

    Args:
        paths: Folders or .zip files.
        dataset: The dataset that the runs must have been made on; without it nothing is scored.
        embedders: Loads the embedders that bundles name, each once.
        now: Time of verification; None for the current time.

    Raises:
        UsageError: No bundle is given.
        DatasetError: The dataset is missing or broken.
        ModelError: An embedder cannot be loaded.
    """
    if not paths:
        raise UsageError("there is no bundle")
    datasets = () if dataset is None else (BuiltDataset.open(dataset),)
    return tuple(report for report, _ in verify_on(paths, datasets, embedders=embedders, now=now))


def verify_on(
    paths: Sequence[Path],
    datasets: Sequence[BuiltDataset],
    *,
    embedders: Embedders | None = None,
    now: datetime | None = None,
) -> list[tuple[VerifyReport, BuiltDataset | None]]:
    """Verify each bundle once, on the dataset that it names.

    Bundles on the same dataset are also compared with one another.

    Args:
        paths: Folders or .zip files.
        datasets: A bundle that names none of them is verified on the first; without any nothing is scored.
        embedders: Loads the embedders that bundles name, each once.
        now: Time of verification; None for the current time.

    Returns:
        One report per bundle with its dataset, grouped by dataset and then in the order of `paths`.

    Raises:
        ModelError: An embedder cannot be loaded.
    """
    moment, given = now or datetime.now(UTC), embedders or Embedders()
    states = [_VerifyState(path, moment).check(datasets, given) for path in paths]
    found: list[tuple[VerifyReport, BuiltDataset | None]] = []
    for built in datasets or (None,):
        members = [state for state in states if state.built is built]
        check_copies([(state.answers, state.found) for state in members if state.answers is not None])
        found += [(state.report(), built) for state in members]
    return found


class _VerifyState:
    """The checks of one bundle and their findings."""

    def __init__(self, path: Path, now: datetime) -> None:
        self._path = path
        self._now = now
        self.found = Refusals()
        self.answers: Answers | None = None
        self.built: BuiltDataset | None = None
        self._read: ReadBundle | None = None
        self._outcome: CheckOutcome | None = None

    def check(self, datasets: Sequence[BuiltDataset], embedders: Embedders) -> _VerifyState:
        self.built = datasets[0] if datasets else None
        with open_contents(self._path, self.found) as contents:
            if contents is None:
                return self
            self._read = read_bundle(contents, self.found)
        if self._read is None:
            return self
        named = self._read.bundle.run.dataset.data_sha256
        self.built = next((one for one in datasets if one.manifest.data_sha256 == named), self.built)
        clock = Clock(self._now, self.found)
        check_manifest(self._read, clock, self.found)
        if self.built is None:
            self.found.remark("no dataset: neither targets nor scores are checked")
        elif check_data(self._read.bundle, self.built, self.found) and self._can_be_scored():
            self._score(self._read, self.built, clock, embedders)
        return self

    def _can_be_scored(self) -> bool:
        stops = {RefusalKind.CONTRADICTION, RefusalKind.NOT_A_TEST}
        return not any(refusal.kind in stops for refusal in self.found.refusals)

    def _score(self, read: ReadBundle, built: BuiltDataset, clock: Clock, embedders: Embedders) -> None:
        run = read.bundle.run
        name = self._path.name or "bundle"
        if isinstance(run, ExecutionRun):
            self._outcome = check_execution(read, run, built, clock, self._path, self.found)
        elif isinstance(run, SuggestionRun):
            self._outcome = check_suggestion(read, run, built, embedders, self._path, self.found)
        if self._outcome is not None:
            self.answers = answers_of(name, read, self._outcome.right)
            remark_uniform(self.answers, self.found)

    def report(self) -> VerifyReport:
        valid = self._outcome is not None and not self.found.refusals
        return VerifyReport(
            path=self._path,
            sha256=self._read.sha256 if self._read else None,
            bundle=self._read.bundle if self._read else None,
            problems=tuple(self.found.refusals),
            more=self.found.more,
            remarks=tuple(self.found.remarks),
            scores=self._outcome.scores if valid and self._outcome else None,
        )
