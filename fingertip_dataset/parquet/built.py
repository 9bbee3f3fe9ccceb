"""A built dataset on disk, read with pyarrow alone: without a copy, a cache, or `datasets`."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.parquet.dataset_rows import read_moments
from fingertip_dataset.parquet.features import MOMENTS, SCREENS, Config, columns
from fingertip_dataset.parquet.manifest import (
    MANIFEST,
    SUBSETS,
    DataFile,
    Manifest,
    MomentData,
    Shard,
    hash_data,
)
from fingertip_dataset.parquet.simulations import (
    SIMULATIONS,
    find_start,
    list_answer_forms,
    read_simulations,
)
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.path_kinds import explain_missing
from fingertip_dataset.release.settings import Start
from fingertip_dataset.split_names import MOMENT_SPLITS, MONTH, is_moments, split_name
from fingertip_dataset.tasks.history import rank_user
from fingertip_dataset.tasks.moments import NO_MOMENTS
from fingertip_dataset.tasks.out_of_domain import OutOfDomain

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

HASHES_SINCE = 3
"""First version of the manifest with the hashes of the files beside the shards."""

BEFORE_REFERENCES = "was built before references were on all splits: build it again with `fingertip build`"

_CHANGED = ": it has changed since the build: build the dataset again"

FileState = tuple[int, int]
"""Size of a file, bytes, and time of its last change, ns."""

ROWS_AT_ONCE = {"default": 8, "text": 256, "moments": 64}
"""Rows in memory at a time: with screens an episode takes several megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltDataset:
    """A folder that `fingertip build` finished.

    Attributes:
        path: Path of the folder.
        manifest: Content of manifest.json.
    """

    path: Path
    manifest: Manifest

    @classmethod
    @accept_path_texts
    def open(cls, path: Path) -> BuiltDataset:
        """Open a dataset and check the size of every data file.

        Whatever decides a score is compared with its sha256 when it is read: the shards of the config "text",
        the subsets and the simulations. `verify` reads all files.

        Raises:
            DatasetError: The dataset is missing, incomplete, of a newer version, or contradicts itself.
            UsageError: No file system takes the path.
        """
        if not path.is_dir():
            raise DatasetError(explain_missing(path, "a built dataset"), file=path)
        manifest = Manifest.read(path / MANIFEST)
        for entry in manifest.all_files:
            file = path / entry.file
            size = file.stat().st_size if file.is_file() else None
            if size != entry.bytes:
                what = "shard" if isinstance(entry, Shard) else "file"
                got = "no file" if size is None else f"{size} bytes"
                raise DatasetError(
                    f"expected a {what} of {entry.bytes} bytes, got {got}{_CHANGED}", file=file
                )
        parts: tuple[Manifest | MomentData | None, ...] = (manifest, manifest.moments)
        for part in parts:
            if part is not None and (found := hash_data(part.data_files)) != part.data_sha256:
                raise DatasetError(
                    f"expected data_sha256 {found} for these files, got {part.data_sha256}{_CHANGED}",
                    file=path / MANIFEST,
                )
        return cls(path=path, manifest=manifest)

    @property
    def split_names(self) -> tuple[str, ...]:
        """Names of the splits that together have every episode; the tests may share some."""
        return self.manifest.split_names

    @property
    def has_moments(self) -> bool:
        """Whether the dataset has the config "moments", whose splits are `MOMENT_SPLITS`."""
        return self.manifest.moments is not None

    def require_moments(self) -> MomentData:
        """Return the manifest's part about the moments.

        Raises:
            UsageError: The dataset has no moments.
        """
        moments = self.manifest.moments
        if moments is None:
            raise UsageError(f"the dataset {NO_MOMENTS}", file=self.path)
        return moments

    def shards(self, split: str, config: Config = "text") -> list[Shard]:
        """Return the files of a split, in the order of their rows.

        Raises:
            UsageError: The split or config is unknown, or the dataset has no moments.
        """
        if is_moments(split):
            wanted = MOMENT_SPLITS if split == MONTH else (split_name(split),)
            own = [shard for shard in self.require_moments().shards if shard.split in wanted]
            return sorted(own, key=lambda shard: shard.file)
        if split not in self.manifest.split_names:
            names = ", ".join(self.manifest.split_names)
            raise UsageError(f"expected a split of {names}, got {split!r}")
        columns(config)
        found = [shard for shard in self.manifest.shards if (shard.config, shard.split) == (config, split)]
        return sorted(found, key=lambda shard: shard.file)

    def rows(
        self,
        split: str,
        *,
        columns: Sequence[str] | None = None,
        config: Config = "text",
        ids: Container[str] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Iterate over the rows of a split, by user and time; times are moments in Beijing time.

        Args:
            split: A split of the dataset, one of `MOMENT_SPLITS`, or `MONTH` for all of them in one order.
            columns: Names of the columns, in the wanted order; None for all.
            config: "text", or "default" for screenshots as {"bytes", "path"} and trees; "moments", which the
                splits of moments have, with both.
            ids: Ids of the episodes; None for all. Parts of a file without any of them are not read.

        Raises:
            UsageError: The split, the config or a column is unknown, or the dataset has no moments.
            DatasetError: A file is not Parquet, or one of the config "text" has changed since the build.
        """
        if is_moments(split) or config == MOMENTS:
            return self._read_moments(split, columns, config, ids)
        names, shards = (
            _choose_columns(columns, config, self.manifest.schema_version),
            self.shards(split, config),
        )
        return (row for shard in shards for row in self._rows(shard, names, ids))

    def shard_rows(self, shard: Shard, *, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """Iterate over the rows of one file of `shards`, as `rows` does over those of a split.

        Args:
            shard: The file.
            columns: Names of the columns, in the wanted order; None for all of the file's config.

        Raises:
            UsageError: A column is unknown.
            DatasetError: The file is not Parquet, or one of the config "text" has changed since the build.
        """
        return self._rows(shard, _choose_columns(columns, shard.config, self.manifest.schema_version), None)

    def _rows(self, shard: Shard, names: list[str], ids: Container[str] | None) -> Iterator[dict[str, Any]]:
        file, state = self.path / shard.file, _read_state(self.path / shard.file)
        # the shards with screens take gigabytes, and no score is computed from the content of "default"
        sha256 = shard.sha256 if shard.config == "text" else None
        if shard.config == MOMENTS:
            _check_unchanged(file, state, shard.sha256)
        groups = None
        if ids is not None:
            groups = [[name in ids for name in group] for group in _list_group_ids(file, state, sha256)]
        if groups is None or any(map(any, groups)):
            yield from _read(file, names, ROWS_AT_ONCE[shard.config], groups, sha256)

    def _read_moments(
        self, split: str, columns: Sequence[str] | None, config: Config, ids: Container[str] | None
    ) -> Iterator[dict[str, Any]]:
        """Rows of a split of moments, without screens in the config "text"."""
        if not is_moments(split):
            raise UsageError(f"expected a split of moments, {', '.join(MOMENT_SPLITS)}, got {split!r}")
        names = _choose_columns(columns, MOMENTS, self.manifest.schema_version)
        if columns is None and config == "text":
            names = [name for name in names if name not in SCREENS]
        if split == MONTH:
            return self._merge_moments(names, config, ids)
        return (row for shard in self.shards(split, MOMENTS) for row in self._rows(shard, names, ids))

    def _merge_moments(
        self, names: list[str], config: Config, ids: Container[str] | None
    ) -> Iterator[dict[str, Any]]:
        """Rows of all splits of moments in one order, by user and time."""
        read = list(dict.fromkeys((*names, "user_id", "time")))
        splits = [self._read_moments(split, read, config, ids) for split in MOMENT_SPLITS]
        for row in heapq.merge(*splits, key=lambda row: (rank_user(row["user_id"]), row["time"])):
            yield {name: row[name] for name in names}

    def read_moment_file(self, name: str) -> bytes:
        """Return the content of a file of the moments beside the shards, compared with its sha256.

        Args:
            name: `ODDS_FILE` or `PATIENCE_FILE`.

        Raises:
            UsageError: The dataset has no moments.
            DatasetError: The file is missing or has changed since the build.
        """
        entry = next((one for one in self.require_moments().files if one.file == name), None)
        if entry is None:
            raise DatasetError(f"expected a file that the manifest lists{_CHANGED}", file=self.path / name)
        return _read_checked(self.path / entry.file, entry.sha256)

    def screens(self, split: str) -> dict[str, int]:
        """Count the steps with a screenshot of each episode, by id, without reading pictures.

        Raises:
            UsageError: The split is unknown.
            DatasetError: A file is not Parquet.
        """
        names = ["episode_id", "screenshots.list.element.path"]
        counts: dict[str, int] = {}
        for shard in self.shards(split, "default"):
            for row in _read(self.path / shard.file, names, ROWS_AT_ONCE["text"]):
                counts[row["episode_id"]] = sum(image is not None for image in row["screenshots"])
        return counts

    def subsets(self) -> OutOfDomain:
        """Return the out-of-domain subsets of A.6.1 and the filtered training set.

        Raises:
            DatasetError: subsets.json is missing, broken, changed since the build, or of another version.
        """
        if (entry := self._entry(SUBSETS)) is not None:
            _read_checked(self.path / entry.file, entry.sha256)
        return OutOfDomain.read(self.path / SUBSETS)

    def unseen_episodes(self) -> frozenset[str]:
        """Return the ids of all episodes, of any split, that training on the filtered set must not show.

        These have a held-out user, app or intent category, or an unknown app or category where one is held
        out. `references_from` finds them among the references of a row.

        Raises:
            DatasetError: A file is missing, broken, or changed since the build.
        """
        subsets, names = self.subsets(), ("episode_id", "user_id", "app", "intent_category")
        return frozenset(
            row["episode_id"]
            for split in self.manifest.split_names
            for row in self.rows(split, columns=names)
            if subsets.unseen(_values(row))
        )

    def simulations(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the set-up of each episode's simulated phone, by episode id; empty for recorded data.

        Raises:
            DatasetError: simulations.jsonl has changed since the build, or a line is invalid.
        """
        file, entry = self.path / SIMULATIONS, self._entry(SIMULATIONS)
        if entry is not None:
            return read_simulations(_read_checked(self.path / entry.file, entry.sha256), file)
        if not file.exists():
            return {}
        if self.manifest.version >= HASHES_SINCE:
            raise DatasetError(f"expected a file that the manifest lists{_CHANGED}", file=file)
        return read_simulations(_read_content(file), file)

    def start(self) -> Start:
        """Return where episodes begin: in their app, or on the home screen.

        A simulation says it; people who were simulated before it did began on the home screen. A recorded
        release says it in its settings; the published one begins in the app (A.4).

        Raises:
            DatasetError: As of `simulations`; or people of both starts are in the dataset.
        """
        simulations = self.simulations()
        return (
            find_start(simulations, self.path / SIMULATIONS) if simulations else self.manifest.settings.start
        )

    def require_start(self, start: Start) -> None:
        """Check that attempts begin where the episodes do, whose actions they are compared with.

        Raises:
            UsageError: They do not.
            DatasetError: As of `start`.
        """
        own = self.start()
        if own != start:
            where = {"app": "in their app", "home": "on the home screen"}[own]
            raise UsageError(
                f"expected the start of the dataset, whose episodes begin {where}, got {start}: add "
                f"--start {own}, or make a dataset with --start {start}",
                file=self.path,
            )

    def answer_forms(self) -> Mapping[str, str]:
        """Return the form of the answer of each episode that asks a question, by episode id.

        Raises:
            DatasetError: As of `simulations`.
        """
        return list_answer_forms(self.simulations())

    def require_references(self) -> None:
        """Check that every split has references, as the training rows of track 2 show them.

        Raises:
            DatasetError: Only test_execution has references, because the dataset is older.
        """
        if not self.manifest.references_on_every_split:
            raise DatasetError(f"the dataset {BEFORE_REFERENCES}", file=self.path)

    def verify(self) -> None:
        """Read every data file and compare its sha256 with the manifest's.

        Raises:
            DatasetError: A file has changed since the build.
        """
        for entry in self.manifest.all_files:
            _check_hash(self.path / entry.file, entry.sha256)

    def _entry(self, name: str) -> DataFile | None:
        """Return the manifest's entry of a file next to the shards; None if it lists no such file."""
        return next((entry for entry in self.manifest.files if entry.file == name), None)


def _values(row: Mapping[str, Any]) -> Intent:
    """Return the intent of a row with the fields of which subsets hold out values."""
    return Intent(
        user_id=row["user_id"],
        time=row["episode_id"].rpartition("__")[2],
        scenario="",
        app=row["app"],
        text="",
        category=row["intent_category"],
    )


def _read_content(file: Path) -> bytes:
    try:
        return read_file(file)
    except OSError as error:
        raise DatasetError(f"the file cannot be read: {error.strerror or error}", file=file) from None


def _read_checked(file: Path, sha256: str) -> bytes:
    """Return the content of a file whose sha256 is the manifest's."""
    content = _read_content(file)
    _check_sha256(hashlib.sha256(content).hexdigest(), sha256, file)
    return content


def _check_hash(file: Path, sha256: str) -> None:
    """Check a file of any size without holding it."""
    try:
        with file.open("rb") as data:
            got = hashlib.file_digest(data, "sha256").hexdigest()
    except OSError as error:
        raise DatasetError(f"the file cannot be read: {error.strerror or error}", file=file) from None
    _check_sha256(got, sha256, file)


@lru_cache(maxsize=4096)
def _check_unchanged(file: Path, state: FileState, sha256: str) -> None:
    """Check a file once for each of its states: a dataset may be read task by task."""
    _check_hash(file, sha256)


def _read_state(file: Path) -> FileState:
    """Size and time of the last change of a file, ns; (0, 0) for one that is gone."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns


def _check_sha256(got: str, sha256: str, file: Path) -> None:
    if got != sha256:
        raise DatasetError(f"expected sha256 {sha256}, got {got}{_CHANGED}", file=file)


def _choose_columns(wanted: Sequence[str] | None, config: Config, version: int) -> list[str]:
    known = list(columns(config, version))
    unknown = [name for name in wanted or () if name not in known]
    if unknown:
        raise UsageError(f"expected columns of {', '.join(known)}, got {', '.join(unknown)}")
    return known if wanted is None else list(wanted)


def _read(
    file: Path,
    names: list[str],
    rows: int,
    groups: Sequence[Sequence[bool]] | None = None,
    sha256: str | None = None,
) -> Iterator[dict[str, Any]]:
    top_level = [name.partition(".")[0] for name in names]
    with _open_shard(file, sha256) as parquet:
        for batch in _read_batches(parquet, names, rows, groups):
            yield from map(read_moments, batch.select(top_level).to_pylist())


@contextmanager
def _open_shard(file: Path, sha256: str | None) -> Iterator[pq.ParquetFile]:
    """Open a shard; with a hash, the content that has it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = None if sha256 is None else _read_checked(file, sha256)
    try:
        with pq.ParquetFile(file if content is None else pa.BufferReader(content)) as parquet:
            yield parquet
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the Parquet shard cannot be read: {error}", file=file) from error


def _read_batches(
    parquet: pq.ParquetFile, names: list[str], rows: int, groups: Sequence[Sequence[bool]] | None
) -> Iterator[pa.RecordBatch]:
    read = partial(parquet.iter_batches, batch_size=rows, columns=names, use_threads=False)
    if groups is None:
        yield from read()
        return
    for group, wanted in enumerate(groups):
        at = 0
        for batch in read(row_groups=[group]) if any(wanted) else ():
            yield batch.filter(_make_mask(wanted[at : at + batch.num_rows]))
            at += batch.num_rows


def _make_mask(wanted: Sequence[bool]) -> pa.BooleanArray:
    """The rows that are wanted, as a filter; `pa.array` would import pandas first, in 28 MB."""
    import numpy as np
    import pyarrow as pa

    bits = np.packbits(np.fromiter(wanted, bool, len(wanted)), bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(wanted), [None, pa.py_buffer(bits)])


@lru_cache(maxsize=1024)
def _list_group_ids(file: Path, state: FileState, sha256: str | None) -> tuple[tuple[str, ...], ...]:
    """Episode ids of each row group of a file in a state."""
    with _open_shard(file, sha256) as parquet:
        return tuple(
            tuple(parquet.read_row_group(group, ["episode_id"], use_threads=False).column(0).to_pylist())
            for group in range(parquet.num_row_groups)
        )
