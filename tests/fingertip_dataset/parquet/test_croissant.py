"""croissant.json by mlcroissant: it validates, and the records that it leads to are those of the dataset."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.croissant import croissant
from fingertip_dataset.parquet.features import CONFIGS, columns
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.release.origins import AUTHORS, AUTHORS_LICENCE, UNKNOWN
from fingertip_dataset.split_names import SPLITS
from tests.shared_datasets import built_sample


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltDataset:
    return BuiltDataset.open(built_sample(tmp_path_factory))


def plain(value: Any, name: str) -> Any:  # noqa: ANN401 - JSON of every kind
    """A record of mlcroissant with our names: it prefixes them, and gives text as bytes."""
    if isinstance(value, dict):
        return {key.removeprefix(f"{name}/"): plain(member, key) for key, member in value.items()}
    if isinstance(value, list):
        return [plain(member, name) for member in value]
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.install
@pytest.mark.filterwarnings("ignore")  # of mlcroissant's own dependencies
def test_mlcroissant_reads_every_split_by_it(built: BuiltDataset) -> None:
    import mlcroissant

    described = mlcroissant.Dataset(jsonld=built.path / "croissant.json")
    assert not described.metadata.ctx.issues.errors
    assert [entry.id for entry in described.metadata.record_sets] == [
        f"{config}/{split}" for config in CONFIGS for split in SPLITS
    ]
    name = "text/test_execution"
    assert [plain(record, name) for record in described.records(name)] == [
        row | {
            "time": row["time"].isoformat(),
            "previous_intents": [{**i, "time": i["time"].isoformat()} for i in row["previous_intents"]],
        }
        for row in built.rows("test_execution")
    ]  # fmt: skip
    record = next(iter(described.records("default/test_execution")))
    row = next(built.rows("test_execution", config="default"))
    shown = record["default/test_execution/screenshots"]
    assert len(shown) == len(row["screenshots"])


def test_files_are_those_on_the_disk(built: BuiltDataset) -> None:
    output = json.loads((built.path / "croissant.json").read_text(encoding="utf-8"))
    objects = [entry for entry in output["distribution"] if entry["@type"] == "cr:FileObject"]
    assert {entry["contentUrl"] for entry in objects} == {
        file.relative_to(built.path).as_posix() for file in built.path.rglob("*.parquet")
    }
    for entry in objects:
        data = (built.path / entry["contentUrl"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
        assert entry["contentSize"] == f"{len(data)} B"
    sets = [entry for entry in output["distribution"] if entry["@type"] == "cr:FileSet"]
    found = [file for entry in sets for file in built.path.glob(entry["includes"])]
    assert len(found) == len(set(found)) == len(objects)


def test_every_column_is_described(built: BuiltDataset) -> None:
    for entry in croissant(built.manifest)["recordSet"]:
        config = entry["@id"].partition("/")[0]
        assert [field["name"].rpartition("/")[2] for field in entry["field"]] == list(columns(config))
        assert all(field["description"] for field in entry["field"])


@pytest.mark.parametrize(
    ("origins", "licences", "licence", "url"),
    [
        ((AUTHORS,), (AUTHORS_LICENCE,), "https://spdx.org/licenses/CC-BY-4.0.html", True),
        ((UNKNOWN,), (UNKNOWN,), "unknown", False),
        (("a", "b"), ("mit", "mine"), ["https://spdx.org/licenses/MIT.html", "mine"], False),
    ],
)
def test_licence_and_origin_are_the_manifests(
    built: BuiltDataset, origins: tuple[str, ...], licences: tuple[str, ...], licence: object, url: bool
) -> None:
    changes = {"origins": origins, "licences": licences, "provenance": "recorded"}
    output = croissant(Manifest.model_validate(built.manifest.model_dump() | changes))
    assert (output["license"], output["prov:wasDerivedFrom"]) == (licence, list(origins))
    assert ("url" in output) is url
    assert "not recorded from people" not in output["description"]
    assert "not recorded from people: sample" in croissant(built.manifest)["description"]
