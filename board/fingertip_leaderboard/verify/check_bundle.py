"""Run every check of one bundle in order and recompute its scores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from execution_runner.execution_records import ExecutionRun
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.contents import open_contents
from fingertip_leaderboard.bundle.read import ReadBundle, read_bundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.check_outcome import CheckOutcome, Embedders
from fingertip_leaderboard.verify.checks.check_card import remark_card
from fingertip_leaderboard.verify.checks.check_manifest import check_manifest
from fingertip_leaderboard.verify.checks.check_names import remark_names
from fingertip_leaderboard.verify.checks.check_times import check_order_of_time
from fingertip_leaderboard.verify.checks.check_tries import check_same_run, remark_equal_tries
from fingertip_leaderboard.verify.checks.coverage import check_data
from fingertip_leaderboard.verify.checks.stated_moments import Clock
from fingertip_leaderboard.verify.copies import (
    Answers,
    collect_answers,
    refuse_copied_tries,
    remark_uniform,
)
from fingertip_leaderboard.verify.verify_report import CheckedBundle, VerifyReport
from suggestion_runner.suggestion_records import SuggestionRun


def check_bundle(
    path: Path, datasets: Sequence[BuiltDataset], embedders: Embedders, now: datetime
) -> CheckedBundle:
    """Check one bundle on the dataset that it names, in this process and without limits.

    Args:
        path: Folder or .zip of the bundle.
        datasets: A bundle that names none of them is verified on the first; without any nothing is scored.
        embedders: Loads the embedders that bundles name, each once.
        now: Time of verification.
    """
    return _Checks(path, now).check(datasets, embedders).result()


class _Checks:
    """The checks of one bundle and their findings."""

    def __init__(self, path: Path, now: datetime) -> None:
        self._path = path
        self._now = now
        self._found = Refusals()
        self._answers: list[Answers] = []
        self._built: BuiltDataset | None = None
        self._read: ReadBundle | None = None
        self._outcomes: list[CheckOutcome] = []

    def check(self, datasets: Sequence[BuiltDataset], embedders: Embedders) -> _Checks:
        self._built = datasets[0] if datasets else None
        with open_contents(self._path, self._found) as contents:
            if contents is None:
                return self
            self._read = read_bundle(contents, self._found)
        if self._read is None:
            return self
        named = self._read.bundle.run.dataset.data_sha256
        self._built = next((one for one in datasets if one.manifest.data_sha256 == named), self._built)
        clock = Clock(self._now, self._found)
        check_manifest(self._read, clock, self._found)
        for one in self._read.tries:
            self._found.move_to(one.folder)
            check_manifest(one, clock, self._found)
            check_order_of_time(one, self._now, self._found)
        self._found.move_to("")
        check_order_of_time(self._read, self._now, self._found)
        remark_names(self._read.bundle, self._found)
        remark_card(self._read, self._found)
        check_same_run(self._read, self._found)
        remark_equal_tries(self._read, self._found)
        if self._built is None:
            self._found.remark("no dataset: neither targets nor scores are checked")
            return self
        for one in (self._read, *self._read.tries):
            self._found.move_to(one.folder)
            if check_data(one.bundle.run, self._built, self._found) and self._can_be_scored():
                self._score(one, self._built, clock, embedders)
        self._found.move_to("")
        refuse_copied_tries(self._answers, self._found)
        return self

    def _can_be_scored(self) -> bool:
        stops = {RefusalKind.CONTRADICTION, RefusalKind.NOT_A_TEST, RefusalKind.OLDER_VERSION}
        return not any(refusal.kind in stops for refusal in self._found.refusals)

    def _score(self, read: ReadBundle, built: BuiltDataset, clock: Clock, embedders: Embedders) -> None:
        run = read.bundle.run
        name = self._path.name or "bundle"
        outcome = None
        # each track needs modules that the other does not, such as the simulated phone
        if isinstance(run, ExecutionRun):
            with embedders.while_loading():
                from fingertip_leaderboard.verify.check_execution import check_execution

            outcome = check_execution(read, run, built, clock, self._path, self._found)
        elif isinstance(run, SuggestionRun):
            with embedders.while_loading():
                from fingertip_leaderboard.verify.check_suggestion import check_suggestion

            outcome = check_suggestion(read, run, built, embedders, self._path, self._found)
        if outcome is not None:
            self._outcomes.append(outcome)
            self._answers.append(collect_answers(name, read, outcome.right))
            remark_uniform(self._answers[-1], self._found)

    def result(self) -> CheckedBundle:
        scores = [one.scores for one in self._outcomes if one.scores is not None]
        wanted = 1 + len(self._read.tries) if self._read else 0
        valid = not self._found.refusals and 0 < wanted == len(scores)
        report = VerifyReport(
            path=self._path,
            sha256=self._read.sha256 if self._read else None,
            bundle=self._read.bundle if self._read else None,
            problems=tuple(self._found.refusals),
            more=self._found.more,
            remarks=tuple(self._found.remarks),
            scores=scores[0] if valid else None,
            tries=tuple(scores[1:]) if valid else (),
        )
        data = self._built.manifest.data_sha256 if self._built else None
        answers = self._answers
        return CheckedBundle(
            report=report,
            answers=answers[0] if answers else None,
            more_answers=tuple(answers[1:]),
            data_sha256=data,
        )
