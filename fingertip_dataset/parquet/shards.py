"""Making of one shard: an idempotent function for every engine that reads, writes aside and renames.

A shard is a group of episodes of one split, written once with screens and once without. Its file names
contain the split, the number and the plan's fingerprint, so builds of different plans never collide. Its
record is written last and removed first: if a matching record exists, the shard is complete and up to date
with the release, and is not made again. No file has a suffix that `load_dataset` would read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from pydantic import ValidationError

from fingertip_dataset.episodes import Episode
from fingertip_dataset.parquet.dataset_rows import Row, screens
from fingertip_dataset.parquet.features import CONFIGS, SCHEMA_VERSION, Config
from fingertip_dataset.parquet.manifest import ManifestPart, Shard
from fingertip_dataset.parquet.staging_lock import staging_lock
from fingertip_dataset.parquet.writer import ParquetFile
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.screens.content import StepContent, read_content

FOLDERS: dict[Config, str] = {"default": "data", "text": "text", "moments": "moments"}
"""Config -> folder in the finished dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardJob:
    """Input for making a shard in any process.

    Attributes:
        root: Folder of the raw release.
        name: Name of the shard's files, without a suffix: split, number from 0, and number of shards.
        split: Split of the episodes.
        fingerprint: Fingerprint of the plan.
        episodes: Episodes in the order of their rows.
        rows: Rows of the episodes in the config "text".
        version: Version of the columns.
        keep_metadata: Whether screenshots keep what stands next to their pixels.
        configs: Configs that the rows are written for.
    """

    root: Path
    name: str
    split: str
    fingerprint: str
    episodes: tuple[Episode, ...]
    rows: tuple[Row, ...]
    version: int = SCHEMA_VERSION
    keep_metadata: bool = False
    configs: tuple[Config, ...] = CONFIGS


class ProblemRecord(ManifestPart):
    """A `Problem` on disk, with the same fields."""

    kind: ProblemKind
    detail: str
    episode_id: str | None
    file: str | None
    line: int | None

    @classmethod
    def of(cls, problem: Problem) -> ProblemRecord:
        """Convert a problem to a record."""
        return cls(**asdict(problem))

    def problem(self) -> Problem:
        """Convert the record to a problem."""
        return Problem(**dict(self))


class ShardRecord(ManifestPart):
    """Result of one call of `write_shard`.

    Attributes:
        inputs: Hash over the sizes and modification times of all files read.
        files: One file per config.
        screenshots: Number of steps with a screenshot.
        trees: Number of steps with an accessibility tree.
        problems: Problems of the screens.
    """

    inputs: str
    files: tuple[Shard, ...]
    screenshots: int
    trees: int
    problems: tuple[ProblemRecord, ...]


def write_shard(job: ShardJob, staging: Path) -> ShardRecord:
    """Make one shard, unless it is complete already.

    Args:
        job: The shard to make.
        staging: Folder for the shards of an unfinished build.

    Raises:
        ReleaseError: An episode is too large for a row.
        OSError: A file could not be written (for example, disk full).
    """
    inputs = _hash_inputs(job)
    if (record := _find_up_to_date(job, inputs, staging)) is not None:
        return record
    staging.mkdir(parents=True, exist_ok=True)
    temporary = {config: staging / f".{uuid4().hex}.tmp" for config in job.configs}
    try:
        record = _write(job, temporary, inputs)
        with staging_lock(staging):
            # another job may have made it meanwhile, and count on it from then on
            if (theirs := _find_up_to_date(job, inputs, staging)) is not None:
                return theirs
            (staging / _record_name(job.name, job.fingerprint)).unlink(missing_ok=True)
            for config, path in temporary.items():
                path.replace(staging / staged_name(job.name, config, job.fingerprint))
            _write_record(record, staging / _record_name(job.name, job.fingerprint))
    finally:
        for path in temporary.values():
            path.unlink(missing_ok=True)
    return record


def _find_up_to_date(job: ShardJob, inputs: str, staging: Path) -> ShardRecord | None:
    """The record of a complete shard made of the same files; None if there is none."""
    record = find_finished_shard(job.name, job.fingerprint, staging)
    return record if record is not None and record.inputs == inputs else None


def find_finished_shard(name: str, fingerprint: str, staging: Path) -> ShardRecord | None:
    """Return the record of a shard whose files all exist with their full size; None otherwise.

    Args:
        name: Name of the shard.
        fingerprint: Fingerprint of the plan.
        staging: Folder for the shards of an unfinished build.
    """
    try:
        record = ShardRecord.model_validate_json(
            (staging / _record_name(name, fingerprint)).read_text(encoding="utf-8")
        )
        sizes = [
            (staging / staged_name(name, file.config, fingerprint)).stat().st_size for file in record.files
        ]
    except (OSError, ValidationError, UnicodeDecodeError):
        return None
    return record if sizes == [file.bytes for file in record.files] else None


def staged_name(name: str, config: Config, fingerprint: str) -> str:
    """Return the name of a shard's file in an unfinished build."""
    return f"{config}-{name}.{fingerprint[:16]}.shard"


def _record_name(name: str, fingerprint: str) -> str:
    return f"{name}.{fingerprint[:16]}.record"


def _write(job: ShardJob, paths: dict[Config, Path], inputs: str) -> ShardRecord:
    problems: list[Problem] = []
    screenshots = trees = 0
    with ExitStack() as stack:
        files = {
            config: stack.enter_context(ParquetFile(path, config, job.version))
            for config, path in paths.items()
        }
        for episode, row in zip(job.episodes, job.rows, strict=True):
            contents, episode_problems = read_content(job.root, episode, keep_metadata=job.keep_metadata)
            problems += episode_problems
            screenshots += sum(content.screenshot is not None for content in contents)
            trees += sum(content.tree is not None for content in contents)
            _write_row(files.values(), episode, row, contents)
    return ShardRecord(
        inputs=inputs,
        files=tuple(_entry(job, config, file) for config, file in files.items()),
        screenshots=screenshots,
        trees=trees,
        problems=tuple(map(ProblemRecord.of, problems)),
    )


def _write_row(
    files: Iterable[ParquetFile], episode: Episode, row: Row, contents: Sequence[StepContent]
) -> None:
    full_row = row | screens(episode, contents)
    for file in files:
        file.write(full_row)


def _entry(job: ShardJob, config: Config, file: ParquetFile) -> Shard:
    return Shard(
        config=config,
        split=job.split,
        file=f"{FOLDERS[config]}/{job.name}.parquet",
        rows=file.rows,
        bytes=file.length,
        sha256=file.sha256(),
    )


def _write_record(record: ShardRecord, path: Path) -> None:
    temporary = path.with_name(f".{uuid4().hex}.tmp")
    temporary.write_text(record.model_dump_json(), encoding="utf-8")
    temporary.replace(path)


def _hash_inputs(job: ShardJob) -> str:
    """Hash that changes whenever a file of the shard's steps is changed, added or removed."""
    digest = hashlib.sha256()
    for episode in job.episodes:
        for step in episode.steps:
            for name in (step.screenshot, step.tree):
                digest.update(f"{name} {_read_state(job.root, name)}\n".encode())
    return digest.hexdigest()


def _read_state(root: Path, name: str | None) -> str:
    if name is None:
        return "none"
    try:
        status = os.stat(f"{root}/{name}")  # noqa: PTH116 - pathlib takes several times as long
    except OSError as error:
        return f"error {error.errno}"
    return f"{status.st_size} {status.st_mtime_ns}"
