from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.demographics import count_people
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.manifest import Manifest, People, Shard, data_file, hash_data


def shard(file: str, sha256: str = "0" * 64) -> Shard:
    return Shard(config="text", split="train", file=file, rows=1, bytes=10, sha256=sha256)


def fields(**changes: object) -> dict[str, Any]:
    counts = {"episodes": 1, "steps": 2, "screenshots": 2, "trees": 1, "users": 1, "apps": 1, "categories": 1}
    return {
        "version": 3,
        "schema_version": 3,
        "provenance": "sample",
        "origins": ["drawn"],
        "licences": ["apache-2.0"],
        "people": People.of(count_people([UserProfile(sex="女", age=21)])).model_dump(),
        "episodes": {"given": 3, "kept": 1, "rejected": 2},
        "problems": {"missing_tree": 1},
        "splits": {"train": counts},
        "split_method": "rule A.5",
        "seed": 0,
        "history": "online",
        "references": {"similarity": "text", "skip_same_task": False},
        "user_types": "by age",
        "shards": [shard("text/train-00000-of-00001.parquet").model_dump()],
        "files": [data_file("subsets.json", b"{}").model_dump()],
        "data_sha256": "1" * 64,
        "plan": "2" * 64,
        "source": {"git_commit": None, "dirty": None, "packages": {"pyarrow": "26.0.1"}},
    } | changes


def written(folder: Path, content: dict[str, Any]) -> Path:
    file = folder / "manifest.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def test_what_is_written_is_read(tmp_path: Path) -> None:
    manifest = Manifest.model_validate(fields())
    manifest.write(tmp_path / "manifest.json")
    assert Manifest.read(tmp_path / "manifest.json") == manifest
    assert json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8")) == fields()


def test_version_1_is_read_with_missing_fields_unknown(tmp_path: Path) -> None:
    old = fields(version=1, schema_version=1, provenance="recorded")
    for name in ("origins", "licences", "people", "files"):
        del old[name]
    del old["splits"]["train"]["categories"]
    manifest = Manifest.read(written(tmp_path, old))
    assert (manifest.origins, manifest.licences, manifest.people) == (("unknown",), ("unknown",), None)
    assert manifest.splits["train"].categories is None


def test_a_newer_manifest_is_refused_in_words(tmp_path: Path) -> None:
    file = written(tmp_path, {"version": 9, "layout": "of the future"})
    with pytest.raises(
        DatasetError, match="version 8 or older, got version 9: install a newer fingertip-20k to read it"
    ):
        Manifest.read(file)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"history": "offline"}, "at history"),
        ({"seed": "zero"}, "at seed"),
        ({"extra": 1}, "at extra"),
        ({"licences": []}, "at licences"),
        ({"episodes": {"given": -1, "kept": 0, "rejected": 0}}, "at episodes.given"),
        (
            {"shards": [shard("text/train-00000-of-00001.parquet").model_dump() | {"file": "../x"}]},
            "at shards.0.file",
        ),
    ],
)
def test_an_invalid_manifest_is_refused_with_the_place(
    tmp_path: Path, changes: dict[str, Any], where: str
) -> None:
    with pytest.raises(DatasetError, match=where):
        Manifest.read(written(tmp_path, fields(**changes)))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe\x00", b'{"version": "x"}'])
def test_a_manifest_that_is_no_json_object_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(DatasetError, match="the manifest is not valid"):
        Manifest.read(tmp_path / "manifest.json")


def test_the_data_hash_is_that_of_sha256sum(tmp_path: Path) -> None:
    files = {"data/train-00000-of-00001.parquet": b"a", "data/vali-00000-of-00001.parquet": b"b"}
    (tmp_path / "data").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    listed = subprocess.check_output(["sha256sum", *sorted(files)], cwd=tmp_path, text=True)
    shards = [shard(line.split()[1], line.split()[0]) for line in listed.splitlines()]
    expected = subprocess.check_output(["sha256sum"], input=listed, text=True).split()[0]
    assert hash_data(shards) == hash_data(reversed(shards)) == expected
    assert hash_data(shards[:1]) != expected
