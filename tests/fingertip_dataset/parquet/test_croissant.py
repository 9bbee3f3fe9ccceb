"""croissant.json by mlcroissant: it validates, and the records that it leads to are those of the dataset."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.croissant import croissant
from fingertip_dataset.parquet.features import CONFIGS, columns
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.release.origins import AUTHORS, AUTHORS_LICENCE, UNKNOWN, Origins
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.redaction import Redaction
from fingertip_dataset.release.release_date import PAPER_DATE, find_release_date
from fingertip_dataset.split_names import SPLITS
from tests.fixtures.drawn_sample import sample_release
from tests.shared_datasets import built_sample

RAW = sample_release() / "raw"


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


def test_the_date_is_that_of_the_release_or_of_its_redaction(built: BuiltDataset) -> None:
    output = json.loads((built.path / "croissant.json").read_text(encoding="utf-8"))
    newest = max(file.stat().st_mtime for file in RAW.rglob("survey_result.json"))
    assert output["datePublished"] == datetime.fromtimestamp(newest, UTC).date().isoformat()
    assert "datePublished" not in croissant(built.manifest)
    counts = dict.fromkeys(
        ("confirmed", "undecided", "rejected", "added", "screenshots", "reencoded", "texts", "left_out"), 0
    )
    redaction = Redaction(date="2026-02-03", by="", finds={}, values={}, simulations_removed=0, **counts)
    redacted = built.manifest.model_copy(update={"redacted": redaction})
    assert croissant(redacted, date(2026, 1, 1))["datePublished"] == "2026-02-03"


def test_the_environment_may_state_the_date(monkeypatch: pytest.MonkeyPatch) -> None:
    release = read_release(RAW)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    assert find_release_date(release) == date(2026, 1, 1)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(
        UsageError, match=r"^SOURCE_DATE_EPOCH: expected seconds since 1970, got 'yesterday'$"
    ):
        find_release_date(release)
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    of_authors = replace(release, origins=Origins(origins=(AUTHORS,)))
    assert find_release_date(of_authors) == PAPER_DATE
    assert find_release_date(replace(release, episodes=())) is None
