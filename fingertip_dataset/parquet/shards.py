"""One shard, made by one idempotent function that every engine calls: read, write aside, rename.

A shard is some episodes of one split, written once with screens and once without. Its name tells the split,
its number, and what was to be made (the plan's fingerprint), so builds of different things never meet. Its
record is written last and taken away first: where there is one that fits, the shard is complete, made of what
the release holds now, and is not made again. No file has an ending by which `load_dataset` would read it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from pydantic import ValidationError

from fingertip_dataset.episodes import Episode
from fingertip_dataset.parquet.dataset_rows import Row, screens
from fingertip_dataset.parquet.features import CONFIGS, Config
from fingertip_dataset.parquet.manifest import ManifestPart, Shard
from fingertip_dataset.parquet.writer import ParquetFile
from fingertip_dataset.release.content import StepContent, read_content
from fingertip_dataset.release.problems import Problem, ProblemKind

FOLDERS: dict[Config, str] = {"default": "data", "text": "text"}
"""Config -> its folder in the finished dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardJob:
    """All that is needed to make a shard, wherever that happens.

    Attributes:
        root: The raw release.
        name: Of the shard's files, without an ending: split, number from 0, and shards of the split.
        split: The part that the shard is of.
        fingerprint: Of the plan.
        episodes: In the order of their rows.
        rows: Their rows of the config "text".
    """

    root: Path
    name: str
    split: str
    fingerprint: str
    episodes: tuple[Episode, ...]
    rows: tuple[Row, ...]


class ProblemRecord(ManifestPart):
    """A `Problem` on disk; the fields are the same."""

    kind: ProblemKind
    detail: str
    episode_id: str | None
    file: str | None
    line: int | None

    @classmethod
    def of(cls, problem: Problem) -> ProblemRecord:
        """The same problem."""
        return cls(
            kind=problem.kind,
            detail=problem.detail,
            episode_id=problem.episode_id,
            file=problem.file,
            line=problem.line,
        )

    def problem(self) -> Problem:
        """The same problem."""
        return Problem(
            kind=self.kind, detail=self.detail, episode_id=self.episode_id, file=self.file, line=self.line
        )


class ShardRecord(ManifestPart):
    """What one call of `write_shard` made.

    Attributes:
        inputs: Hash over the sizes and change times of all files that were read.
        files: One a config.
        screenshots: Steps with a screenshot.
        trees: Steps with an accessibility tree.
        problems: What was found while the screens were read.
    """

    inputs: str
    files: tuple[Shard, ...]
    screenshots: int
    trees: int
    problems: tuple[ProblemRecord, ...]


def write_shard(job: ShardJob, staging: Path) -> ShardRecord:
    """Makes one shard, or finds that it is made.

    Args:
        job: What to make.
        staging: The folder for shards of an unfinished build.

    Raises:
        ReleaseError: An episode is too large for a row.
        OSError: The disk does not take it.
    """
    inputs = _inputs(job)
    record = finished_shard(job.name, job.fingerprint, staging)
    if record is not None and record.inputs == inputs:
        return record
    staging.mkdir(parents=True, exist_ok=True)
    aside = {config: staging / f".{uuid4().hex}.tmp" for config in CONFIGS}
    try:
        record = _write(job, aside, inputs)
        (staging / _record_name(job.name, job.fingerprint)).unlink(missing_ok=True)
        for config, path in aside.items():
            path.replace(staging / staged_name(job.name, config, job.fingerprint))
        _write_record(record, staging / _record_name(job.name, job.fingerprint))
    finally:
        for path in aside.values():
            path.unlink(missing_ok=True)
    return record


def finished_shard(name: str, fingerprint: str, staging: Path) -> ShardRecord | None:
    """The record of a shard whose files are all there in their full size; None otherwise.

    Args:
        name: Of the shard.
        fingerprint: Of the plan.
        staging: The folder for shards of an unfinished build.
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
    """A shard's file while the build is not finished."""
    return f"{config}-{name}.{fingerprint[:16]}.shard"


def _record_name(name: str, fingerprint: str) -> str:
    return f"{name}.{fingerprint[:16]}.record"


def _write(job: ShardJob, aside: dict[Config, Path], inputs: str) -> ShardRecord:
    problems: list[Problem] = []
    screenshots = trees = 0
    with ExitStack() as stack:
        files = {config: stack.enter_context(ParquetFile(path, config)) for config, path in aside.items()}
        for episode, row in zip(job.episodes, job.rows, strict=True):
            contents, found = read_content(job.root, episode)
            problems += found
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
    whole = row | screens(episode, contents)
    for file in files:
        file.write(whole)


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
    aside = path.with_name(f".{uuid4().hex}.tmp")
    aside.write_text(record.model_dump_json(), encoding="utf-8")
    aside.replace(path)


def _inputs(job: ShardJob) -> str:
    """Changes whenever a file of the shard's steps was changed, added or removed."""
    digest = hashlib.sha256()
    for episode in job.episodes:
        for step in episode.steps:
            for name in (step.screenshot, step.tree):
                digest.update(f"{name} {_state(job.root, name)}\n".encode())
    return digest.hexdigest()


def _state(root: Path, name: str | None) -> str:
    if name is None:
        return "none"
    try:
        found = os.stat(f"{root}/{name}")  # noqa: PTH116 - pathlib takes several times as long
    except OSError as error:
        return f"error {error.errno}"
    return f"{found.st_size} {found.st_mtime_ns}"
