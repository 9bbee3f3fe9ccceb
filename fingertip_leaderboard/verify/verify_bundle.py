"""Verify bundles: check each in a child process with limits, and compare them with one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.verify.child_process import check_bundles
from fingertip_leaderboard.verify.copies import check_copies
from fingertip_leaderboard.verify.process_limits import VerifyLimits
from fingertip_leaderboard.verify.verify_report import CheckedBundle, VerifyReport


def verify_bundle(
    path: Path, dataset: Path | None, *, now: datetime | None = None, limits: VerifyLimits | None = None
) -> VerifyReport:
    """Verify one bundle; see `verify_bundles`."""
    return verify_bundles([path], dataset, now=now, limits=limits)[0]


def verify_bundles(
    paths: Sequence[Path],
    dataset: Path | None,
    *,
    now: datetime | None = None,
    limits: VerifyLimits | None = None,
) -> tuple[VerifyReport, ...]:
    """Verify bundles, and compare them with one another.

    Args:
        paths: Folders or .zip files.
        dataset: The dataset that the runs must have been made on; without it nothing is scored.
        now: Time of verification; None for the current time.
        limits: Time and memory for each bundle; None for the defaults.

    Raises:
        UsageError: No bundle is given.
        DatasetError: The dataset is missing or broken.
        ModelError: An embedder cannot be loaded.
    """
    if not paths:
        raise UsageError("there is no bundle")
    datasets = () if dataset is None else (BuiltDataset.open(dataset),)
    return tuple(report for report, _ in verify_on(paths, datasets, now=now, limits=limits))


def verify_on(
    paths: Sequence[Path],
    datasets: Sequence[BuiltDataset],
    *,
    now: datetime | None = None,
    limits: VerifyLimits | None = None,
) -> list[tuple[VerifyReport, BuiltDataset | None]]:
    """Verify each bundle once, on the dataset that it names.

    Bundles on the same dataset are also compared with one another.

    Args:
        paths: Folders or .zip files.
        datasets: A bundle that names none of them is verified on the first; without any nothing is scored.
        now: Time of verification; None for the current time.
        limits: Time and memory for each bundle; None for the defaults.

    Returns:
        One report per bundle with its dataset, grouped by dataset and then in the order of `paths`.

    Raises:
        ModelError: An embedder cannot be loaded.
    """
    checked = check_bundles(paths, datasets, now or datetime.now(UTC), limits or VerifyLimits())
    found: list[tuple[VerifyReport, BuiltDataset | None]] = []
    first = datasets[0].manifest.data_sha256 if datasets else None
    for built in datasets or (None,):
        data = built.manifest.data_sha256 if built else None
        members = [one for one in checked if (one.data_sha256 or first) == data]
        found += [(report, built) for report in _compared(members)]
    return found


def _compared(members: Sequence[CheckedBundle]) -> list[VerifyReport]:
    """The reports of bundles on one dataset, with the refusals of copies."""
    found = [
        Refusals(refusals=list(one.report.problems), more=one.report.more, remarks=list(one.report.remarks))
        for one in members
    ]
    check_copies(
        [(one.answers, of) for one, of in zip(members, found, strict=True) if one.answers is not None]
    )
    return [
        replace(
            one.report,
            problems=tuple(of.refusals),
            more=of.more,
            remarks=tuple(of.remarks),
            scores=None if of.refusals else one.report.scores,
        )
        for one, of in zip(members, found, strict=True)
    ]
