"""Verify a folder of bundles: recomputed scores, and refusals with reasons."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.source import source
from fingertip_dataset.release.problems import printable
from fingertip_dataset.times import now_text
from fingertip_leaderboard.bundle.refusal import Refusal, RefusalKind
from fingertip_leaderboard.submission import (
    SubmissionOrigin,
    benchmark_of,
    execution_submission,
    suggestion_submission,
)
from fingertip_leaderboard.verified_records import (
    Benchmark,
    RefusalRecord,
    Refused,
    Submission,
    VerifiedResults,
)
from fingertip_leaderboard.verify.process_limits import VerifyLimits
from fingertip_leaderboard.verify.verify_bundle import verify_on
from fingertip_leaderboard.verify.verify_report import VerifyReport

MOST_REASONS = 20
"""Maximum number of reasons kept per refused bundle; further ones are only counted."""

CHUNK = 1 << 20
"""Bytes read at a time for a hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Data:
    """A dataset for verification, and its record in verified.json."""

    built: BuiltDataset
    benchmark: Benchmark


def verify_folder(
    folder: Path,
    datasets: Sequence[Path],
    *,
    limits: VerifyLimits | None = None,
    now: datetime | None = None,
) -> VerifiedResults:
    """Verify every bundle of a folder, each on the dataset that it names.

    Nothing but the bundles is read from the folder, and nothing is written into it.

    Args:
        folder: Folder of bundles (folders and .zip files); hidden entries and other files are ignored.
        datasets: Folders of datasets that `fingertip build` made.
        limits: Time and memory for each bundle; None for the defaults.
        now: Time of verification; None for the current time.

    Raises:
        UsageError: No bundle or no dataset is given, or one dataset twice.
        DatasetError: A dataset is missing or broken.
        ModelError: An embedder cannot be loaded.
    """
    paths = bundles_in(folder)
    known = _open(datasets)
    given = {printable(path.name): content_sha256(path) for path in paths}
    reports = _verified(paths, known, limits, now)
    return _results(reports, known, given)


def bundles_in(folder: Path) -> list[Path]:
    """Paths of the bundles in a folder, sorted by name; their contents are not checked.

    Raises:
        UsageError: The folder has no bundle.
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise UsageError(
            f"the folder of bundles cannot be read: {error.strerror or error}", file=folder
        ) from error
    found = [
        path
        for path in entries
        if not path.name.startswith(".") and (path.is_dir() or path.suffix.casefold() == ".zip")
    ]
    if not found:
        raise UsageError("the folder holds no bundles (folders or .zip files)", file=folder)
    return found


def content_sha256(path: Path) -> str:
    """sha256 over a bundle's file names, file types and contents; links are not followed.

    Args:
        path: Folder or .zip of the bundle.
    """
    digest = hashlib.sha256()
    for file in [path, *sorted(path.rglob("*"))] if path.is_dir() and not path.is_symlink() else [path]:
        mode = file.lstat().st_mode
        head = f"{os.fsencode(file.relative_to(path)).hex()} {stat.S_IFMT(mode):o}\n"
        digest.update(head.encode())
        if stat.S_ISLNK(mode):
            digest.update(os.fsencode(file.readlink()))
        elif stat.S_ISREG(mode):
            digest.update(_sha256(file))
    return digest.hexdigest()


def _sha256(file: Path) -> bytes:
    digest = hashlib.sha256()
    try:
        with file.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
    except OSError as error:
        # the verifier reports the error; here only the hash has to differ
        return f"unreadable: {error.errno}".encode()
    return digest.digest()


def _open(datasets: Iterable[Path]) -> dict[str, _Data]:
    found: dict[str, _Data] = {}
    for path in datasets:
        built = BuiltDataset.open(path)
        if built.manifest.data_sha256 in found:
            raise UsageError("one dataset is given twice", file=path)
        found[built.manifest.data_sha256] = _Data(built=built, benchmark=benchmark_of(built))
    if not found:
        raise UsageError("a dataset is needed: scores are recomputed from its targets")
    return found


def _verified(
    paths: Sequence[Path], known: Mapping[str, _Data], limits: VerifyLimits | None, now: datetime | None
) -> list[tuple[VerifyReport, _Data]]:
    """One report per bundle, with the dataset that it was verified on."""
    datasets = [data.built for data in known.values()]
    return [
        (report, known[built.manifest.data_sha256])
        for report, built in verify_on(paths, datasets, limits=limits, now=now)
        if built is not None
    ]


def _results(
    reports: Sequence[tuple[VerifyReport, _Data]], known: Mapping[str, _Data], given: Mapping[str, str]
) -> VerifiedResults:
    submissions: dict[str, Submission] = {}
    refused = []
    for report, data in reports:
        submission = _submission(report, data)
        if submission is None:
            refused.append(_refused(report, report.problems))
        elif submission.sha256 in submissions:
            same = submissions[submission.sha256].file
            copied = Refusal(
                kind=RefusalKind.COPIED_RUN,
                reason=f"the bundle is the same as {same}",
                file="",
            )
            refused.append(_refused(report, (copied,)))
        else:
            submissions[submission.sha256] = submission
    return VerifiedResults(
        checked=now_text(),
        source=source(),
        benchmarks=tuple(sorted((data.benchmark for data in known.values()), key=lambda it: it.name)),
        given=dict(given),
        submissions=tuple(submissions.values()),
        refused=tuple(refused),
    )


def _submission(report: VerifyReport, data: _Data) -> Submission | None:
    """The submission of an accepted bundle; None for a refused one."""
    if not report.accepted or report.bundle is None or report.sha256 is None or report.scores is None:
        return None
    origin = SubmissionOrigin(
        bundle=report.bundle,
        sha256=report.sha256,
        file=printable(report.path.name),
        built=data.built,
        benchmark=data.benchmark,
    )
    if isinstance(report.scores, ExecutionScores):
        found = execution_submission(origin, report.scores)
    else:
        found = suggestion_submission(origin, report.scores, report.sr1)
    return found.model_copy(update={"remarks": (*found.remarks, *report.remarks)})


def _refused(report: VerifyReport, problems: Sequence[Refusal]) -> Refused:
    return Refused(
        sha256=report.sha256,
        file=printable(report.path.name),
        reasons=tuple(
            RefusalRecord(file=one.file, line=one.line, reason=one.reason, kind=one.kind.value)
            for one in problems[:MOST_REASONS]
        ),
        more=max(0, len(problems) - MOST_REASONS) + report.more,
    )
