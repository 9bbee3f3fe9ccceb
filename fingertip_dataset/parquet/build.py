"""`fingertip build`: builds a folder that `load_dataset` reads from a raw release."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from fingertip_dataset.demographics import count_people
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import DatasetError, ReleaseError, UsageError
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan, ShardSpec
from fingertip_dataset.parquet.engines import Engine, MakeShards, open_workshop
from fingertip_dataset.parquet.folder_cards import render_texts
from fingertip_dataset.parquet.manifest import (
    FILTERED_VERSION,
    MANIFEST_VERSION,
    MOMENTS_MANIFEST_VERSION,
    REDACTED_VERSION,
    SETTINGS_VERSION,
    SUBSETS,
    TABLES,
    WIDER_VERSION,
    BuildSource,
    EpisodeCounts,
    Manifest,
    MomentData,
    People,
    QualityCounts,
    ReferenceMethod,
    SplitCounts,
    UnknownPart,
    data_file,
    hash_data,
)
from fingertip_dataset.parquet.moment_plan import count_moments, write_odds, write_patience
from fingertip_dataset.parquet.shards import ShardRecord, find_finished_shard
from fingertip_dataset.parquet.simulations import SIMULATIONS, gather_simulations
from fingertip_dataset.parquet.source import source
from fingertip_dataset.parquet.staging import Staging, refuse_occupied
from fingertip_dataset.parquet.staging_lock import build_lock
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.release.problems import ProblemKind, count_problems
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.redaction import read_redaction
from fingertip_dataset.release.release_date import find_release_date
from fingertip_dataset.release.tables.index_tables import EPISODE_TABLES, Tables
from fingertip_dataset.split_names import ALL_SPLITS, SPLITS, is_moments
from fingertip_dataset.tasks.moments import MOMENTS_VERSION, ODDS_FILE, PATIENCE_FILE

OnProgress = Callable[[str, int, int], None]
"""Callback with "folders" (read) or "shards" (made), the number done, and the total."""

Records = Mapping[str, ShardRecord]
"""Name of a shard -> its record."""


@accept_path_texts
def build(
    raw: Path,
    out: Path,
    *,
    tables: Path | None = None,
    config: BuildConfig | None = None,
    workers: int = 1,
    engine: Engine = "local",
    overwrite: bool = False,
    on_progress: OnProgress | None = None,
) -> Manifest:
    """Build the dataset; finished shards of a killed build are reused.

    Args:
        raw: Folder of the raw release.
        out: Folder of the dataset; must not exist yet.
        tables: Folder of the index tables; None looks for them in `raw`.
        config: Settings of the build; None takes the defaults.
        workers: Number of processes, or of concurrent Ray tasks. A script that uses more than one needs the
            usual `if __name__ == "__main__"`.
        engine: "local" or "ray".
        overwrite: Whether an existing dataset is replaced, as the last step of the build.
        on_progress: Callback with the progress.

    Raises:
        ReleaseError: There is no release at `raw`, or it has no usable episode.
        UsageError: An argument is invalid, or `out` exists already.
        DatasetError: A file could not be read or written (for example, disk full), or a worker was lost.
    """
    _refuse_within(raw, out)
    refuse_occupied(out, overwrite=overwrite, redacted=read_redaction(raw) is not None)
    built_by = source()
    with _name_disk_errors(out), _lock_build(out, shared=False), open_workshop(engine, workers) as make:
        plan, staging = _prepare(raw, out, tables, config, on_progress)
        _make(plan, plan.shard_specs, staging, make, on_progress)
        finished = _finish(plan, staging, built_by, overwrite=overwrite)
    if finished is None:
        raise DatasetError("shards are missing at the end of the build: is another build of it running?")
    return finished


def build_part(
    raw: Path,
    out: Path,
    *,
    part: int,
    parts: int,
    tables: Path | None = None,
    config: BuildConfig | None = None,
    workers: int = 1,
    engine: Engine = "local",
    overwrite: bool = False,
    on_progress: OnProgress | None = None,
) -> Manifest | None:
    """Make one part of the shards, as a job of a scheduler; the job that completes them finishes the dataset.

    All jobs need the same arguments and a shared file system. Jobs may run concurrently, repeatedly, or in
    any order; `build` may continue from their shards.

    Args:
        raw: Folder of the raw release.
        out: Folder of the dataset.
        part: Number of the part, from 1.
        parts: Number of parts.
        tables: As in `build`.
        config: As in `build`.
        workers: As in `build`.
        engine: As in `build`.
        overwrite: As in `build`.
        on_progress: As in `build`.

    Returns:
        The manifest once the dataset is finished; None while shards of other parts are missing.

    Raises:
        FingerTipError: An error of `build`.
    """
    if not 1 <= part <= parts:
        raise UsageError(f"expected a part from 1 to {parts}, got {part}")
    _refuse_within(raw, out)
    built_by = source()
    with _name_disk_errors(out), _lock_build(out, shared=True), open_workshop(engine, workers) as make:
        plan, staging = _prepare(raw, out, tables, config, on_progress)
        if (finished := staging.find_finished()) is not None:
            return finished
        refuse_occupied(out, overwrite=overwrite, redacted=plan.release.redaction is not None)
        _make(plan, plan.shard_specs[part - 1 :: parts], staging, make, on_progress)
        return _finish(plan, staging, built_by, overwrite=overwrite)


def _lock_build(out: Path, *, shared: bool) -> AbstractContextManager[None]:
    return build_lock(Staging(out, "").folder, shared=shared)


def _refuse_within(raw: Path, out: Path) -> None:
    if Path(os.path.realpath(out)).is_relative_to(os.path.realpath(raw)):
        raise UsageError(f"--out {out} lies in the raw release {raw}: give a folder outside of it")


@contextmanager
def _name_disk_errors(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DatasetError(
            f"reading the release or writing {out} failed: {error.strerror or error}",
            file=error.filename,
        ) from error


def _prepare(
    raw: Path, out: Path, tables: Path | None, config: BuildConfig | None, on_progress: OnProgress | None
) -> tuple[BuildPlan, Staging]:
    notify = on_progress or (lambda what, done, of: None)
    release = read_release(raw, tables, on_progress=lambda done, of: notify("folders", done, of))
    if release.tables is not None:
        _refuse_unreadable_tables(release.tables)
    plan = BuildPlan(release, config or BuildConfig())
    staging = Staging(out, plan.fingerprint)
    staging.recover()
    return plan, staging


def _refuse_unreadable_tables(tables: Tables) -> None:
    """Refuse to make splits where a table that decides them is there and cannot be read.

    Raises:
        ReleaseError: The first such table.
    """
    of_splits = {EPISODE_TABLES[name] for name in ALL_SPLITS}
    for problem in tables.problems:
        if problem.kind is ProblemKind.UNREADABLE_TABLE and problem.file in of_splits:
            raise ReleaseError(
                f"the table cannot be read, so its split is not known: {problem.detail}; "
                "save it as UTF-8 CSV with its header, or take it out of the folder",
                file=problem.file,
            )


def _make(
    plan: BuildPlan,
    specs: Sequence[ShardSpec],
    staging: Staging,
    make: MakeShards,
    on_progress: OnProgress | None,
) -> None:
    # the longest first, so that at the end no worker is still busy with a long shard while the others idle
    jobs = (plan.job(spec) for spec in sorted(specs, key=lambda spec: -spec.steps))
    notify = on_progress or (lambda what, done, of: None)
    if specs:
        notify("shards", 0, len(specs))
    try:
        for done, _ in enumerate(make(jobs, staging.folder), 1):
            notify("shards", done, len(specs))
    except FileNotFoundError:
        # another job may have finished the dataset, which removes the staging folder
        if staging.find_finished() is None:
            raise


def _finish(plan: BuildPlan, staging: Staging, built_by: BuildSource, *, overwrite: bool) -> Manifest | None:
    """Finish the dataset and return its manifest; None if shards are missing."""
    with staging.locked():
        records, finished = _read_records(plan, staging), staging.find_finished()
        # without `overwrite` there was no dataset at the start: another job has finished it meanwhile
        if records is None or (finished is not None and not overwrite):
            if finished is not None:
                staging.discard()
            return finished
        data = {SUBSETS: plan.subsets().model_dump_json(indent=1) + "\n"}
        if plan.release.provenance != "recorded" and (simulations := gather_simulations(plan.release)):
            data[SIMULATIONS] = simulations
        if plan.release.tables is not None:
            data |= {f"{TABLES}{name}": text for name, text in plan.release.tables.files.items()}
        unseen = _write_moment_files(plan)
        manifest = _make_manifest(plan, records, data, built_by, unseen)
        texts = render_texts(manifest, find_release_date(plan.release))
        staging.finish(manifest, data | unseen | texts, overwrite=overwrite)
    return manifest


def _read_records(plan: BuildPlan, staging: Staging) -> Records | None:
    records = {}
    for spec in plan.shard_specs:
        record = find_finished_shard(spec.name, plan.fingerprint, staging.folder)
        if record is None:
            return None
        records[spec.name] = record
    return records


def _write_moment_files(plan: BuildPlan) -> dict[str, str]:
    """Content of the files of the moments beside the shards, by name; empty without moments."""
    if not plan.moments:
        return {}
    moments = [moment for part in plan.moments.values() for moment in part]
    patience = write_patience(plan.release.patience, plan.release.drifts)
    return {ODDS_FILE: write_odds(moments), PATIENCE_FILE: patience}


def _make_moment_data(plan: BuildPlan, records: Records, unseen: Mapping[str, str]) -> MomentData | None:
    if not plan.moments:
        return None
    of_moments = (record for name, record in records.items() if is_moments(name.partition("-")[0]))
    found = [shard for record in of_moments for shard in record.files]
    shards = tuple(sorted(found, key=lambda shard: shard.file))
    files = tuple(data_file(name, text.encode()) for name, text in sorted(unseen.items()))
    return MomentData(
        version=MOMENTS_VERSION,
        splits=count_moments(plan.moments),
        shards=shards,
        files=files,
        data_sha256=hash_data((*shards, *files)),
    )


def _make_manifest(
    plan: BuildPlan,
    records: Records,
    data: Mapping[str, str],
    built_by: BuildSource,
    unseen: Mapping[str, str],
) -> Manifest:
    """Return the manifest of finished shards and of the data files next to them (name -> content)."""
    release = plan.release
    files = tuple(data_file(name, text.encode()) for name, text in sorted(data.items()))
    shards = tuple(file for record in records.values() for file in record.files if not is_moments(file.split))
    # an episode of both tests is read twice, and its problems are found twice: a set keeps each once
    screen_problems = {entry.problem() for record in records.values() for entry in record.problems}
    return Manifest(
        version=_choose_version(plan),
        schema_version=plan.schema_version,
        provenance=release.provenance,
        origins=plan.origins.origins,
        licences=plan.origins.licences,
        people=People.of(count_people(_profiles(plan), release.settings)),
        episodes=EpisodeCounts(given=release.given, kept=len(release.episodes), rejected=release.rejected),
        problems=count_problems([*release.problems, *screen_problems]),
        splits={split: _count_split(plan, split, records) for split in plan.splits.names},
        split_method=plan.splits.method,
        seed=plan.config.seed,
        history=plan.config.history,
        references=ReferenceMethod(
            similarity=plan.config.references, skip_same_task=plan.config.skip_same_task
        ),
        user_types=plan.types.method,
        shards=tuple(sorted(shards, key=lambda shard: shard.file)),
        files=files,
        data_sha256=hash_data((*shards, *files)),
        plan=plan.fingerprint,
        source=built_by,
        redacted=release.redaction,
        quality=_count_quality(plan),
        release=None if release.settings.is_published else release.settings,
        extra=tuple(UnknownPart(**asdict(part)) for part in release.parts),
        vali_table=plan.splits.vali_table,
        unassigned=len(plan.episodes.keys() - set().union(*plan.splits.episode_ids.values())),
        moments=_make_moment_data(plan, records, unseen),
    )


def _choose_version(plan: BuildPlan) -> Literal[3, 4, 5, 6, 7, 8]:
    """The oldest version that states all there is to state."""
    if plan.moments:
        return MOMENTS_MANIFEST_VERSION
    if plan.release.parts or plan.splits.vali_table or set(plan.splits.names) != set(SPLITS):
        return WIDER_VERSION
    if not plan.release.settings.is_published:
        return SETTINGS_VERSION
    if plan.config.quality is not None:
        return FILTERED_VERSION
    return MANIFEST_VERSION if plan.release.redaction is None else REDACTED_VERSION


def _count_quality(plan: BuildPlan) -> QualityCounts | None:
    quality = plan.config.quality
    if quality is None:
        return None
    return QualityCounts(
        minimum=quality.minimum,
        left_out=len(plan.left_out),
        by_split={split: count for split, count in plan.left_out_of.items() if count},
        unscored=quality.unscored(plan.given_ids),
        quality_version=quality.quality_version,
        scores_sha256=quality.sha256,
    )


def _profiles(plan: BuildPlan) -> list[UserProfile]:
    """Return the profile of every user with a kept episode, once each."""
    return list({episode.intent.user_id: episode.profile for episode in plan.release.episodes}.values())


def _count_split(plan: BuildPlan, split: str, records: Records) -> SplitCounts:
    episodes = [plan.episodes[episode_id] for episode_id in plan.splits.episode_ids[split]]
    own = [records[spec.name] for spec in plan.shard_specs if spec.split == split]
    return SplitCounts(
        episodes=len(episodes),
        steps=sum(len(episode.steps) for episode in episodes),
        screenshots=sum(record.screenshots for record in own),
        trees=sum(record.trees for record in own),
        users=len({episode.intent.user_id for episode in episodes}),
        apps=len({episode.intent.app for episode in episodes}),
        categories=len({episode.intent.category for episode in episodes if episode.intent.category}),
    )
