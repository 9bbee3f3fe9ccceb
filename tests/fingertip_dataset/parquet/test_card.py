from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml  # type: ignore[import-untyped]
from datasets.info import DatasetInfosDict
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCardData

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.card import MEANINGS, TAGS, check_card, make_card_data, read_yaml, render_card
from fingertip_dataset.parquet.features import COLUMNS, CONFIGS, features
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.release.origins import AUTHORS, AUTHORS_LICENCE, UNKNOWN
from fingertip_dataset.release.problem_kinds import ProblemKind
from fingertip_dataset.split_names import SPLITS
from fingertip_dataset.tasks.splits import OFFICIAL, RULE_A5, RULE_A5_CONTRADICTION
from fingertip_metrics import published_rows
from tests.shared_datasets import built_sample
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


PUBLISHED = published_rows("table 7")


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    return Manifest.read(built_sample(tmp_path_factory) / "manifest.json")


@pytest.fixture(scope="module")
def card(manifest: Manifest) -> str:
    return render_card(manifest)


def changed(manifest: Manifest, **changes: object) -> Manifest:
    return Manifest.model_validate(manifest.model_dump() | changes)


def table(text: str, title: str) -> list[list[str]]:
    section = text.split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_yaml_is_what_datasets_would_write(manifest: Manifest) -> None:
    """The same block by the library's own writers."""
    theirs = DatasetCardData()
    infos = {config: datasets.DatasetInfo(features=features(config)) for config in CONFIGS}
    DatasetInfosDict(infos).to_dataset_card_data(theirs)
    sha = manifest.data_sha256
    version = f"{manifest.schema_version}.{int(sha[:6], 16)}.{int(sha[6:12], 16)}"
    files: dict[str, Any] = {
        config: {
            "version": version,
            "data_files": [{"split": split, "path": f"{folder}/{split}-*.parquet"} for split in SPLITS],
            **({"default": True} if config == "default" else {}),
        }
        for config, folder in (("default", "data"), ("text", "text"))
    }
    MetadataConfigs(files).to_dataset_card_data(theirs)
    assert yaml.safe_load(theirs.to_yaml()) == {
        key: make_card_data(manifest)[key] for key in ("configs", "dataset_info")
    }


def test_counts_stand_beside_the_papers(manifest: Manifest, card: str) -> None:
    rows = table(card, "Splits")
    assert [row[0] for row in rows] == list(SPLITS)
    for row in rows:
        counts = manifest.splits[row[0]]
        assert row[1:7] == [
            f"{number:,}"
            for number in (
                counts.episodes,
                counts.users,
                counts.apps,
                counts.steps,
                counts.screenshots,
                counts.trees,
            )
        ]
    assert [row[7] for row in rows] == ["not published", "not published", "996", "200"]


def test_table_7_of_the_paper_stands_beside_each_split(manifest: Manifest, card: str) -> None:
    rows = table(card, "Comparison with table 7 of the paper")
    assert [row[0] for row in rows] == list(SPLITS)
    for row in rows:
        own, (published,) = (
            manifest.splits[row[0]],
            [p for p in PUBLISHED if p.setting["splits"] == (row[0],)],
        )
        assert own.categories
        assert row[1:9:2] == [f"{n:,}" for n in (own.episodes, own.screenshots, own.apps, own.categories)]
        names = ("episodes", "screens", "apps", "categories")
        assert row[2:9:2] == [f"{published.values[name]:,}" for name in names]
    assert [row[10] for row in rows] == ["11.10", "7.45", "10.41", "10.37"]
    assert "does not look like a random remainder" in card
    assert "174" not in card.partition("## Integrity")[0].replace("177,674", "")


def test_the_people_stand_beside_the_papers(manifest: Manifest, card: str) -> None:
    rows = {row[0]: row[1:] for row in table(card, "People")}
    assert rows["users"] == ["4", "95"]
    assert rows["sex: male"] == ["2", "54"]
    assert rows["sex: female"] == ["2", "41"]
    assert rows["age in years"] == ["20 to 66", "18 to 60"]
    assert rows["mean age, known of 4"] == ["41.2", "25.9"]
    assert rows["occupation: employed"] == ["2", "a third"]
    assert rows["occupation: student, level not stated"] == ["1", "–"]
    assert "Not counted when" in render_card(changed(manifest, people=None))


def test_every_column_is_explained(card: str) -> None:
    assert list(MEANINGS) == list(COLUMNS)
    rows = table(card, "Columns")
    assert [row[0] for row in rows] == list(COLUMNS)
    assert [row[0] for row in rows if row[2] == "yes"] == list(features("text"))


def test_problems_are_listed_by_kind(manifest: Manifest) -> None:
    everything = {kind.value: number for number, kind in enumerate(ProblemKind, 1)}
    rows = table(render_card(changed(manifest, problems=everything)), "Problems found while building")
    assert {row[0]: int(row[1]) for row in rows} == everything
    assert "\nNone.\n" in render_card(changed(manifest, problems={}))


def test_data_that_are_not_recorded_are_marked_at_the_top(manifest: Manifest, card: str) -> None:
    notice = "These are not the recorded data of FingerTip 20K"
    text = card
    assert text.index(notice) < text.index("What people wanted")
    assert '"sample"' in text
    own = changed(manifest, provenance="recorded", origins=(UNKNOWN,), licences=(UNKNOWN,))
    assert notice not in render_card(own)
    assert "Nothing shows that these are the authors' data" in render_card(own)


def test_the_licence_is_the_releases_or_unknown(manifest: Manifest, card: str) -> None:
    sample = card
    assert read_yaml(sample)["license"] == "apache-2.0"
    assert "Licence of the data: `apache-2.0`" in sample
    nobody = changed(manifest, provenance="recorded", origins=(UNKNOWN,), licences=(UNKNOWN,))
    text = render_card(nobody)
    assert read_yaml(text)["license"] == "unknown"
    assert "Origin: unknown. Licence of the data: `unknown`." in text
    assert "CC BY 4.0" not in text
    assert "the public release by" not in text
    authors = render_card(changed(nobody, origins=(AUTHORS,), licences=(AUTHORS_LICENCE,)))
    assert read_yaml(authors)["license"] == "cc-by-4.0"
    assert "under CC BY 4.0" in authors
    assert "Nothing shows" not in authors
    several = read_yaml(render_card(changed(manifest, licences=("apache-2.0", "unknown"))))
    assert (several["license"], several["license_name"]) == ("other", "apache-2.0 AND unknown")
    rare = read_yaml(render_card(changed(manifest, licences=("licence-of-mine",))))
    assert (rare["license"], rare["license_name"]) == ("other", "licence-of-mine")


def test_a_dataset_that_is_no_recording_says_so_in_its_name_and_tags(manifest: Manifest) -> None:
    for provenance, name, tag in (
        ("recorded", "FingerTip 20K", None),
        ("simulated", "FingerTip 20K (simulated)", "simulated"),
        ("recorded+simulated", "FingerTip 20K (simulated)", "simulated"),
        ("<b>x", "FingerTip 20K (unclear)", "unclear"),
    ):
        data = make_card_data(changed(manifest, provenance=provenance))
        assert data["pretty_name"] == name
        assert data["tags"][len(TAGS) :] == ([tag] if tag else [])


@pytest.mark.parametrize(
    "provenance", ["x\n---\nlicense: mit\n---\n# Mine", "<script>1</script>", "a\n\n# b"]
)
def test_a_survey_cannot_write_the_card(manifest: Manifest, provenance: str) -> None:
    text = render_card(changed(manifest, provenance=provenance, origins=(provenance,)))
    assert read_yaml(text)["license"] == "apache-2.0"
    assert "<script>" not in text
    assert [line for line in text.splitlines() if line.startswith("# ")] == ["# FingerTip 20K"]


def test_each_protocol_is_described(manifest: Manifest, card: str) -> None:
    assert "**Previous intents: `online`.** Any strictly earlier intent" in card
    strict = render_card(changed(manifest, history="strict"))
    assert "cannot be compared with the paper's" in " ".join(strict.split())
    assert "no test task is shown" in strict
    model = {"similarity": "some/model", "skip_same_task": True}
    text = render_card(changed(manifest, references=model))
    assert '"some/model"' in text
    assert "were left out (A.6.7)" in text
    assert manifest.split_method == OFFICIAL
    assert RULE_A5_CONTRADICTION not in card
    ruled = render_card(changed(manifest, split_method=RULE_A5, seed=7))
    assert "(seed 7)" in ruled
    assert RULE_A5_CONTRADICTION in ruled


def test_no_template_is_left_over(manifest: Manifest, card: str) -> None:
    text = card
    assert not re.search(r"{[{%#]|[}%#]}", text)
    assert "\n\n\n\n" not in text
    assert manifest.data_sha256 in text


@pytest.mark.parametrize(("old", "new", "words"), VECTORS["yaml_that_does_not_fit_is_found"])
def test_yaml_that_does_not_fit_is_found(
    manifest: Manifest, old: str, new: str, words: str, card: str
) -> None:
    check_card(card, manifest)
    assert old in card
    with pytest.raises(DatasetError, match=re.escape(words)):
        check_card(card.replace(old, new, 1), manifest)


@pytest.mark.parametrize("text", ["", "---\n", "---\n- a\n---\n", "---\n{\n---\n", "x---\na: 1\n---\n"])
def test_a_card_without_yaml_is_refused(text: str) -> None:
    with pytest.raises(DatasetError, match="card"):
        read_yaml(text)


def test_an_empty_split_is_described_but_not_listed(maker: Any, tmp_path: Path) -> None:  # noqa: ANN401
    maker.episode()
    manifest = build(maker.raw, tmp_path / "out")
    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert text == render_card(manifest)
    for config in read_yaml(text)["configs"]:
        assert [files["split"] for files in config["data_files"]] == ["test_suggestion", "test_execution"]
    assert "Without any episode here: `train`, `vali`." in text
