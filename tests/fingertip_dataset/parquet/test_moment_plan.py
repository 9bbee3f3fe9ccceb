"""Moments of a built dataset: split by time, with a history before them and a hash of their own."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.moment_plan import split_moments
from fingertip_dataset.release.moment_files import Moment
from fingertip_dataset.split_names import MOMENT_SPLITS, TEST_MOMENTS, TEST_SUGGESTION, TRAIN_MOMENTS
from fingertip_dataset.tasks.moments import ODDS_FILE, MomentOdds, read_moment_odds, read_patience
from fingertip_dataset.tasks.task import suggestion_task
from fingertip_dataset.times import format_time, parse_time
from tests.shared_datasets import simulated_people

BEGIN = parse_time("20250303_080000")
NOWHERE = Intent(user_id="7", time="20250303_080000", scenario="住所", app="", text="")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory)


@pytest.fixture(scope="module")
def dataset(people: Path) -> BuiltDataset:
    return BuiltDataset.open(people / "dataset")


def at(minutes: int) -> Intent:
    return replace(NOWHERE, time=format_time(BEGIN + timedelta(minutes=minutes)))


def look(minutes: int) -> Moment:
    odds = MomentOdds(wanted=0.5, right=0.5)
    own = {"intent": None, "odds": odds, "screenshot": None, "tree": None}
    return Moment(at=at(minutes), kind="glance", condition=None, **own)  # type: ignore[arg-type]


@given(st.lists(st.integers(0, 40_000), min_size=1, max_size=40, unique=True))
def test_each_moment_is_in_the_part_of_the_nearest_episode(minutes: list[int]) -> None:
    episodes = sorted(minutes)
    count = len(episodes)
    train, tail = 3 * count // 5, count - max(1, count // 5)
    parts = split_moments([look(minute) for minute in episodes], map(at, reversed(episodes)))
    assert [one.at for one in parts[TRAIN_MOMENTS]] == [at(minute) for minute in episodes[:train]]
    assert [one.at for one in parts[TEST_MOMENTS]] == [at(minute) for minute in episodes[tail:]]


def test_a_border_lies_between_two_episodes() -> None:
    episodes = [at(minutes) for minutes in (0, 100, 200, 300, 400)]
    parts = split_moments([look(minutes) for minutes in (249, 251, 349, 351)], episodes)
    assert [len(parts[split]) for split in MOMENT_SPLITS] == [1, 2, 1]


def test_rows_are_by_time_and_know_what_was_before_alone(dataset: BuiltDataset) -> None:
    seen: dict[str, list[str]] = {}
    for split in MOMENT_SPLITS:
        for row in dataset.rows(split, config="moments"):
            seen.setdefault(row["user_id"], []).append(row["episode_id"])
            assert all(earlier["time"] < row["time"] for earlier in row["previous_intents"])
            assert len(row["screenshots"]) == len(row["accessibility_trees"]) == 1
            assert (row["kind"] == "intent") == (row["intent"] is not None) == (row["app"] is not None)
            task = suggestion_task(row, screenshots=1)
            assert (task.target.intent, task.target.kind) == (row["intent"] or "", row["kind"])
    assert set(read_patience(dataset)) == set(seen)
    assert sum(map(len, seen.values())) == len(read_moment_odds(dataset))
    for names in seen.values():
        assert all(first < second for first, second in pairwise(names))


def test_the_intents_of_a_part_are_those_of_its_episodes(dataset: BuiltDataset) -> None:
    def list_intents(split: str) -> set[tuple[str, str]]:
        return {(row["user_id"], row["intent"]) for row in dataset.rows(split) if row["intent"]}

    assert list_intents(TRAIN_MOMENTS) == list_intents("train")
    assert list_intents(TEST_SUGGESTION) <= list_intents(TEST_MOMENTS)


def test_the_config_text_leaves_the_screens_of_moments_out(dataset: BuiltDataset) -> None:
    row = next(dataset.rows(TEST_MOMENTS))
    assert "screenshots" not in row
    assert list(next(dataset.rows(TEST_MOMENTS, columns=["kind"]))) == ["kind"]
    with pytest.raises(UsageError, match="expected a split of moments, train_moments, "):
        dataset.rows("train", config="moments")


def test_episodes_have_the_same_hash_without_moments(
    people: Path, dataset: BuiltDataset, tmp_path: Path
) -> None:
    shutil.copytree(people / "sample", tmp_path / "sample")
    for file in (tmp_path / "sample").rglob("moments.jsonl"):
        file.unlink()
    manifest = build(tmp_path / "sample" / "raw", tmp_path / "out", tables=tmp_path / "sample" / "tables")
    assert manifest.moments is None
    assert manifest.data_sha256 == dataset.manifest.data_sha256
    assert not (tmp_path / "out" / "moments").exists()
    with pytest.raises(UsageError, match="the dataset has no moments: recordings of real people do not say"):
        read_moment_odds(BuiltDataset.open(tmp_path / "out"))


def test_changed_odds_are_refused(people: Path, tmp_path: Path) -> None:
    shutil.copytree(people / "dataset", tmp_path / "dataset")
    file = tmp_path / "dataset" / ODDS_FILE
    file.write_text(file.read_text("utf-8").replace('"wanted":0', '"wanted":1', 1), encoding="utf-8")
    changed = BuiltDataset.open(tmp_path / "dataset")
    with pytest.raises(DatasetError, match=r"expected sha256 .*: it has changed since the build"):
        read_moment_odds(changed)
