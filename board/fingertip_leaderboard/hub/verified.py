"""Verified bundles for a push, with exactly the bytes that were verified."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from fingertip_dataset.errors import HubError
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.claims import (
    average_claims,
    make_execution_claims,
    make_moment_claims,
    make_suggestion_claims,
)
from fingertip_leaderboard.bundle.contents import open_contents
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.bundle.schema import Bundle, Claims, MomentClaims, SuggestionClaims
from fingertip_leaderboard.verify.check_outcome import AnyScores
from fingertip_leaderboard.verify.verify_report import VerifyReport
from suggestion_runner.moments.moment_run_scores import MomentRunScores

MOST_BYTES = 1 << 30
"""Maximum bytes of all files: they are kept in memory, so that the verified bytes are the ones sent."""

MOST_FILES = 10_000
"""Maximum number of files of a pull request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A verified bundle.

    Attributes:
        bundle: Content of bundle.json.
        sha256: sha256 of bundle.json.
        scores: Recomputed scores.
        contents: Name of each file -> its bytes.
    """

    bundle: Bundle
    sha256: str
    scores: Claims
    contents: Mapping[str, bytes]

    @classmethod
    def of(cls, report: VerifyReport) -> Verified:
        """Load the bundle of a report.

        Raises:
            HubError: It was refused, not scored, or changed since, or is too large for a pull request.
        """
        if not report.accepted or report.bundle is None or report.sha256 is None:
            got = f"a refused one, {report.problems[0]}" if report.problems else "one without scores"
            raise HubError(f"expected a bundle that was verified on the dataset, got {got}", file=report.path)
        contents = _read_contents(report.path)
        hashes = {name: record.sha256 for name, record in report.bundle.files.items()} | {
            BUNDLE: report.sha256
        }
        # the bytes that are sent are the ones in memory, so these are hashed
        if hashes != {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}:
            raise HubError("the bundle changed since it was verified", file=report.path)
        return cls(
            bundle=report.bundle,
            sha256=report.sha256,
            scores=_scores(report, report.bundle),
            contents=contents,
        )


def _read_contents(path: Path) -> dict[str, bytes]:
    found = Refusals()
    with open_contents(path, found) as opened:
        if opened is None:
            raise HubError(f"the verified bundle cannot be read any more: {found.refusals[0]}", file=path)
        size = sum(opened.sizes.values())
        if size > MOST_BYTES or len(opened.sizes) > MOST_FILES:
            most = f"{MOST_BYTES:,} bytes in {MOST_FILES:,} files"
            got = f"{size:,} in {len(opened.sizes):,}: leave the trajectories out"
            raise HubError(f"a pull request takes at most {most}, got {got}", file=path)
        try:
            return {name: opened.read(name) for name in opened.sizes}
        except OSError as error:
            raise HubError(f"the verified bundle cannot be read any more: {error}", file=path) from error


def _scores(report: VerifyReport, bundle: Bundle) -> Claims:
    """The recomputed scores as claims, of several tries their means."""
    tries = [_make_claims(one, bundle) for one in report.all_tries]
    if not tries or None in tries:
        raise HubError("the scores are not of the bundle's track", file=report.path)
    return average_claims([one for one in tries if one is not None])


def _make_claims(scores: AnyScores, bundle: Bundle) -> Claims | None:
    if isinstance(scores, ExecutionScores):
        return make_execution_claims(scores)
    if isinstance(scores, MomentRunScores):
        claimed = bundle.scores
        if not isinstance(claimed, MomentClaims):
            return None
        return make_moment_claims(scores.result, claimed.embedder, claimed.protocol)
    if not isinstance(bundle.scores, SuggestionClaims):
        return None
    return make_suggestion_claims(scores.result, bundle.scores.embedder, scores.sr1, scores.answers)
