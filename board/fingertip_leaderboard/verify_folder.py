"""Verify a folder of bundles: recomputed scores, and refusals with reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.source import source
from fingertip_dataset.path_kinds import explain_missing, explain_wrong_path
from fingertip_dataset.release.problems import printable
from fingertip_dataset.times import now_text
from fingertip_leaderboard.bundle.bundle_files import BUNDLE, LIMITS
from fingertip_leaderboard.bundle.content_hash import hash_content
from fingertip_leaderboard.bundle.refusal import Refusal, RefusalKind
from fingertip_leaderboard.decisions import Ruling
from fingertip_leaderboard.repeated_submission import make_submission
from fingertip_leaderboard.submission import SubmissionOrigin, describe_benchmark
from fingertip_leaderboard.submission_order import SubmissionOrder
from fingertip_leaderboard.task_groups import TaskGroups
from fingertip_leaderboard.verified_records import (
    Benchmark,
    Mark,
    RefusalRecord,
    Refused,
    Removed,
    Submission,
    VerifiedResults,
)
from fingertip_leaderboard.verify.process.process_limits import VerifyLimits
from fingertip_leaderboard.verify.verify_bundle import verify_on
from fingertip_leaderboard.verify.verify_cache import VerifyCache
from fingertip_leaderboard.verify.verify_report import VerifyReport

MOST_REASONS = 20
"""Maximum number of reasons kept per refused bundle; further ones are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Data:
    """A dataset for verification, and its record in verified.json."""

    built: BuiltDataset
    benchmark: Benchmark
    groups: TaskGroups


def verify_folder(
    folder: Path,
    datasets: Sequence[Path],
    *,
    limits: VerifyLimits | None = None,
    now: datetime | None = None,
    order: SubmissionOrder | None = None,
    decisions: Mapping[str, Ruling] | None = None,
    cache: VerifyCache | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> VerifiedResults:
    """Verify every bundle of a folder, each on the dataset that it names.

    Nothing but the bundles is read from the folder, and nothing is written into it.

    Args:
        folder: Folder of bundles (folders and .zip files); hidden entries and other files are ignored.
        datasets: Folders of datasets that `fingertip build` made.
        limits: Time and memory for each bundle; None for the defaults.
        now: Time of verification; None for the current time.
        order: Order of submission; None if it is unknown.
        decisions: Decisions of the maintainers: sha256 of a bundle.json -> decision.
        cache: Accepted bundles of earlier calls; None to verify every bundle.
        on_progress: Called with the number of bundles verified and their total, at the start and after each.

    Raises:
        UsageError: No bundle or no dataset is given, or one dataset twice; an accepted bundle has no place
            in a complete order, or a decision is about none of them.
        DatasetError: A dataset is missing or broken.
    """
    paths = list_bundles(folder)
    known = _open(datasets)
    given = {printable(path.name): hash_content(path) for path in paths}
    opened = [data.built for data in known.values()]
    verified = verify_on(paths, opened, limits=limits, now=now, cache=cache, on_progress=on_progress)
    reports = [(report, known[built.manifest.data_sha256]) for report, built in verified if built is not None]
    return _collect_results(reports, known, given, order or SubmissionOrder(), decisions or {})


def list_bundles(folder: Path) -> list[Path]:
    """Paths of the bundles in a folder, sorted by name; their contents are not checked.

    Raises:
        UsageError: The folder has no bundle.
    """
    if not folder.exists():
        raise UsageError(explain_missing(folder, "a folder of bundles"), file=folder)
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
    if wrong := explain_wrong_path(folder, "a folder of bundles"):
        raise UsageError(wrong, file=folder)
    if not found:
        raise UsageError("the folder holds no bundles (folders or .zip files)", file=folder)
    return found


def read_heads(folder: Path) -> dict[str, bytes]:
    """Name of each bundle's folder -> content of its bundle.json; those of archives and links are left out.

    Raises:
        UsageError: The folder has no bundle.
    """
    heads = {path.name: path / BUNDLE for path in list_bundles(folder) if not path.is_symlink()}
    return {
        name: head.read_bytes()
        for name, head in heads.items()
        if not head.is_symlink() and head.is_file() and head.stat().st_size <= LIMITS[BUNDLE]
    }


def _open(datasets: Iterable[Path]) -> dict[str, _Data]:
    found: dict[str, _Data] = {}
    for path in datasets:
        built = BuiltDataset.open(path)
        if built.manifest.data_sha256 in found:
            raise UsageError("a dataset is given twice: name each dataset once", file=path)
        found[built.manifest.data_sha256] = _Data(
            built=built, benchmark=describe_benchmark(built), groups=TaskGroups(built)
        )
    if not found:
        raise UsageError("a dataset is needed: scores are recomputed from its targets")
    return found


def _collect_results(
    reports: Sequence[tuple[VerifyReport, _Data]],
    known: Mapping[str, _Data],
    given: Mapping[str, str],
    order: SubmissionOrder,
    decisions: Mapping[str, Ruling],
) -> VerifiedResults:
    submissions: dict[str, Submission] = {}
    refused = []
    for report, data in reports:
        submission = _make_submission(report, data)
        if submission is None:
            refused.append(_make_refused(report, report.problems))
        elif submission.sha256 in submissions:
            same = submissions[submission.sha256].file
            copied = Refusal(
                kind=RefusalKind.COPIED_RUN,
                reason=f"the bundle is the same as {same}, which is listed",
                file="",
            )
            refused.append(_make_refused(report, (copied,)))
        else:
            order.check(submission.sha256, submission.file)
            submissions[submission.sha256] = _add_marks(submission, report, order, decisions)
    removed = tuple(_find_removed(submissions, decisions))
    gone = {one.sha256 for one in removed}
    return VerifiedResults(
        checked=now_text(),
        source=source(),
        benchmarks=tuple(sorted((data.benchmark for data in known.values()), key=lambda it: it.name)),
        given=dict(given),
        submissions=tuple(
            one.model_copy(update={"marks": tuple(mark for mark in one.marks if mark.other not in gone)})
            for one in submissions.values()
            if one.sha256 not in gone
        ),
        refused=tuple(refused),
        removed=removed,
        order=order.source,
    )


def _add_marks(
    submission: Submission,
    report: VerifyReport,
    order: SubmissionOrder,
    decisions: Mapping[str, Ruling],
) -> Submission:
    """The submission with its marks, its time of submission, and the decision on it."""
    decision = decisions.get(submission.sha256)
    marks = (
        Mark(
            kind=mark.kind,
            other=mark.other,
            same=mark.same,
            of=mark.of,
            earlier=order.earlier(submission.sha256, mark.other),
        )
        for mark in report.marks
    )
    return submission.model_copy(
        update={
            "submitted": order.shown.get(submission.sha256),
            "page": order.pages.get(submission.sha256),
            "marks": tuple(marks),
            "kept": decision.reason if decision and decision.decision == "keep" else None,
        }
    )


def _find_removed(
    submissions: Mapping[str, Submission], decisions: Mapping[str, Ruling]
) -> Iterator[Removed]:
    for sha256, decision in decisions.items():
        one = submissions.get(sha256)
        if one is None:
            raise UsageError(f"a decision is about {sha256}, which is no accepted submission of this folder")
        if decision.decision == "remove":
            yield Removed(sha256=sha256, file=one.file, name=one.card.name, reason=decision.reason)


def _make_submission(report: VerifyReport, data: _Data) -> Submission | None:
    """The submission of an accepted bundle; None for a refused one."""
    if not report.accepted or report.bundle is None or report.sha256 is None or report.scores is None:
        return None
    origin = SubmissionOrigin(
        bundle=report.bundle,
        sha256=report.sha256,
        file=printable(report.path.name),
        groups=data.groups,
        benchmark=data.benchmark,
        built=data.built,
    )
    found = make_submission(origin, report.all_tries)
    return found.model_copy(update={"remarks": (*found.remarks, *report.remarks)})


def _make_refused(report: VerifyReport, problems: Sequence[Refusal]) -> Refused:
    return Refused(
        sha256=report.sha256,
        file=printable(report.path.name),
        reasons=tuple(
            RefusalRecord(file=one.file, line=one.line, reason=one.reason, kind=one.kind.value)
            for one in problems[:MOST_REASONS]
        ),
        more=max(0, len(problems) - MOST_REASONS) + report.more,
    )
