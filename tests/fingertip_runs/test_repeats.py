from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import RunError
from fingertip_runs.repeat_scores import average_values, score_tries
from fingertip_runs.repeats import (
    RepeatedRun,
    begin_repeats,
    expand_runs,
    is_repeated,
    list_tries,
    read_repeats,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repeated run whose two tries have begun."""
    place = tmp_path / "run"
    for name in begin_repeats(place, track="suggestion", repeats=2, seed=7).tries:
        (place / name).mkdir()
        (place / name / "run.json").write_text("{}", encoding="utf-8")
    return place


@given(st.integers(2, 100), st.integers(-(2**40), 2**40))
def test_a_record_is_read_as_it_was_written(repeats: int, seed: int) -> None:
    record = RepeatedRun.of("execution", repeats, seed)
    assert RepeatedRun.model_validate_json(record.model_dump_json()) == record
    assert record.seeds[-1] == seed + repeats - 1
    assert record.tries[-1] == f"try-{repeats}"


def test_the_tries_of_a_folder_stand_in_its_place(folder: Path, tmp_path: Path) -> None:
    assert is_repeated(folder)
    assert read_repeats(folder).seeds == (7, 8)
    assert list_tries(folder) == (folder / "try-1", folder / "try-2")
    assert expand_runs([tmp_path, folder]) == (tmp_path, *list_tries(folder))


def test_a_repeated_run_grows_and_does_not_shrink(folder: Path) -> None:
    assert begin_repeats(folder, track="suggestion", repeats=4, seed=7).tries[-1] == "try-4"
    with pytest.raises(RunError, match="the folder holds 4 tries, and tries are not taken away"):
        begin_repeats(folder, track="suggestion", repeats=2, seed=7)


def test_a_call_that_was_refused_before_its_first_try_may_be_corrected(tmp_path: Path) -> None:
    begin_repeats(tmp_path / "new", track="suggestion", repeats=9, seed=1)
    assert begin_repeats(tmp_path / "new", track="execution", repeats=2, seed=None).seeds == (0, 1)


@pytest.mark.parametrize(
    ("track", "seed", "words"),
    [
        ("execution", 7, "a repeated run of track 1, not of track 2"),
        ("suggestion", None, "differs in --seed: 7 in the folder, 0 in this call"),
        ("suggestion", 8, "differs in --seed: 7 in the folder, 8 in this call"),
    ],
)
def test_another_run_needs_another_folder(folder: Path, track: str, seed: int | None, words: str) -> None:
    with pytest.raises(RunError, match=words):
        begin_repeats(folder, track=track, repeats=2, seed=seed)  # type: ignore[arg-type]


def test_a_folder_with_something_else_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds a run of one try, and --repeats makes a folder of several"):
        begin_repeats(folder / "try-1", track="suggestion", repeats=2, seed=7)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RunError, match=r"the folder is no run: it holds notes\.txt"):
        begin_repeats(tmp_path, track="suggestion", repeats=2, seed=7)
    with pytest.raises(RunError, match="a file is there"):
        begin_repeats(tmp_path / "notes.txt", track="suggestion", repeats=2, seed=7)


def test_a_try_that_was_removed_by_hand_is_named(folder: Path) -> None:
    (folder / "try-2" / "run.json").unlink()
    with pytest.raises(RunError, match="try 2 of 2 has no run in try-2: the same call makes it again"):
        list_tries(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 9}, "expected a repeated run of version 1 or older, got version 9"),
        ({"tries": ["try-1", "../other"]}, "seeds and tries are not those of so many tries"),
        ({"seeds": [7, 7]}, "seeds and tries are not those of so many tries"),
        ({"repeats": 1}, "at repeats"),
    ],
)
def test_a_broken_record_is_refused(folder: Path, change: dict[str, object], words: str) -> None:
    file = folder / "repeats.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(RunError, match=words):
        read_repeats(folder)


def test_a_folder_without_a_record_is_no_repeated_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no repeated run: `--repeats K` of"):
        read_repeats(tmp_path)


def values(**of_tasks: float | None) -> dict[str, dict[str, float | None]]:
    return {"sr1": {f"{name[1:]}__a": value for name, value in of_tasks.items()}}


def test_a_try_that_lacks_tasks_is_named_with_their_number(tmp_path: Path) -> None:
    tries = [values(u1=1.0, u2=0.0, u3=1.0), values(u1=1.0)]
    with pytest.raises(RunError, match="try 2 lacks 2 of the 3 tasks of the others"):
        score_tries(tmp_path, tries, seeds=(0, 1), success="sr1")
    partial = score_tries(tmp_path, tries, seeds=(0, 1), success="sr1", partial=True)
    assert (partial.tasks, partial.means["sr1"].n) == (1, 1)
    with pytest.raises(
        RunError, match="no task is finished in every try: the same call goes on with the tries"
    ):
        score_tries(tmp_path, [values(u1=1.0), values(u2=1.0)], seeds=(0, 1), success="sr1", partial=True)


def test_tries_are_averaged_per_task_before_runs_are_compared() -> None:
    assert average_values([values(u1=1.0, u2=None), values(u1=0.0, u2=1.0, u3=1.0)]) == {
        "sr1": {"1__a": 0.5, "2__a": 1.0}
    }
