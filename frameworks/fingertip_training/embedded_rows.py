"""Rows for TRL as Parquet with the pictures inside, for a training machine without a shared folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_dataset.parquet.features import Type, make_schema

if TYPE_CHECKING:
    import pyarrow as pa

GROUP_BYTES = 32 << 20
"""Bytes of pictures after which a row group ends."""

GROUP_ROWS = 1000


def embed_pictures(rows: Path, *, with_pictures: bool, as_parts: bool, pairs: bool = False) -> Path:
    """Write a file of rows as a Parquet file next to it, and remove it; the pictures stay.

    Args:
        rows: JSON lines for TRL.
        with_pictures: Whether rows have a column of pictures.
        as_parts: Whether the content of a message is a list of parts.
        pairs: Whether rows are preference pairs.
    """
    import pyarrow.parquet as pq

    content: Type = ({"type": "string", "text": "string"},) if as_parts else "string"
    messages: Type = ({"role": "string", "content": content},)
    images: Mapping[str, Type] = {"images": ("image",)} if with_pictures else {}
    origin: Mapping[str, Type] = {"episode_id": "string", "step": "int32"}
    kind: Mapping[str, Type] = {"kind": "string"} if pairs else {}
    answers: Mapping[str, Type] = dict.fromkeys(
        ("chosen", "rejected") if pairs else ("completion",), messages
    )
    schema = make_schema({**images, "prompt": messages, **answers, **origin, **kind})
    file = rows.with_suffix(".parquet")
    with pq.ParquetWriter(file, schema) as writer:
        for table in _tables(rows, schema):
            writer.write_table(table)
    rows.unlink()
    return file


def _tables(rows: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    import pyarrow as pa

    group: list[dict[str, Any]] = []
    held = 0
    with rows.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "images" in row:
                # bare names: `datasets` drops the bytes of an image whose path it finds on the disk
                row["images"] = [
                    {"bytes": (rows.parent / name).read_bytes(), "path": name.replace("/", "-")}
                    for name in row["images"]
                ]
                held += sum(len(image["bytes"]) for image in row["images"])
            group.append(row)
            if held >= GROUP_BYTES or len(group) >= GROUP_ROWS:
                yield pa.Table.from_pylist(group, schema=schema)
                group, held = [], 0
    if group:
        yield pa.Table.from_pylist(group, schema=schema)
