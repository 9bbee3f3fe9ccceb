"""Fingerprint of scanned data: whether a report is of a release or dataset as it is now."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.parquet.manifest import MANIFEST, Manifest
from fingertip_dataset.release.tables.index_tables import find_tables, table_files


def tables_of(source: Path, tables: Path | None = None) -> Path | None:
    """Folder of the index tables of a raw release: the given one, one in it, or `tables` next to it.

    `fingertip sample` writes the tables beside the release.
    """
    beside = source.resolve().parent / "tables"
    return tables or find_tables(source) or (find_tables(beside) if beside.is_dir() else None)


def source_fingerprint(source: Path, tables: Path | None = None) -> str:
    """Hash of a raw release's files by name, size and modification time, or a built dataset's `data_sha256`.

    Args:
        source: Folder of a raw release or of a built dataset.
        tables: Folder of the index tables of a release; None looks for them as `tables_of` does.

    Raises:
        DatasetError: The manifest of the dataset cannot be read.
        ReleaseError: A folder of the release cannot be listed.
    """
    if (source / MANIFEST).is_file():
        return dataset_fingerprint(Manifest.read(source / MANIFEST))
    digest = hashlib.sha256()
    for name, status in _list_files(source):
        digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    place = tables_of(source, tables)
    for file in [place / name for name in table_files(place)] if place is not None else ():
        status = file.stat()
        digest.update(f"table {file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def dataset_fingerprint(manifest: Manifest) -> str:
    """Hash of a built dataset: its `data_sha256`, with that of its moments where it has any."""
    if manifest.moments is None:
        return manifest.data_sha256
    both = f"{manifest.data_sha256} {manifest.moments.data_sha256}"
    return hashlib.sha256(both.encode()).hexdigest()


def _list_files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every file below a folder that is not hidden, in a fixed order."""

    def refuse(error: OSError) -> None:
        raise ReleaseError(f"the folder cannot be listed: {error.strerror or error}", file=error.filename)

    for at, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith("."):
                path = f"{at}/{name}"
                try:
                    yield os.path.relpath(path, folder), os.stat(path)  # noqa: PTH116 - as in `shards`
                except OSError:
                    # a dead link, which a scan reports as a problem
                    continue
