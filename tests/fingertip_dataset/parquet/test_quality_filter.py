"""Episodes of low quality are left out of a build, counted, and nothing is lost without a word."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import DatasetError, ReleaseError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.build_plan import BuildConfig
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.quality_filter import QualityFilter
from fingertip_dataset.split_names import SPLITS
from tests.shared_datasets import simulated_people
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


def scores_file(folder: Path, text: str) -> Path:
    file = folder / "scores.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_left_out_episodes_are_counted_and_the_rest_keep_their_split(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    people = simulated_people(tmp_path_factory)
    whole = BuiltDataset.open(people / "dataset")
    splits = {split: [row["episode_id"] for row in whole.rows(split)] for split in SPLITS}
    low = {splits["train"][0], splits["test_execution"][0]}
    known = [name for names in splits.values() for name in names]
    lines = "".join(f"{name},{0.2 if name in low else 0.9},7\n" for name in dict.fromkeys(known[:-1]))
    file = scores_file(tmp_path, f"episode_id,score,quality_version\n{lines}")
    config = BuildConfig(quality=QualityFilter.read(file, 0.5))
    sample = people / "sample"
    manifest = build(sample / "raw", tmp_path / "clean", tables=sample / "tables", config=config)
    built = BuiltDataset.open(tmp_path / "clean")
    assert {split: [row["episode_id"] for row in built.rows(split)] for split in SPLITS} == {
        split: [name for name in names if name not in low] for split, names in splits.items()
    }
    counts = manifest.quality
    assert counts is not None
    assert (counts.left_out, counts.minimum, counts.quality_version) == (2, 0.5, 7)
    assert counts.unscored == int(known[-1] not in known[:-1])
    assert manifest.episodes.given == manifest.episodes.kept + manifest.episodes.rejected + counts.left_out
    assert (manifest.version, built.manifest) == (8, manifest)
    card = " ".join((tmp_path / "clean" / "README.md").read_text(encoding="utf-8").split())
    assert "2 usable ones were left out because their quality score is below 0.5" in card
    # no reference shows what was left out
    for split in SPLITS:
        for row in built.rows(split):
            shown = (row["same_user_reference"], row["other_type_reference"])
            assert low.isdisjoint(one["episode_id"] for one in shown if one)


def test_a_build_without_any_episode_left_says_so(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    people = simulated_people(tmp_path_factory)
    rows = [
        row["episode_id"] for split in SPLITS for row in BuiltDataset.open(people / "dataset").rows(split)
    ]
    table = pa.table({"episode_id": list(dict.fromkeys(rows))})
    pq.write_table(table.append_column("score", [[0.1] * len(table)]), tmp_path / "scores.parquet")
    config = BuildConfig(quality=QualityFilter.read(tmp_path / "scores.parquet", 0.2))
    with pytest.raises(ReleaseError, match=r"none of the 16 usable episodes has a quality of 0\.2 or more"):
        build(people / "sample" / "raw", tmp_path / "none", config=config)


@pytest.mark.parametrize(("text", "message"), VECTORS["a_broken_file_of_scores_is_one_line"])
def test_a_broken_file_of_scores_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message) as raised:
        QualityFilter.read(scores_file(tmp_path, text), 0.5)
    assert "\n" not in str(raised.value)


def test_a_missing_file_and_a_wrong_minimum_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read: No such file"):
        QualityFilter.read(tmp_path / "none.csv", 0.5)
    with pytest.raises(UsageError, match="from 0 to 1, got 2"):
        QualityFilter.read(tmp_path / "none.csv", 2)


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any-scores"
    file.write_bytes(b"episode_id,score\n" + content)
    try:
        scores = QualityFilter.read(file, 0.5).scores
    except DatasetError:
        return
    assert all(score is None or 0 <= score <= 1 for score in scores.values())


def test_an_episode_without_a_score_is_kept(tmp_path: Path) -> None:
    read = QualityFilter.read(scores_file(tmp_path, "episode_id,score\n1__2,\n1__3,0.4\n1__4,0.5\n"), 0.5)
    assert read.find_low(["1__2", "1__3", "1__4", "1__5"]) == {"1__3"}
    assert read.unscored(["1__2", "1__3", "1__4", "1__5"]) == 2


def test_scores_of_other_data_are_refused(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    sample = simulated_people(tmp_path_factory) / "sample"
    for text in ("episode_id,score\n9999__1,0.1\n", "episode_id,score\n"):
        config = BuildConfig(quality=QualityFilter.read(scores_file(tmp_path, text), 0.5))
        with pytest.raises(UsageError, match="a score of no episode of this release"):
            build(sample / "raw", tmp_path / "other", config=config)
    assert not (tmp_path / "other").exists()
