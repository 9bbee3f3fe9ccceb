from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.benchmark.quick_people import choose_people
from tests.shared_datasets import simulated_people


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltDataset:
    folder = simulated_people(tmp_path_factory, users=4, episodes=4, locales=("zh", "en"))
    return BuiltDataset.open(folder / "dataset")


def test_people_are_of_both_languages_by_turns(built: BuiltDataset) -> None:
    assert choose_people(built) == ("1001", "1003", "1002", "1004")
    languages = [built.manifest.settings.language_of(user) for user in choose_people(built, 2)]
    assert languages == ["zh", "en"]


def test_people_of_recorded_data_are_those_with_tasks(sample: Path) -> None:
    built = BuiltDataset.open(sample)
    with_tasks = {row["user_id"] for row in built.rows("test_suggestion", columns=["user_id"])}
    assert set(choose_people(built)) <= with_tasks
    assert choose_people(built) == choose_people(built)
