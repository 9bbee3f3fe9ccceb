"""Verify bundles: check each in a child process with limits, and compare them with one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations, count
from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.task_lists import describe_section
from fingertip_leaderboard.verify.confusables import name_keys
from fingertip_leaderboard.verify.copies import NearCopy, find_near_copies
from fingertip_leaderboard.verify.process.child_process import check_bundles
from fingertip_leaderboard.verify.process.process_limits import VerifyLimits
from fingertip_leaderboard.verify.verify_cache import VerifyCache
from fingertip_leaderboard.verify.verify_report import CheckedBundle, NearMark, VerifyReport


@accept_path_texts
def verify_bundle(
    path: Path, dataset: Path | None, *, now: datetime | None = None, limits: VerifyLimits | None = None
) -> VerifyReport:
    """Verify one bundle; see `verify_bundles`."""
    return verify_bundles([path], dataset, now=now, limits=limits)[0]


@accept_path_texts
def verify_bundles(
    paths: Sequence[Path],
    dataset: Path | None,
    *,
    now: datetime | None = None,
    limits: VerifyLimits | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[VerifyReport, ...]:
    """Verify bundles, and compare them with one another.

    Args:
        paths: Folders or .zip files.
        dataset: The dataset that the runs must have been made on; without it nothing is scored.
        now: Time of verification; None for the current time.
        limits: Time and memory for each bundle; None for the defaults.
        on_progress: Called with the number of bundles verified and their total, at the start and after each.

    Raises:
        UsageError: No bundle is given.
        DatasetError: The dataset is missing or broken.
    """
    if not paths:
        raise UsageError("there is no bundle")
    datasets = () if dataset is None else (BuiltDataset.open(dataset),)
    return tuple(
        report for report, _ in verify_on(paths, datasets, now=now, limits=limits, on_progress=on_progress)
    )


def verify_on(
    paths: Sequence[Path],
    datasets: Sequence[BuiltDataset],
    *,
    now: datetime | None = None,
    limits: VerifyLimits | None = None,
    cache: VerifyCache | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[tuple[VerifyReport, BuiltDataset | None]]:
    """Verify each bundle once, on the dataset that it names.

    Accepted bundles on the same dataset are also compared with one another, and marked where they are near.

    Args:
        paths: Folders or .zip files.
        datasets: A bundle that names none of them is verified on the first; without any nothing is scored.
        now: Time of verification; None for the current time.
        limits: Time and memory for each bundle; None for the defaults.
        cache: Accepted bundles of earlier calls; None to verify every bundle.
        on_progress: Called as in `verify_bundles`.

    Returns:
        One report per bundle with its dataset, grouped by dataset and then in the order of `paths`.
    """
    report = on_progress or (lambda _done, _total: None)
    checked = _check_uncached(
        paths, datasets, now or datetime.now(UTC), limits or VerifyLimits(), cache, report
    )
    found: list[tuple[VerifyReport, BuiltDataset | None]] = []
    first = datasets[0].manifest.data_sha256 if datasets else None
    for built in datasets or (None,):
        data = built.manifest.data_sha256 if built else None
        members = [one for one in checked if (one.data_sha256 or first) == data]
        found += [(report, built) for report in _mark_near_bundles(members)]
    return found


def _check_uncached(
    paths: Sequence[Path],
    datasets: Sequence[BuiltDataset],
    now: datetime,
    limits: VerifyLimits,
    cache: VerifyCache | None,
    on_progress: Callable[[int, int], None],
) -> list[CheckedBundle]:
    """The checked bundles, in the order of `paths`; those of the cache are not checked again."""
    found: dict[Path, CheckedBundle] = {}
    done = count(1)

    def report() -> None:
        on_progress(len(found) + next(done), len(paths))

    if cache is None:
        on_progress(0, len(paths))
        return check_bundles(paths, datasets, now, limits, report)
    keys = {path: cache.key(path, datasets) for path in paths}
    for path, key in keys.items():
        known = cache.get(key, path) if key else None
        if known is not None:
            found[path] = known
    on_progress(len(found), len(paths))
    new = [path for path in paths if path not in found]
    results = check_bundles(new, datasets, now, limits, report) if new else ()
    for path, checked in zip(new, results, strict=True):
        found[path] = checked
        key = keys[path]
        # a bundle that changed meanwhile is not the one that was checked
        if key and cache.key(path, datasets) == key:
            cache.put(key, checked)
    return [found[path] for path in paths]


def _mark_near_bundles(members: Sequence[CheckedBundle]) -> list[VerifyReport]:
    """The reports of bundles on one dataset, with marks on both of two that are near one another."""
    # a refused bundle is not shown, so that a forged one cannot put a mark on an honest one
    shown = [one for one in members if one.report.accepted and one.answers is not None]
    marks: dict[int, list[NearMark]] = {id(one): [] for one in shown}
    pairs = [*_find_copies(shown), *_find_same_names(shown)]
    for pair in pairs:
        one, other = shown[pair.one], shown[pair.other]
        if one.report.sha256 == other.report.sha256:
            continue  # the same bundle twice is listed once
        for mine, near in ((one, other), (other, one)):
            if near.report.sha256 is not None:
                mark = NearMark(
                    kind=pair.kind,
                    other=near.report.sha256,
                    other_name=printable(near.report.path.name),
                    same=pair.same,
                    of=pair.of,
                )
                marks[id(mine)].append(mark)
    return [replace(one.report, marks=tuple(marks.get(id(one), ()))) for one in members]


def _find_copies(shown: Sequence[CheckedBundle]) -> Iterator[NearCopy]:
    """Pairs of bundles that are near one another, each once, whichever of their tries are."""
    answers = [
        (place, tries)
        for place, one in enumerate(shown)
        for tries in (one.answers, *one.more_answers)
        if tries is not None
    ]
    found: dict[tuple[int, int], NearCopy] = {}
    for pair in find_near_copies([tries for _, tries in answers]):
        one, other = answers[pair.one][0], answers[pair.other][0]
        # tries of one bundle may well be alike, such as all at temperature 0
        if one != other and (one, other) not in found:
            found[one, other] = replace(pair, one=one, other=other)
    yield from found.values()


def _find_same_names(shown: Sequence[CheckedBundle]) -> Iterator[NearCopy]:
    """Pairs of bundles of one section whose names look alike."""
    bundles = [one.report.bundle for one in shown if one.report.bundle]
    names = [(describe_section(bundle.run), name_keys(bundle.card.name)) for bundle in bundles]
    for (one, (section, keys)), (other, (others_section, others)) in combinations(enumerate(names), 2):
        if section == others_section and keys & others:
            yield NearCopy(one=one, other=other, kind="name", same=0, of=0)
