from __future__ import annotations

import csv
from pathlib import Path

import pytest

from fingertip_cli.scores.score import GROUPINGS as OF_THE_COMMAND
from fingertip_cli.scores.score import OF_EPISODES, OF_MOMENTS
from fingertip_cli.scores.score import OF_TRACK_2 as TRACK_2_ALONE
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.run_record import DatasetRecord
from fingertip_runs.task_facts import FACTS, age_group, read_task_facts
from tests import shared_datasets
from tests.fixtures.drawn_sample import sample_release


def record_of(sample: Path, **changes: str) -> DatasetRecord:
    record = DatasetRecord.of(BuiltDataset.open(sample), sample)
    return record.model_copy(update=changes)


def test_a_run_finds_its_dataset_from_another_folder(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample.parent)
    record = record_of(Path(sample.name))
    monkeypatch.chdir(tmp_path)
    assert read_task_facts(record, "test_suggestion").why_none is None


def test_a_task_has_the_facts_of_the_person_as_the_tables_say_them(sample: Path) -> None:
    with (sample_release() / "tables" / "user_profile.csv").open(encoding="utf-8-sig", newline="") as file:
        profiles = {row["user_id"]: row for row in csv.DictReader(file)}
    facts = read_task_facts(record_of(sample), "test_suggestion")
    assert facts.why_none is None
    assert facts.of_task
    for task_id, found in facts.of_task.items():
        profile = profiles[task_id.partition("__")[0]]
        wanted = (profile["sex"], profile["occupation"], profile["phone_brand"])
        assert (found["sex"], found["occupation"], found["phone_brand"]) == wanted
        decade = int(profile["age"]) // 10 * 10
        assert found["age"] == (f"{decade}-{decade + 9}" if decade < 50 else "50+")
        assert found["scenario"]
    task_ids = sorted(facts.of_task)
    assert facts.groups("sex", [*task_ids[:1], "nobody"]) == [facts.of_task[task_ids[0]]["sex"], None]


def test_a_simulated_task_has_its_language_and_trouble(tmp_path_factory: pytest.TempPathFactory) -> None:
    lived = shared_datasets.simulated_people(tmp_path_factory, users=3, episodes=6, seed=5, size=(360, 800))
    built = BuiltDataset.open(lived / "dataset")
    facts = read_task_facts(DatasetRecord.of(built, lived / "dataset"), "train")
    assert facts.of_task
    for task_id, found in facts.of_task.items():
        faults = built.simulations()[task_id]["faults"]
        assert found["language"] == "zh"
        assert found["trouble"] == (", ".join(faults) if faults else "none")
    troubles = {found["trouble"] for found in facts.of_task.values()}
    assert len(troubles) > 1


def test_a_recorded_task_has_neither(sample: Path) -> None:
    facts = read_task_facts(record_of(sample), "test_suggestion")
    assert {(found["language"], found["trouble"]) for found in facts.of_task.values()} == {(None, None)}


@pytest.mark.parametrize(
    ("age", "group"),
    [(0, "0-19"), (19, "0-19"), (20, "20-29"), (39, "30-39"), (40, "40-49"), (50, "50+"), (None, None)],
)
def test_age_groups(age: int | None, group: str | None) -> None:
    assert age_group(age) == group


def test_missing_facts_name_the_missing_dataset(sample: Path, tmp_path: Path) -> None:
    gone = read_task_facts(record_of(sample, path=str(tmp_path / "gone")), "test_suggestion")
    assert str(gone.why_none).startswith(
        f"scores by {', '.join(FACTS)} need the run's dataset: no built dataset"
    )
    assert gone.groups("sex", ["1"]) == [None]
    other = read_task_facts(record_of(sample, data_sha256="0" * 64), "test_suggestion")
    assert (
        "this is another dataset than the run was made on, or it was built again since: bring "
        "that one back to this path" in str(other.why_none)
    )
    unnamed = read_task_facts(record_of(sample, path=""), "test_suggestion")
    assert "the run's record has no path of its dataset" in str(unnamed.why_none)


def test_the_command_knows_every_grouping() -> None:
    from execution_runner.scoring.breakdowns import GROUPINGS as OF_TRACK_2
    from suggestion_runner.moments.moment_facts import MOMENT_GROUPINGS
    from suggestion_runner.month.month_tables import DAY
    from suggestion_runner.scoring import GROUPINGS as OF_TRACK_1

    assert set(OF_EPISODES) == set(OF_TRACK_1)
    assert {*OF_TRACK_1, *TRACK_2_ALONE} == set(OF_TRACK_2)
    assert {*OF_TRACK_1, *OF_MOMENTS} >= {*MOMENT_GROUPINGS, DAY}
    assert set(OF_THE_COMMAND) == {*OF_TRACK_2, *OF_MOMENTS}
