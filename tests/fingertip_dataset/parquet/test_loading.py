"""The dataset by `datasets` itself: `load_dataset` on the folder, and `fingertip_dataset.load` around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import datasets
import pytest
from PIL.JpegImagePlugin import JpegImageFile

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.dataset_rows import read_moments
from fingertip_dataset.parquet.features import CONFIGS, Config, features
from fingertip_dataset.parquet.loading import load
from fingertip_dataset.pictures import read_picture_size
from fingertip_dataset.split_names import MOMENT_SPLITS, SPLITS
from fingertip_dataset.tasks.task import suggestion_task
from tests.shared_datasets import built_sample, simulated_people
from tests.stored_pictures import StoredPicture

if TYPE_CHECKING:
    from tests.fingertip_dataset.conftest import RawMaker


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `fingertip-20k` in it."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "fingertip-20k").symlink_to(built_sample(tmp_path_factory))
    return folder


@pytest.fixture(autouse=True)
def cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, home: Path
) -> Iterator[None]:
    """The cache of `datasets` lies in the same temporary folder for all tests of this file."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(home / "cache"))
    monkeypatch.chdir(home)
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


def undecoded(loaded: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - datasets has no types
    if "screenshots" in loaded.features:
        loaded = loaded.cast_column("screenshots", datasets.List(datasets.Image(decode=False)))
    return [read_moments(row) for row in loaded]


@pytest.mark.parametrize(("config", "streaming"), [("default", False), ("text", True)])
def test_load_dataset_gives_every_split(home: Path, config: Config, streaming: bool) -> None:
    built = BuiltDataset.open(home / "fingertip-20k")
    listed = [split for split in SPLITS if built.manifest.splits[split].episodes]
    for split in listed:
        loaded = datasets.load_dataset("fingertip-20k", config, split=split, streaming=streaming)
        assert loaded.features == features(config)
        assert undecoded(loaded) == list(built.rows(split, config=config))
    assert list(datasets.load_dataset("fingertip-20k", config, streaming=streaming)) == listed


def test_images_are_decoded_and_missing_ones_keep_their_place() -> None:
    loaded = datasets.load_dataset("fingertip-20k", split="train")
    assert loaded.features == features("default")
    shown = [image for row in loaded for image in row["screenshots"]]
    assert {type(image) for image in shown} == {JpegImageFile, type(None)}
    assert all(image.size[1] > image.size[0] for image in shown if image)
    gap = next(row for row in loaded if None in row["screenshots"])
    assert len(gap["screenshots"]) == len(gap["accessibility_trees"]) == len(gap["actions"])


@pytest.mark.parametrize(("config", "format_name"), [("default", "torch"), ("text", "numpy")])
def test_every_row_becomes_tensors(home: Path, config: Config, format_name: str) -> None:
    for split in SPLITS:
        loaded = load(split, config, path=home / "fingertip-20k")
        formatted = loaded.with_format(format_name)
        rows = list(formatted)
        assert [row["time"] for row in rows] == loaded["time"][:]
        assert [[earlier["time"] for earlier in row["previous_intents"]] for row in rows] == [
            [earlier["time"] for earlier in previous] for previous in loaded["previous_intents"]
        ]
        assert set(formatted[:2]) == set(features(config))
        if config == "default":
            assert {image.ndim for row in rows for image in row["screenshots"] if image is not None} == {3}


def test_load_takes_the_papers_spelling() -> None:
    for paper in ("test-suggestion", "test-execution"):
        assert list(load(paper, "text")) == list(load(paper.replace("-", "_"), "text")) != []


def test_load_gives_a_split_without_episodes_with_its_columns(maker: Any, tmp_path: Path) -> None:  # noqa: ANN401
    maker.episode()
    build(maker.raw, tmp_path / "out")
    for config in CONFIGS:
        empty = load("vali", config, path=tmp_path / "out")
        assert (len(empty), empty.features) == (0, features(config))
    # what datasets makes of it: the other splits load, and this one is not listed
    assert list(datasets.load_dataset(str(tmp_path / "out"), "text")) == ["test_suggestion", "test_execution"]
    assert (tmp_path / "out" / "data" / "vali-00000-of-00001.parquet").is_file()


def test_load_selects_a_subset(home: Path) -> None:
    subsets = BuiltDataset.open(home / "fingertip-20k").subsets()
    assert load("train", "text", subset="without_unseen")["episode_id"][:] == list(subsets.train)
    for name in subsets.subsets:
        for split in ("train", "test_execution"):
            assert load(split, "text", subset=name)["episode_id"][:] == list(subsets.episodes(name, split))


def test_load_gives_moments_of_the_config_that_has_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    people = simulated_people(tmp_path_factory) / "dataset"
    for split in MOMENT_SPLITS:
        loaded = load(split.replace("_", "-"), "moments", path=people)
        assert loaded.features == features("moments")
        rows = list(BuiltDataset.open(people).rows(split, config="moments"))
        assert undecoded(loaded) == rows != []
    assert loaded[0]["screenshots"][0].size == (270, 600)
    for config in CONFIGS:
        with pytest.raises(UsageError, match=r"write load\('test_moments', 'moments'\)"):
            load("test_moments", config, path=people)
    for split in ("train", "month"):
        with pytest.raises(
            UsageError, match=f"expected a split of moments, train_moments, .*, got '{split}'"
        ):
            load(split, "moments", path=people)


def test_load_refuses_moments_of_recordings(home: Path) -> None:
    with pytest.raises(UsageError, match="the dataset has no moments: recordings of real people do not say"):
        load("test_moments", "moments", path=home / "fingertip-20k")


def test_load_refuses_in_words(home: Path) -> None:
    with pytest.raises(UsageError, match="expected a split of train"):
        load("test")
    with pytest.raises(UsageError, match="expected config default, text or moments"):
        load("train", "images")  # type: ignore[arg-type]
    for folder in ("fingertip-20k", "./fingertip-20k", "/data/fingertip-20k/"):
        with pytest.raises(UsageError, match=rf"got a folder, .*: write load\('train', path='{folder}'\)"):
            load(folder)
        with pytest.raises(UsageError, match=r"expected a config, got a folder"):
            load("train", folder)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected the name of a split, got None"):
        load(None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"expected a subset of unseen_users, .*got 'unseen'"):
        load("train", subset="unseen")
    with pytest.raises(UsageError, match="got 'vali'"):
        load("vali", subset="unseen_apps")
    with pytest.raises(UsageError, match="expected split train with subset without_unseen"):
        load("test-suggestion", subset="without_unseen")
    with pytest.raises(DatasetError, match="no built dataset: `fingertip build` makes one"):
        load("train", path="elsewhere")


@pytest.mark.parametrize("folder", ["data", "text"])
def test_a_folder_of_shards_alone_has_the_splits_of_the_dataset(
    home: Path, folder: str, tmp_path: Path
) -> None:
    config = {"data": "default", "text": "text"}[folder]
    alone = datasets.load_dataset(f"./fingertip-20k/{folder}", cache_dir=str(tmp_path / "cache"))
    whole = datasets.load_dataset("./fingertip-20k", config, cache_dir=str(tmp_path / "cache"))
    assert {name: split["episode_id"] for name, split in alone.items()} == {
        name: split["episode_id"] for name, split in whole.items()
    }
    assert alone["test_suggestion"].features == whole["test_suggestion"].features


def test_a_lying_picture_has_one_frame_for_loader_task_and_prompt(maker: RawMaker, home: Path) -> None:
    lying = StoredPicture(format="JPEG", orientation=6, size=(90, 160))
    maker.episode(images={"11.jpg": lying.write(), "12.jpg": maker.jpeg})
    maker.check(rotated_screenshot=1)
    build(maker.raw, home / "lying", workers=1)
    (row,) = datasets.load_dataset("lying", split="test_execution")
    shown = row["screenshots"][0]
    assert shown.size == (90, 160)
    assert shown.getpixel((4, 4)) == pytest.approx(lying.corner, abs=8)
    (stored,) = BuiltDataset.open(home / "lying").rows("test_execution", config="default")
    # the bytes are the release's own
    assert stored["screenshots"][0]["bytes"] == lying.write()
    (sent,) = suggestion_task(stored, screenshots=1).input.screenshots
    assert read_picture_size(sent) == shown.size
    assert sent != lying.write()
