from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.parquet import writer as parquet
from fingertip_dataset.parquet.features import COLUMNS, Config, Type, arrow_schema, columns
from fingertip_dataset.parquet.writer import HashedFile, ParquetFile

texts = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
images = st.none() | st.fixed_dictionaries(
    {"bytes": st.binary(max_size=40), "path": st.text("ab.", max_size=5)}
)
LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "string": texts,
    "image": images,
    "int8": st.none() | st.integers(1, 2),
    "int32": st.none() | st.integers(0, 120),
    "float64": st.none() | st.floats(allow_nan=False),
    "float32": st.none() | st.floats(-1, 1, width=32),
}


def values(kind: Type) -> st.SearchStrategy[Any]:
    if isinstance(kind, str):
        return LEAVES[kind]
    if isinstance(kind, tuple):
        return st.lists(values(kind[0]), max_size=3)
    return st.fixed_dictionaries({name: values(member) for name, member in kind.items()})


rows = st.lists(st.fixed_dictionaries({name: values(kind) for name, kind in COLUMNS.items()}), max_size=3)


def row(**changes: object) -> dict[str, Any]:
    empty: dict[str, Any] = {name: [] if isinstance(kind, tuple) else None for name, kind in COLUMNS.items()}
    return empty | {"episode_id": "1__20250310_081530"} | changes


def write(path: Path, given_rows: list[dict[str, Any]], config: Config = "default") -> ParquetFile:
    with ParquetFile(path, config) as file:
        for each in given_rows:
            file.write(each)
    return file


@pytest.mark.parametrize("config", ["default", "text"])
@settings(deadline=None, max_examples=12)
@given(given_rows=rows)
def test_what_is_written_is_read(
    config: Config, given_rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.shard"
    file = write(path, given_rows, config)
    table = pq.read_table(path)
    assert table.schema.metadata == arrow_schema(config).metadata
    assert table.to_pylist() == [{name: each[name] for name in columns(config)} for each in given_rows]
    assert (file.rows, file.length) == (len(given_rows), path.stat().st_size)
    assert file.sha256() == hashlib.sha256(path.read_bytes()).hexdigest()


def test_row_groups_end_where_screens_fill_them(tmp_path: Path) -> None:
    picture = bytes(range(256)) * (6 << 12)
    given_rows = [row(screenshots=[{"bytes": picture, "path": f"{n}.jpg"}, None]) for n in range(7)]
    write(tmp_path / "big.shard", given_rows)
    with pq.ParquetFile(tmp_path / "big.shard") as file:
        groups = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        assert groups == [2, 2, 2, 1]
        read = file.read(["screenshots"]).to_pylist()
        image = file.metadata.row_group(0).column(file.metadata.schema.names.index("bytes"))
        assert (image.compression, image.encodings) == ("UNCOMPRESSED", ("RLE", "PLAIN"))
    assert read == [{"screenshots": each["screenshots"]} for each in given_rows]


@pytest.mark.parametrize("config", ["default", "text"])
def test_every_column_has_a_page_index(config: Config, tmp_path: Path) -> None:
    write(tmp_path / "rows.shard", [row(intent=f"第{n}首歌") for n in range(20)], config)
    with pq.ParquetFile(tmp_path / "rows.shard") as file:
        chunks = [file.metadata.row_group(0).column(n) for n in range(file.metadata.num_columns)]
    assert chunks
    assert [chunk.path_in_schema for chunk in chunks if not chunk.has_offset_index] == []
    # minima and maxima of pages, where statistics are kept
    assert {chunk.path_in_schema for chunk in chunks if chunk.has_column_index} == {
        name for name, kind in columns(config).items() if isinstance(kind, str)
    }


def test_many_small_rows_end_a_group_too(tmp_path: Path) -> None:
    write(tmp_path / "many.shard", [row()] * 2500, "text")
    with pq.ParquetFile(tmp_path / "many.shard") as file:
        assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [1000, 1000, 500]


def test_an_episode_that_fits_no_row_group_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "LARGEST_ROW_BYTES", 1000)
    tall = row(screenshots=[{"bytes": bytes(600), "path": "1.jpg"}], accessibility_trees=["x" * 401])
    with (
        pytest.raises(ReleaseError, match=r"at most 1000 bytes of screens, got 1001 \(episode 1__2025"),
        ParquetFile(tmp_path / "tall.shard", "default") as file,
    ):
        file.write(tall)


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        HashedFile(tmp_path / "there")
    assert (tmp_path / "there").read_bytes() == b"mine"
