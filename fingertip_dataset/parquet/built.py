"""A built dataset on disk, read with pyarrow alone: without a copy, a cache, or `datasets`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.dataset_rows import with_moments
from fingertip_dataset.parquet.features import Config, columns
from fingertip_dataset.parquet.manifest import MANIFEST, SUBSETS, Manifest, Shard, data_hash
from fingertip_dataset.parquet.simulations import SIMULATIONS, read_simulations
from fingertip_dataset.split_names import SPLITS
from fingertip_dataset.tasks.out_of_domain import OutOfDomain

CHUNK = 1 << 20
"""Bytes hashed at a time."""

ROWS_AT_ONCE = {"default": 8, "text": 256}
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
    def open(cls, path: Path) -> BuiltDataset:
        """Open a dataset and check the size of every file; `verify` also reads them.

        Raises:
            DatasetError: The dataset is missing, incomplete, or of a newer version.
        """
        if not path.is_dir():
            raise DatasetError("no folder that fingertip build made", file=path)
        manifest = Manifest.read(path / MANIFEST)
        for shard in manifest.shards:
            file = path / shard.file
            size = file.stat().st_size if file.is_file() else None
            if size != shard.bytes:
                got = "no file" if size is None else f"{size} bytes"
                raise DatasetError(f"expected a shard of {shard.bytes} bytes, got {got}", file=file)
        return cls(path=path, manifest=manifest)

    def shards(self, split: str, config: Config = "text") -> list[Shard]:
        """Return the files of a split, in the order of their rows.

        Raises:
            UsageError: The split or config is unknown.
        """
        if split not in SPLITS:
            raise UsageError(f"expected a split of {', '.join(SPLITS)}, got {split!r}")
        columns(config)
        found = [shard for shard in self.manifest.shards if (shard.config, shard.split) == (config, split)]
        return sorted(found, key=lambda shard: shard.file)

    def rows(
        self, split: str, *, columns: Sequence[str] | None = None, config: Config = "text"
    ) -> Iterator[dict[str, Any]]:
        """Iterate over the rows of a split, by user and time; times are moments in Beijing time.

        Args:
            split: One of `SPLITS`.
            columns: Names of the columns, in the wanted order; None for all.
            config: "text", or "default" for screenshots as {"bytes", "path"} and trees.

        Raises:
            UsageError: The split, the config or a column is unknown.
            DatasetError: A file is not Parquet.
        """
        names = _column_names(columns, config)
        files = [self.path / shard.file for shard in self.shards(split, config)]
        return (row for file in files for row in _read(file, names, ROWS_AT_ONCE[config]))

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
            DatasetError: subsets.json is missing, broken, or of another version.
        """
        return OutOfDomain.read(self.path / SUBSETS)

    def simulations(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the set-up of each episode's simulated phone, by episode id; empty for recorded data.

        Raises:
            DatasetError: A line of simulations.jsonl is invalid.
        """
        return read_simulations(self.path / SIMULATIONS)

    def verify(self) -> None:
        """Read every shard and compare its sha256 with the manifest's.

        Raises:
            DatasetError: A file has changed since the build, or the manifest contradicts itself.
        """
        for shard in self.manifest.shards:
            file = self.path / shard.file
            got = _sha256(file)
            if got != shard.sha256:
                raise DatasetError(f"expected sha256 {shard.sha256}, got {got}", file=file)
        got = data_hash(self.manifest.shards)
        if got != self.manifest.data_sha256:
            raise DatasetError(
                f"expected data_sha256 {got} for these shards, got {self.manifest.data_sha256}",
                file=self.path / MANIFEST,
            )


def _column_names(wanted: Sequence[str] | None, config: Config) -> list[str]:
    known = list(columns(config))
    unknown = [name for name in wanted or () if name not in known]
    if unknown:
        raise UsageError(f"expected columns of {', '.join(known)}, got {', '.join(unknown)}")
    return known if wanted is None else list(wanted)


def _read(file: Path, names: list[str], rows: int) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    top_level = [name.partition(".")[0] for name in names]
    try:
        with pq.ParquetFile(file) as parquet:
            for batch in parquet.iter_batches(batch_size=rows, columns=names, use_threads=False):
                yield from map(with_moments, batch.select(top_level).to_pylist())
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the Parquet shard cannot be read: {error}", file=file) from error


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as data:
        while chunk := data.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
