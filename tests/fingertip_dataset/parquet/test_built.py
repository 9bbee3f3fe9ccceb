from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import columns
from fingertip_dataset.split_names import SPLITS
from fingertip_dataset.tasks.task import execution_task, references_from
from tests.shared_datasets import built_sample, manifest_again
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_sample(tmp_path_factory)


@pytest.fixture
def dataset(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "fingertip-20k"))


def shard(dataset: Path) -> Path:
    return next((dataset / "data").glob("train-*.parquet"))


def test_columns_have_the_requested_order(finished: Path) -> None:
    built = BuiltDataset.open(finished)
    names = ["intent", "episode_id", "actions"]
    picked = list(built.rows("test_suggestion", columns=names))
    assert picked
    assert all(list(row) == names for row in picked)
    assert list(next(built.rows("train"))) == list(columns("text"))
    assert list(next(built.rows("train", config="default"))) == list(columns("default"))


def test_rows_are_by_user_and_time(finished: Path) -> None:
    keys = [(int(row["user_id"]), row["time"]) for row in BuiltDataset.open(finished).rows("train")]
    assert keys == sorted(keys)
    assert len(keys) > 20


@pytest.mark.parametrize(("call", "words"), VECTORS["a_wrong_call_is_refused_before_the_first_row"])
def test_a_wrong_call_is_refused_before_the_first_row(
    finished: Path, call: dict[str, str], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        BuiltDataset.open(finished).rows(**call)  # type: ignore[arg-type]


def test_a_path_may_be_a_text(finished: Path) -> None:
    opened = BuiltDataset.open(str(finished))  # type: ignore[arg-type]
    assert opened == BuiltDataset.open(finished)
    assert opened.path == finished


def test_a_missing_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no built dataset: `fingertip build` makes one"):
        BuiltDataset.open(tmp_path / "nothing")
    with pytest.raises(DatasetError, match="no built dataset: `fingertip build` makes one"):
        BuiltDataset.open(tmp_path)


def test_an_incomplete_dataset_is_refused(dataset: Path) -> None:
    file = shard(dataset)
    with file.open("ab") as more:
        more.write(b"\0")
    with pytest.raises(DatasetError, match=r"expected a shard of \d+ bytes, got \d+ bytes.*train-"):
        BuiltDataset.open(dataset)
    file.unlink()
    with pytest.raises(DatasetError, match=r"expected a shard of \d+ bytes, got no file"):
        BuiltDataset.open(dataset)


def test_references_to_unseen_values_are_found(finished: Path) -> None:
    built = BuiltDataset.open(finished)
    subsets, unseen = built.subsets(), built.unseen_episodes()
    rows = {row["episode_id"]: row for split in SPLITS for row in built.rows(split)}
    held_out = {name: subset.held_out for name, subset in subsets.subsets.items()}
    assert all(held_out.values())
    assert unseen == {
        episode_id
        for episode_id, row in rows.items()
        if row["user_id"] in held_out["unseen_users"]
        or row["app"].partition("/")[0] in {*held_out["unseen_apps"], ""}
        or row["intent_category"] in {*held_out["unseen_intent_categories"], None}
    }
    assert set(subsets.train) == {row["episode_id"] for row in built.rows("train")} - unseen
    dropped = 0
    for row in (rows[episode_id] for episode_id in subsets.train):
        found = references_from(row, unseen)
        dropped += len(found)
        for name in ("same_user_reference", "other_type_reference"):
            assert (name in found) == (row[name] is not None and row[name]["episode_id"] in unseen)
        task = execution_task({**row, **dict.fromkeys(found)})
        assert (task.other_type_reference is None) == ("other_type_reference" in found)
    assert dropped > 0


def test_a_dataset_of_version_1_is_read(dataset: Path) -> None:
    """Its times are timestamps, and its manifest says less."""
    expected = list(BuiltDataset.open(dataset).rows("train"))
    file = next((dataset / "text").glob("train-*.parquet"))
    table, moment = pq.read_table(file), pa.timestamp("s", tz="+08:00")
    earlier = table["previous_intents"].to_pylist()
    for intent in (intent for previous in earlier for intent in previous):
        intent["time"] = datetime.fromisoformat(intent["time"])
    fields = table.schema.field("previous_intents").type.value_type
    struct = pa.struct([pa.field("time", moment) if field.name == "time" else field for field in fields])
    for name, column in (
        ("time", pa.array([datetime.fromisoformat(t) for t in table["time"].to_pylist()], moment)),
        ("previous_intents", pa.array(earlier, pa.list_(struct))),
    ):
        table = table.set_column(table.schema.get_field_index(name), name, column)
    pq.write_table(table, file)
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    for name in ("origins", "licences", "people"):
        del manifest[name]
    (dataset / "manifest.json").write_text(json.dumps(manifest | {"schema_version": 1}), encoding="utf-8")
    manifest_again(dataset, version=1)
    old = BuiltDataset.open(dataset)
    assert list(old.rows("train")) == expected
    assert old.manifest.licences == ("unknown",)


def test_verify_finds_one_changed_byte(dataset: Path) -> None:
    BuiltDataset.open(dataset).verify()
    with shard(dataset).open("r+b") as file:
        file.seek(5000)
        byte = file.read(1)
        file.seek(5000)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(DatasetError, match=r"expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}"):
        BuiltDataset.open(dataset).verify()


def test_a_manifest_that_contradicts_itself_is_refused(dataset: Path) -> None:
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    (dataset / "manifest.json").write_text(json.dumps(manifest | {"data_sha256": "0" * 64}), encoding="utf-8")
    with pytest.raises(DatasetError, match="expected data_sha256"):
        BuiltDataset.open(dataset)


def same_size(file: Path) -> None:
    """Change one byte of a file, which keeps its size."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def test_every_file_is_in_the_manifest_or_holds_no_data(dataset: Path) -> None:
    manifest = BuiltDataset.open(dataset).manifest
    listed = {entry.file for entry in (*manifest.shards, *manifest.files)}
    found = {str(file.relative_to(dataset)) for file in dataset.rglob("*") if file.is_file()}
    cards = {"README.md", "data/README.md", "text/README.md"}
    assert found - listed == {*cards, "manifest.json", "croissant.json"}
    assert "subsets.json" in listed


def test_changed_text_is_refused_where_it_is_read(dataset: Path) -> None:
    """Intents, earlier intents, recorded actions and references are in the text shards."""
    same_size(next((dataset / "text").glob("test_execution-*.parquet")))
    built = BuiltDataset.open(dataset)
    with pytest.raises(DatasetError, match=r"it has changed since the build.*text/test_execution"):
        list(built.rows("test_execution"))
    assert list(built.rows("test_suggestion"))


def test_changed_subsets_are_refused(dataset: Path) -> None:
    same_size(dataset / "subsets.json")
    built = BuiltDataset.open(dataset)
    with pytest.raises(DatasetError, match=r"it has changed since the build.*subsets\.json"):
        built.subsets()
    (dataset / "subsets.json").unlink()
    with pytest.raises(DatasetError, match=r"expected a file of \d+ bytes, got no file"):
        BuiltDataset.open(dataset)


def test_a_simulation_that_the_manifest_does_not_list_is_refused(dataset: Path) -> None:
    (dataset / "simulations.jsonl").write_text('{"episode_id": "1", "simulation": {}}\n', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"expected a file that the manifest lists.*simulations\.jsonl"):
        BuiltDataset.open(dataset).simulations()


def test_a_dataset_of_version_2_is_read_without_hashes_of_its_files(dataset: Path) -> None:
    manifest_again(dataset, version=2)
    same_size(dataset / "subsets.json")
    (dataset / "simulations.jsonl").write_text('{"episode_id": "1", "simulation": {}}\n', encoding="utf-8")
    assert BuiltDataset.open(dataset).simulations() == {"1": {}}


def test_a_shard_that_is_no_parquet_is_one_line(dataset: Path) -> None:
    file = next((dataset / "text").glob("train-*.parquet"))
    file.write_bytes(b"x" * file.stat().st_size)
    manifest_again(dataset, version=2)
    with pytest.raises(DatasetError, match=r"the Parquet shard cannot be read: .*text/train-"):
        list(BuiltDataset.open(dataset).rows("train"))


@pytest.mark.parametrize("content", [None, b"", b"[]", b"\xff"])
def test_subsets_that_cannot_be_read_are_one_line(dataset: Path, content: bytes | None) -> None:
    (dataset / "subsets.json").unlink()
    if content is not None:
        (dataset / "subsets.json").write_bytes(content)
    with pytest.raises(DatasetError, match=r"expected .*subsets\.json"):
        BuiltDataset.open(dataset).subsets()
