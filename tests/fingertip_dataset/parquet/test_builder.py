from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.build_plan import BuildConfig
from fingertip_dataset.parquet.builder import FingerTip20K
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.dataset_rows import read_moments
from fingertip_dataset.parquet.features import features
from fingertip_dataset.split_names import MOMENT_SPLITS, SPLITS
from tests.fixtures.drawn_sample import sample_release
from tests.shared_datasets import built_sample, simulated_people

RAW, TABLES = sample_release() / "raw", sample_release() / "tables"


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Any:  # noqa: ANN401 - a generator fixture
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltDataset:
    return BuiltDataset.open(built_sample(tmp_path_factory))


def undecoded(loaded: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - datasets has no types
    if "screenshots" in loaded.features:
        loaded = loaded.cast_column("screenshots", datasets.List(datasets.Image(decode=False)))
    return [read_moments(row) for row in loaded]


def test_rows_and_features_are_those_of_a_build(built: BuiltDataset, tmp_path: Path) -> None:
    builder = FingerTip20K(
        config_name="default", data_dir=str(RAW), tables=str(TABLES), cache_dir=str(tmp_path)
    )
    builder.download_and_prepare()
    whole = builder.as_dataset()
    assert list(whole) == list(SPLITS)
    for split in SPLITS:
        streamed = builder.as_streaming_dataset(split=split)
        assert whole[split].features == streamed.features == features("default")
        expected = list(built.rows(split, config="default"))
        assert undecoded(whole[split]) == undecoded(streamed) == expected


def test_moments_are_those_of_a_build(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    people = simulated_people(tmp_path_factory)
    sample = people / "sample"
    builder = FingerTip20K(
        config_name="moments",
        data_dir=str(sample / "raw"),
        tables=str(sample / "tables"),
        cache_dir=str(tmp_path),
    )
    builder.download_and_prepare()
    whole = builder.as_dataset()
    assert list(whole) == list(MOMENT_SPLITS)
    dataset = BuiltDataset.open(people / "dataset")
    for split in MOMENT_SPLITS:
        streamed = builder.as_streaming_dataset(split=split)
        assert whole[split].features == streamed.features == features("moments")
        assert undecoded(whole[split]) == undecoded(streamed) == list(dataset.rows(split, config="moments"))


def test_moments_of_recordings_are_refused(tmp_path: Path) -> None:
    builder = FingerTip20K(
        config_name="moments", data_dir=str(RAW), tables=str(TABLES), cache_dir=str(tmp_path)
    )
    with pytest.raises(UsageError, match="the release has no moments: recordings of real people do not say"):
        builder.download_and_prepare()


def test_settings_are_followed_and_cached_separately(tmp_path: Path) -> None:
    call = {"config_name": "text", "data_dir": str(RAW), "tables": str(TABLES), "cache_dir": str(tmp_path)}
    rows = []
    for config in (BuildConfig(), BuildConfig(history="strict")):
        builder = FingerTip20K(**call, build_config=config)
        builder.download_and_prepare()
        rows.append(builder.as_dataset(split="test_suggestion")[-1]["previous_intents"])
    assert len(rows[0]) >= len(rows[1])
    assert rows[0] != rows[1]


def test_a_missing_release_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="data_dir is missing: give data_dir=RAW"):
        FingerTip20K(cache_dir=str(tmp_path)).download_and_prepare()
