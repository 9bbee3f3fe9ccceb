"""A scan of a raw release or a built dataset for private parts, into a report folder.

1. Groups of episodes are read in any process: OCR, faces, codes, and names for the rosters (`read_group`).
2. When all are read, each person gets a roster of names, and private parts are found (`find_in_group`).
3. The finds of all groups and of the tables become finds.jsonl; report.json is written last.

Files of finished groups are kept in the report's folder until then, so a stopped scan goes on.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Literal

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.engines import Engine, open_worker_pool
from fingertip_dataset.parquet.manifest import MANIFEST, TABLES
from fingertip_dataset.parquet.staging_lock import staging_lock
from fingertip_dataset.release.episode_folders import find_episodes
from fingertip_dataset.release.raw_folder import RawFolder
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.user_folders import find_users
from fingertip_privacy.finds import (
    FINDS,
    REPORT,
    Find,
    FindKind,
    ScanProblem,
    ScanReport,
    count_finds,
    private_file,
    read_report,
    write_report,
)
from fingertip_privacy.scan.episode_finds import FindJob, find_in_group
from fingertip_privacy.scan.face_boxes import find_weights
from fingertip_privacy.scan.roster import Roster, make_roster
from fingertip_privacy.scan.scan_inputs import MomentsUnit, RawUnit, ShardUnit, Unit, list_moment_units
from fingertip_privacy.scan.scan_settings import ScanSettings
from fingertip_privacy.scan.screen_readings import ScanJob, read_group, read_stored_readings
from fingertip_privacy.scan.table_finds import find_in_simulations, table_finds
from fingertip_privacy.source_fingerprint import dataset_fingerprint, source_fingerprint, tables_of

EPISODES_AT_ONCE = 8
"""Episodes of a group of a raw release: a minute of work, so that little is lost by a stop."""

STAGING = "unfinished"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanPlan:
    """All groups of a scan.

    Attributes:
        source: The folder, as given.
        kind: "raw" or "dataset".
        tables: Folder of a release's tables; None without.
        fingerprint: Fingerprint of the data.
        jobs: The groups.
        problems: What is no part of an episode and was not scanned.
    """

    source: Path
    kind: Literal["raw", "dataset"]
    tables: Path | None
    fingerprint: str
    jobs: tuple[ScanJob, ...]
    problems: tuple[ScanProblem, ...] = ()


def scan(
    source: Path,
    report: Path | None,
    settings: ScanSettings | None = None,
    *,
    tables: Path | None = None,
    engine: Engine = "local",
    workers: int = 1,
    part: tuple[int, int] | None = None,
    on_progress: Progress | None = None,
) -> ScanReport | None:
    """Find the private parts of a raw release or a built dataset.

    Args:
        source: The release or the dataset.
        report: Folder of the report; None keeps nothing but the returned counts.
        settings: What is looked for.
        tables: Folder of the release's tables; None looks for them in `source` and beside it.
        engine: "local" or "ray"; for Ray on several machines the report's folder must be shared.
        workers: Number of processes, or of concurrent Ray tasks.
        part: (i, n) reads only part i of n of the groups; the call that finds all of them read goes on.
        on_progress: Callback with a stage, groups done and in total.

    Returns:
        The report; None if other parts are still missing.

    Raises:
        UsageError: The source is neither a release nor a dataset, or the folder has another report.
        MissingExtraError: A package of the extra is not installed.
        DatasetError: A shard cannot be read, or a worker was lost.
    """
    settings = settings or ScanSettings()
    check_installed(settings)
    plan = plan_scan(source, settings, tables=tables)
    with _report_folder(report) as folder:
        if (done := _find_finished(folder, plan, settings)) is not None:
            return done
        return _Scan(plan, settings, folder, engine, workers, on_progress).carry_out(part)


def check_installed(settings: ScanSettings) -> None:
    """Check that what the settings need is installed, before anything is read.

    Raises:
        MissingExtraError: A package is missing; the message names the extra.
    """
    needed = {
        "faster-paddle": ("faster_paddle", settings.ocr != "none"),
        "zxing-cpp": ("zxingcpp", FindKind.QR_CODE in settings.kinds),
        "phonenumbers": ("phonenumbers", FindKind.PHONE in settings.kinds),
        "onnxruntime": ("onnxruntime", FindKind.FACE in settings.kinds),
    }
    for package, (module, wanted) in needed.items():
        if wanted and find_spec(module) is None:
            raise MissingExtraError(package, "privacy")
    if FindKind.FACE in settings.kinds:
        find_weights()


def plan_scan(source: Path, settings: ScanSettings, *, tables: Path | None = None) -> ScanPlan:
    """List the groups of a release or a dataset.

    Raises:
        UsageError: The folder is neither.
        DatasetError: The dataset is incomplete.
    """
    if (source / MANIFEST).is_file():
        return _plan_dataset(source, settings)
    return _plan_raw(source, settings, tables)


def _plan_raw(source: Path, settings: ScanSettings, tables: Path | None) -> ScanPlan:
    place = tables_of(source, tables)
    release = read_release(source, place)
    raw = RawFolder.open(source)
    users, _ = find_users(raw)
    folders, _ = find_episodes(raw, users)
    moments = list(list_moment_units(users))
    known = {str(episode.folder): episode for episode in release.episodes}
    units = []
    for folder in folders:
        episode = known.get(folder.path)
        steps = {
            path: number
            for number, step in enumerate(episode.steps if episode else ())
            for path in (step.screenshot, step.tree)
            if path is not None
        }
        app = episode.intent.app if episode else ""
        units.append(
            RawUnit(user=folder.user_id, episode=folder.episode_id, folder=folder.path, app=app, steps=steps)
        )
    # beside the episodes: files that no episode holds are named by `fingertip check`
    problems = tuple(
        ScanProblem(detail=f"not scanned: {problem.detail}", file=problem.file or "")
        for problem in release.problems
        if problem.kind.value == "unexpected_file" and not _within(problem.file, (*units, *moments))
    )
    fingerprint = source_fingerprint(source, tables)
    groups: list[Sequence[Unit]] = [
        *(units[at : at + EPISODES_AT_ONCE] for at in range(0, len(units), EPISODES_AT_ONCE)),
        *([unit] for unit in moments),
    ]
    jobs = _make_jobs(release.root, groups, fingerprint, settings)
    return ScanPlan(
        source=source, kind="raw", tables=place, fingerprint=fingerprint, jobs=jobs, problems=problems
    )


def _within(file: str | None, units: Sequence[RawUnit | MomentsUnit]) -> bool:
    return file is not None and any(file.startswith(f"{unit.folder}/") for unit in units)


def _plan_dataset(source: Path, settings: ScanSettings) -> ScanPlan:
    import pyarrow.parquet as pq

    built = BuiltDataset.open(source)
    units = []
    for shard in built.manifest.screen_shards:
        with pq.ParquetFile(source / shard.file) as parquet:
            units += [
                ShardUnit(file=shard.file, group=number, config=shard.config)
                for number in range(parquet.num_row_groups)
            ]
    fingerprint = dataset_fingerprint(built.manifest)
    jobs = _make_jobs(source.resolve(), [[unit] for unit in units], fingerprint, settings)
    return ScanPlan(source=source, kind="dataset", tables=None, fingerprint=fingerprint, jobs=jobs)


def _make_jobs(
    root: Path, groups: Sequence[Sequence[Unit]], fingerprint: str, settings: ScanSettings
) -> tuple[ScanJob, ...]:
    whole = hashlib.sha256(f"{fingerprint} {settings.model_dump_json()}".encode()).hexdigest()
    return tuple(
        ScanJob(
            root=root,
            name=f"{number:05d}-of-{len(groups):05d}",
            fingerprint=whole,
            units=tuple(group),
            settings=settings,
        )
        for number, group in enumerate(groups)
    )


@contextmanager
def _report_folder(report: Path | None) -> Iterator[Path]:
    if report is None:
        with TemporaryDirectory(prefix="fingertip-privacy-") as folder:
            yield Path(folder)
        return
    if report.exists() and not report.is_dir():
        raise UsageError("expected a folder for the report, got a file", file=report)
    report.mkdir(mode=0o700, parents=True, exist_ok=True)
    others = sorted({path.name for path in report.iterdir()} - {FINDS, REPORT, STAGING})
    if others and not (report / REPORT).exists() and not (report / STAGING).exists():
        raise UsageError(f"the folder is no report: it holds {others[0]}: give a new one", file=report)
    yield report


def _find_finished(folder: Path, plan: ScanPlan, settings: ScanSettings) -> ScanReport | None:
    """The report of an earlier call of the same scan; None if there is none."""
    if not (folder / REPORT).exists():
        return None
    earlier = read_report(folder)
    if earlier.fingerprint != plan.fingerprint:
        raise UsageError("the folder has the report of other data: give a new one", file=folder)
    if earlier.settings != settings.model_dump(mode="json"):
        raise UsageError("the folder has a report with other settings: give a new one", file=folder)
    return earlier


@dataclass(slots=True)
class _Scan:
    """State of a call of a scan."""

    plan: ScanPlan
    settings: ScanSettings
    folder: Path
    engine: Engine
    workers: int
    on_progress: Progress | None
    started: float = 0.0

    def carry_out(self, part: tuple[int, int] | None) -> ScanReport | None:
        self.started = time.monotonic()
        staging = self.folder / STAGING
        staging.mkdir(mode=0o700, exist_ok=True)
        jobs = self.plan.jobs
        mine = jobs if part is None else jobs[part[0] - 1 :: part[1]]
        self._run("screens", mine, read_group, staging)
        if not all((staging / job.readings_file).exists() for job in jobs):
            return None
        with staging_lock(staging):
            if (done := _find_finished(self.folder, self.plan, self.settings)) is not None:
                return done
            return self._finish(staging)

    def _run(self, stage: str, jobs: Sequence[Any], task: Callable[[Any, Path], str], staging: Path) -> None:
        workers = max(1, min(self.workers, len(jobs)))
        if self.on_progress is not None:
            self.on_progress(stage, 0, len(jobs))
        with open_worker_pool(task, self.engine, workers) as make:
            for done, _ in enumerate(make(jobs, staging), 1):
                if self.on_progress is not None:
                    self.on_progress(stage, done, len(jobs))

    def _finish(self, staging: Path) -> ScanReport:
        jobs = self.plan.jobs
        totals, problems = Counter[str](), list(self.plan.problems)
        by_user: dict[str, Counter[str]] = {}
        counted: set[tuple[str, str]] = set()
        for job in jobs:
            for reading in read_stored_readings(staging / job.readings_file):
                # an episode of several splits is a row of each
                if self.plan.kind == "raw" or (reading.kind, reading.episode) not in counted:
                    totals.update({reading.kind: 1})
                    totals.update(screenshots=reading.screenshots, trees=reading.trees)
                    counted.add((reading.kind, reading.episode))
                by_user.setdefault(reading.user, Counter()).update(reading.names)
                problems += reading.problems
        rosters = {user: make_roster(counts) for user, counts in by_user.items()}
        self._run("finds", self._find_jobs(staging, rosters), find_in_group, staging)
        with private_file(self.folder / FINDS) as stream:
            counts = count_finds(self._write_groups(stream, staging, rosters, problems))
        record = ScanReport(
            source=str(self.plan.source),
            source_kind=self.plan.kind,
            fingerprint=self.plan.fingerprint,
            settings=self.settings.model_dump(mode="json"),
            packages=self.settings.packages(),
            episodes=totals["episode"],
            moments=totals["moment"],
            screenshots=totals["screenshots"],
            trees=totals["trees"],
            counts=counts,
            problems=tuple(problems),
            seconds=round(time.monotonic() - self.started, 1),
        )
        write_report(self.folder, record)
        shutil.rmtree(staging)
        return record

    def _find_jobs(self, staging: Path, rosters: Mapping[str, Roster]) -> list[FindJob]:
        jobs = []
        for job in self.plan.jobs:
            users = {reading.user for reading in read_stored_readings(staging / job.readings_file)}
            names = {user: tuple(sorted(rosters[user].names)) for user in users}
            jobs.append(FindJob(scan=job, names=names))
        return jobs

    def _write_groups(
        self,
        stream: BinaryIO,
        staging: Path,
        rosters: Mapping[str, Roster],
        problems: list[ScanProblem],
    ) -> Iterator[Find]:
        """Write the finds of all groups and tables in their order, and yield them."""
        for job in self.plan.jobs:
            with (staging / job.finds_file).open("rb") as lines:
                for line in lines:
                    stream.write(line)
                    yield Find.model_validate_json(line)
        for find in self._of_all_episodes(rosters, problems):
            stream.write(f"{find.model_dump_json()}\n".encode())
            yield find

    def _of_all_episodes(self, rosters: Mapping[str, Roster], problems: list[ScanProblem]) -> Iterator[Find]:
        root = self.plan.jobs[0].root if self.plan.jobs else self.plan.source
        if self.plan.kind == "dataset":
            yield from find_in_simulations(root, rosters, self.settings, problems)
            if (root / TABLES).is_dir():
                yield from table_finds(root / TABLES, root, rosters, self.settings, problems)
        elif self.plan.tables is not None:
            yield from table_finds(self.plan.tables.resolve(), root, rosters, self.settings, problems)
