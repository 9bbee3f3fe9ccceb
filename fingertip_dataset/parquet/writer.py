"""Writer of one Parquet file, which counts its rows and hashes its bytes while writing.

For speed and constant memory: images are neither compressed nor dictionary-encoded, which would make JPEG
bytes slower and no smaller; their Arrow array refers to one joined buffer; a page holds few values; row
groups end at `ROW_GROUP_BYTES`; the file is written in small pieces (`PIECE`). For identical bytes every
time: no time or machine state is written.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.parquet.dataset_rows import Row, in_order
from fingertip_dataset.parquet.features import SCHEMA_VERSION, Config, Type, arrow_schema, columns

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

PARQUET_VERSION = 2
"""Version of the settings below; part of each plan's fingerprint, because other settings give other bytes."""

ROW_GROUP_BYTES = 8 << 20
"""Bytes of screens and trees after which a row group ends; the Hub's viewer accepts 100 to 300 MB."""

PIECE = 64 << 10
"""Bytes of one write. With larger ones ext4 allocates large pages, which took four times as long."""

ROW_GROUP_ROWS = 1000
"""Maximum number of rows of a row group."""

LARGEST_ROW_BYTES = 1 << 30
"""Maximum bytes of screens and trees of one episode; Arrow's list of images ends at 2 GiB."""


class HashedFile:
    """A file for appending that computes its length and sha256 while being written.

    Args:
        path: Path of the file; must not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb", buffering=0)
        self._hash = hashlib.sha256()
        self._discarding = False
        self.length = 0

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return self._file.closed

    def write(self, data: bytes) -> int:
        """Append all of `data`."""
        if self._discarding:
            return len(data)
        left = memoryview(data)
        self._hash.update(left)
        self.length += len(left)
        while left:
            left = left[self._file.write(left[:PIECE]) :]
        return len(data)

    def notify(self) -> int:
        """Return the number of bytes written so far; pyarrow calls it to learn the position."""
        return self.length

    def flush(self) -> None:
        """Do nothing: every write goes to the file at once."""

    def discard(self) -> None:
        """Ignore all further writes: a Parquet writer must be closed, and so writes, even after an error."""
        self._discarding = True

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def sha256(self) -> str:
        """Return the sha256 of all bytes so far, in hexadecimal."""
        return self._hash.hexdigest()


class ParquetFile:
    """Parquet file with the rows of one config, written one row group at a time.

    Args:
        path: Path of the file; must not exist yet.
        config: Config that determines the columns.
        version: Version of the columns.

    Attributes:
        rows: Number of rows written.
    """

    def __init__(self, path: Path, config: Config, version: int = SCHEMA_VERSION) -> None:
        import pyarrow.parquet as pq

        kinds = columns(config, version)
        leaves = [leaf for name, kind in kinds.items() for leaf in _list_leaf_paths(name, kind)]
        trees = [leaf for leaf in leaves if leaf.startswith("accessibility_trees")]
        self.rows = 0
        self._names = tuple(kinds)
        self._schema = arrow_schema(config, version)
        self._held: list[Row] = []
        self._held_bytes = 0
        self._sink = HashedFile(path)
        self._writer = pq.ParquetWriter(
            self._sink,
            self._schema,
            # beside screens the short columns are tiny, but each would cost a compressor in every row group
            compression={leaf: "zstd" if leaf in (trees or leaves) else "none" for leaf in leaves},
            use_dictionary=False,
            write_statistics=[name for name, kind in kinds.items() if isinstance(kind, str)],
            # with a page index the Hub's viewer reads single rows; without one it reads whole row groups
            write_page_index=True,
            write_batch_size=8,  # pages are cut between batches, and 8 images are a page
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._flush()
                self._writer.close()
        finally:
            self._sink.discard()
            self._writer.close()
            self._sink.close()

    @property
    def length(self) -> int:
        """Length of the file in bytes."""
        return self._sink.length

    def sha256(self) -> str:
        """Return the sha256 of the file's bytes, in hexadecimal."""
        return self._sink.sha256()

    def write(self, row: Mapping[str, Any]) -> None:
        """Add a row; columns that the config lacks are left out.

        Raises:
            ReleaseError: The row's screens are too large for a row group.
        """
        columns_of_config = in_order(row, self._names)
        size = _count_screen_bytes(columns_of_config)
        if size > LARGEST_ROW_BYTES:
            raise ReleaseError(
                f"expected an episode with at most {LARGEST_ROW_BYTES} bytes of screens, got {size}",
                episode_id=row["episode_id"],
            )
        self._held.append(columns_of_config)
        self._held_bytes += size
        if self._held_bytes >= ROW_GROUP_BYTES or len(self._held) >= ROW_GROUP_ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if not self._held:
            return
        arrays = [_make_column([row[field.name] for row in self._held], field) for field in self._schema]
        table = pa.Table.from_arrays(arrays, schema=self._schema)
        self.rows += len(self._held)
        self._held, self._held_bytes = [], 0
        self._writer.write_table(table)


def _list_leaf_paths(name: str, kind: Type) -> Iterator[str]:
    """Yield the paths of the Parquet leaf columns of a column.

    >>> list(_list_leaf_paths("screenshots", ("image",)))
    ['screenshots.list.element.bytes', 'screenshots.list.element.path']
    """
    if isinstance(kind, tuple):
        yield from _list_leaf_paths(f"{name}.list.element", kind[0])
    elif isinstance(kind, Mapping):
        for member, member_kind in kind.items():
            yield from _list_leaf_paths(f"{name}.{member}", member_kind)
    elif kind == "image":
        yield from (f"{name}.bytes", f"{name}.path")
    else:
        yield name


def _count_screen_bytes(row: Row) -> int:
    images = sum(len(image["bytes"]) for image in row.get("screenshots", ()) if image)
    return images + sum(len(tree) for tree in row.get("accessibility_trees", ()) if tree)


def _make_column(values: Sequence[Any], field: pa.Field) -> pa.Array:
    import pyarrow as pa

    if field.name == "screenshots":
        return _make_image_lists(values, field)
    return pa.array(values, field.type)


def _make_image_lists(lists: Sequence[Sequence[dict[str, Any] | None]], field: pa.Field) -> pa.Array:
    """Build the images of several rows over one joined buffer; `pa.array` would grow its own by doubling."""
    import pyarrow as pa

    images = [image for row in lists for image in row]
    # a missing image is masked in the struct, so its bytes are never read
    data = [image["bytes"] if image else b"" for image in images]
    ends = pa.py_buffer(array("i", accumulate(map(len, data), initial=0)))
    missing = pa.array([image is None for image in images], pa.bool_())
    members = [
        pa.Array.from_buffers(pa.binary(), len(data), [None, ends, pa.py_buffer(b"".join(data))]),
        pa.array([image["path"] if image else None for image in images], pa.string()),
    ]
    structs = pa.StructArray.from_arrays(members, fields=list(field.type.value_type), mask=missing)
    offsets = pa.array(accumulate(map(len, lists), initial=0), pa.int32())
    return pa.ListArray.from_arrays(offsets, structs, type=field.type)
