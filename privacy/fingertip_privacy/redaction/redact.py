"""`fingertip privacy redact`: a new release or dataset in which the finds of a report are gone everywhere."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, TypeVar

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.manifest import MANIFEST
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.release.redaction import REDACTION_FILE, Redaction
from fingertip_dataset.release.settings import SETTINGS_FILE, format_settings
from fingertip_privacy.find_decisions import DECISIONS, DecisionRule, FindDecisions, read_decisions
from fingertip_privacy.finds import Find, FindKind, ScanReport, read_finds, read_report
from fingertip_privacy.redaction.painted_pictures import require_jpeglib
from fingertip_privacy.redaction.person_secrets import (
    PersonSecrets,
    PixelFind,
    SecretsGatherer,
    count_values,
)
from fingertip_privacy.redaction.redact_dataset import DatasetSource
from fingertip_privacy.redaction.redact_episode import EpisodeJob, redact_episode
from fingertip_privacy.redaction.redact_moments import MomentsJob, redact_moments
from fingertip_privacy.redaction.redact_release import ReleaseSource
from fingertip_privacy.redaction.redact_shard import ShardRedactionJob, redact_shard
from fingertip_privacy.redaction.redaction_stage import RedactionStage, UnitRecord, refuse_existing
from fingertip_privacy.source_fingerprint import source_fingerprint

CHANGES = "redaction_changes.csv"
"""File of a redacted release or dataset that says what was replaced where, without any value."""

CHANGE_COLUMNS = ("file", "episode", "place", "kind", "count", "boxes")

TABLES_UNIT = "tables"

Undecided = Literal["redact", "keep"]

OnProgress = Callable[[str, int, int], None]
"""Callback with "folders" (read), or "episodes" or "shards" (redacted), the number done, and the total."""

Job = TypeVar("Job", EpisodeJob, MomentsJob, ShardRedactionJob)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionSettings:
    """Settings of a redaction.

    Attributes:
        tables: Folder of the index tables of a raw release; None looks for them in it.
        key_file: File of the secret key; None draws one that is not kept.
        rule: When people have dropped a find: see `find_decisions.DecisionRule`.
        undecided: Whether finds that nobody has decided on are redacted or kept.
        drop_unreadable: Whether pictures that cannot be read are left out.
        workers: Number of processes.
        part: (i, n): redact only part i of n, from 1; None for all.
        day: Day that the statement gives, YYYY-MM-DD; None for today, UTC.
    """

    tables: Path | None = None
    key_file: Path | None = None
    rule: DecisionRule = "any"
    undecided: Undecided = "redact"
    drop_unreadable: bool = False
    workers: int = 1
    part: tuple[int, int] | None = None
    day: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    confirmed: int
    undecided: int
    rejected: int
    kept_undecided: int
    added: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Parts that are redacted: finds gathered into values and boxes, with their counts."""

    source: ReleaseSource | DatasetSource
    report: ScanReport
    secrets: Mapping[str, PersonSecrets]
    boxes: Mapping[str, list[PixelFind]]
    kinds: Mapping[FindKind, int]
    counts: _Counts
    fingerprint: str
    without_place: int


@accept_path_texts
def redact(
    source: Path,
    out: Path,
    report: Path,
    settings: RedactionSettings | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> Redaction | None:
    """Make a redacted copy of a raw release or a built dataset; the original is only read.

    A value is replaced wherever a text of the same person spells it, not only where it was found. Nothing is
    at `out` before all of it is done; a stopped call goes on with its finished parts when it is repeated.

    Args:
        source: Folder of a raw release, or of a built dataset.
        out: Folder of the redacted copy; must be new.
        report: Folder of the report of `fingertip privacy scan` on the same data, with people's decisions.
        settings: Settings; None takes the defaults.
        on_progress: Callback with the progress.

    Returns:
        The statement of the finished copy; None while other parts are missing.

    Raises:
        UsageError: The data are redacted already, the report is of other data, `out` exists, or a picture
            cannot be read.
        MissingExtraError: jpeglib is not installed.
        InputError: The report, the release or the dataset cannot be read.
    """
    chosen = settings or RedactionSettings()
    refuse_existing(out)
    _refuse_within(source, out)
    require_jpeglib()
    notify = on_progress or (lambda what, done, of: None)
    with _disk_errors(out):
        plan = _plan(source, report, chosen, notify)
        stage = RedactionStage(out)
        key = stage.key(chosen.key_file)
        stage.begin(key, plan.fingerprint, plan.report.fingerprint, str(chosen.drop_unreadable))
        _redact_units(plan, stage, key, chosen, notify)
        with stage.locked():
            return _finish(plan, stage, key, chosen)


def _refuse_within(source: Path, out: Path) -> None:
    inner, outer = Path(os.path.realpath(out)), Path(os.path.realpath(source))
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise UsageError(f"--out {out} and {source} lie in each other: give a folder outside")


@contextmanager
def _disk_errors(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DatasetError(
            f"reading the data or writing {out} failed: {error.strerror or error}", file=error.filename
        ) from error
    except BrokenProcessPool as error:
        raise DatasetError(
            "a worker process was ended by the system (out of memory?): repeat the call to go on, with "
            "--workers 1"
        ) from error


def _plan(path: Path, report: Path, chosen: RedactionSettings, notify: OnProgress) -> _Plan:
    if not path.is_dir():
        raise UsageError("there is no such folder: give a raw release or a built dataset", file=path)
    record = read_report(report)
    source: ReleaseSource | DatasetSource
    if (path / MANIFEST).is_file():
        source = DatasetSource.open(path)
    else:
        source = ReleaseSource.open(path, chosen.tables, lambda done, of: notify("folders", done, of))
    if source.redaction is not None:
        raise UsageError(
            f"the data were redacted on {source.redaction.date} already: give the original", file=path
        )
    _check_report(record, path, chosen.tables)
    decisions = read_decisions(report / DECISIONS)
    gatherer, counts = SecretsGatherer(), Counter[str]()
    for find in _read_all_finds(report, decisions):
        what = _decide_find(find, decisions, chosen)
        counts[what] += 1
        if what in ("confirmed", "undecided", "added"):
            gatherer.add(find, *source.owner(find) if not find.user else ())
    secrets = gatherer.secrets()
    return _Plan(
        source=source,
        report=record,
        secrets=secrets,
        boxes=gatherer.boxes,
        kinds=gatherer.kinds,
        counts=_Counts(
            **{
                name: counts[name]
                for name in ("confirmed", "undecided", "rejected", "kept_undecided", "added")
            }
        ),
        fingerprint=gatherer.fingerprint(),
        without_place=gatherer.without_place,
    )


def _check_report(record: ScanReport, path: Path, tables: Path | None) -> None:
    if record.fingerprint != source_fingerprint(path, tables):
        raise UsageError(
            "the report is of other data, or the data have changed since the scan: "
            "repeat `fingertip privacy scan`",
            file=path,
        )


def _read_all_finds(report: Path, decisions: FindDecisions) -> Iterator[Find]:
    added = dict(decisions.added)
    for find in read_finds(report):
        added.pop(find.id, None)
        yield find
    yield from added.values()


def _decide_find(find: Find, decisions: FindDecisions, chosen: RedactionSettings) -> str:
    votes = decisions.votes.get(find.id, {})
    if not decisions.keeps(find.id, chosen.rule):
        return "rejected"
    if find.id in decisions.added:
        return "added"
    if votes:
        return "confirmed"
    return "undecided" if chosen.undecided == "redact" else "kept_undecided"


# ---- units


def _redact_units(
    plan: _Plan, stage: RedactionStage, key: bytes, chosen: RedactionSettings, notify: OnProgress
) -> None:
    names = _units(plan)
    first, of = chosen.part or (1, 1)
    mine = frozenset(names[first - 1 :: of])
    what = "shards" if isinstance(plan.source, DatasetSource) else "episodes"
    notify(what, 0, len(mine))
    for done, _ in enumerate(_run_units(plan, mine, stage, key, chosen), 1):
        notify(what, done, len(mine))


def _units(plan: _Plan) -> list[str]:
    if isinstance(plan.source, DatasetSource):
        return [shard.file for shard in plan.source.built.manifest.screen_shards]
    episodes = [episode.folder.as_posix() for episode in plan.source.release.episodes]
    return [*episodes, *(unit.folder for unit in plan.source.list_moments())]


def _run_units(
    plan: _Plan, mine: frozenset[str], stage: RedactionStage, key: bytes, chosen: RedactionSettings
) -> Iterator[UnitRecord]:
    source = plan.source
    if isinstance(source, DatasetSource):
        shards = source.jobs(plan.secrets, plan.boxes, key, drop_unreadable=chosen.drop_unreadable)
        yield from _by_workers(
            redact_shard, (job for job in shards if job.shard.file in mine), stage, chosen.workers
        )
        return
    unscanned = frozenset(problem.file for problem in plan.report.problems)
    episodes = source.jobs(
        plan.secrets, plan.boxes, key, unscanned=unscanned, drop_unreadable=chosen.drop_unreadable
    )
    yield from _by_workers(
        redact_episode, (job for job in episodes if job.folder in mine), stage, chosen.workers
    )
    moments = source.moment_jobs(
        plan.secrets, plan.boxes, key, unscanned=unscanned, drop_unreadable=chosen.drop_unreadable
    )
    yield from _by_workers(
        redact_moments, (job for job in moments if job.folder in mine), stage, chosen.workers
    )


def _by_workers(
    work: Callable[[Job, RedactionStage], UnitRecord],
    jobs: Iterable[Job],
    stage: RedactionStage,
    workers: int,
) -> Iterator[UnitRecord]:
    if workers == 1:
        yield from (work(job, stage) for job in jobs)
        return
    from fingertip_dataset.parquet.engines import open_processes, run_jobs

    with open_processes(workers) as pool:
        yield from run_jobs(work, jobs, stage, pool=pool, workers=workers)


# ---- the end


def _finish(plan: _Plan, stage: RedactionStage, key: bytes, chosen: RedactionSettings) -> Redaction | None:
    found = [stage.done(unit) for unit in _units(plan)]
    records = [record for record in found if record is not None]
    if len(records) < len(found) or not stage.root.is_dir():
        return None
    source = plan.source
    if isinstance(source, ReleaseSource):
        records.append(source.redact_tables(stage, plan.secrets, key))
    statement = _make_statement(plan, records, chosen)
    _write_changes(stage.root / CHANGES, records)
    if isinstance(source, DatasetSource):
        source.finish(stage, statement, records, plan.secrets, key)
    else:
        text = statement.model_dump_json(indent=2)
        (stage.root / REDACTION_FILE).write_text(text + "\n", encoding="utf-8")
        if not source.release.settings.is_published:
            stated = format_settings(source.release.settings)
            (stage.root / SETTINGS_FILE).write_text(stated, encoding="utf-8")
    stage.publish()
    return statement


def _make_statement(plan: _Plan, records: list[UnitRecord], chosen: RedactionSettings) -> Redaction:
    rejected = plan.source.release.rejected if isinstance(plan.source, ReleaseSource) else 0
    return Redaction(
        date=chosen.day or datetime.now(UTC).strftime("%Y-%m-%d"),
        by=f"fingertip-20k {_own_version()}",
        scan=plan.report.packages,
        finds={kind.value: plan.kinds[kind] for kind in FindKind if kind in plan.kinds},
        values=count_values(plan.secrets),
        confirmed=plan.counts.confirmed,
        undecided=plan.counts.undecided,
        rejected=plan.counts.rejected,
        kept_undecided=plan.counts.kept_undecided,
        added=plan.counts.added,
        without_place=plan.without_place,
        screenshots=sum(record.screenshots for record in records),
        reencoded=sum(record.reencoded for record in records),
        texts=sum(
            change.count
            for record in records
            for change in record.changes
            if change.place not in ("screenshot", "metadata")
        ),
        simulations_removed=len({name for record in records for name in record.simulations_removed}),
        left_out=sum(record.left_out for record in records) + rejected,
    )


def _own_version() -> str:
    try:
        return version("fingertip-20k")
    except PackageNotFoundError:
        return "of unknown version"


def _write_changes(file: Path, records: Iterable[UnitRecord]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(CHANGE_COLUMNS)
        for record in records:
            for change in record.changes:
                writer.writerow([*_cells(change.model_dump()), "; ".join(change.boxes)])


def _cells(change: Mapping[str, Any]) -> list[Any]:
    return [change[name] for name in CHANGE_COLUMNS[:-1]]
