"""The folder of a benchmark: the same call goes on, another one is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import RunError
from fingertip_leaderboard.benchmark.benchmark_folder import (
    RECORD,
    BenchmarkCall,
    BenchmarkRecord,
    begin_folder,
    read_record,
)

CALL = BenchmarkCall(agents={"suggestion": "model", "execution": "autodroid"}, model="smol")


def change(**fields: object) -> BenchmarkCall:
    return CALL.model_copy(update=fields)


def test_the_same_call_goes_on_and_a_further_track_joins(tmp_path: Path) -> None:
    one_track = change(agents={"suggestion": "model"})
    begin_folder(tmp_path / "out", one_track)
    (tmp_path / "out" / "suggestion").mkdir()
    calls = (one_track, CALL, change(data_sha256="ab"), CALL)
    for call in calls:
        begin_folder(tmp_path / "out", call)
    assert read_record(tmp_path / "out").call == change(data_sha256="ab")
    assert read_record(tmp_path / "out").finished is None


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (change(model="big"), "--model: smol in the folder, big in this call"),
        (change(agents={"execution": "generalist"}), "--agent: autodroid in the folder, generalist in this"),
        (change(quick=True), "--quick: not given in the folder, given in this call"),
        (change(limit=3), "--limit: none in the folder, 3 in this call"),
        (change(repeats=2), "--repeats: 1 in the folder, 2 in this call"),
        (change(adapter="a"), "--adapter: none in the folder, a in this call"),
    ],
)
def test_another_call_is_refused_by_what_differs(tmp_path: Path, other: BenchmarkCall, words: str) -> None:
    begin_folder(tmp_path, CALL)
    (tmp_path / "execution").mkdir()
    with pytest.raises(RunError, match="the benchmark in the folder differs in ") as raised:
        begin_folder(tmp_path, other)
    assert words in raised.value.message
    assert read_record(tmp_path).call == CALL


def test_an_agent_of_the_other_track_needs_a_folder_of_its_own(tmp_path: Path) -> None:
    habit, imitate = ({"suggestion": "habit"}, {"execution": "imitate"})
    begin_folder(tmp_path, BenchmarkCall(agents=habit))  # type: ignore[arg-type]
    (tmp_path / "suggestion").mkdir()
    with pytest.raises(RunError, match="--agent: habit in the folder, imitate in this call"):
        begin_folder(tmp_path, BenchmarkCall(agents=imitate))  # type: ignore[arg-type]
    random, other = (
        BenchmarkCall(agents={"suggestion": "random"}),
        BenchmarkCall(agents={"execution": "random"}),
    )
    assert not other.list_differences(random)
    # a model has agents by the track
    assert not change(agents={"execution": "autodroid"}).list_differences(
        change(agents={"suggestion": "model"})
    )


def test_a_call_that_was_refused_before_a_track_began_is_corrected(tmp_path: Path) -> None:
    begin_folder(tmp_path, CALL)
    begin_folder(tmp_path, change(model="big", quick=True))
    assert read_record(tmp_path).call == change(model="big", quick=True)


def test_other_data_are_refused_once_they_are_known(tmp_path: Path) -> None:
    begin_folder(tmp_path, change(data_sha256="ab"))
    (tmp_path / "suggestion").mkdir()
    with pytest.raises(RunError, match="DATASET: ab in the folder, cd in this call"):
        begin_folder(tmp_path, change(data_sha256="cd"))


def test_tries_are_added_to_several(tmp_path: Path) -> None:
    begin_folder(tmp_path, change(repeats=2))
    (tmp_path / "suggestion").mkdir()
    begin_folder(tmp_path, change(repeats=4))
    with pytest.raises(RunError, match="--repeats: 4 in the folder, 2 in this call"):
        begin_folder(tmp_path, change(repeats=2))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RunError, match="this is a run, not a benchmark: give another --out"):
        begin_folder(tmp_path / "run", CALL)
    with pytest.raises(RunError, match="the folder is not empty and no benchmark: give another --out"):
        begin_folder(tmp_path, CALL)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(RunError, match="a file is there, and a benchmark is a folder"):
        begin_folder(tmp_path / "file", CALL)
    assert not (tmp_path / RECORD).exists()


def test_a_newer_or_broken_record_is_named(tmp_path: Path) -> None:
    (tmp_path / RECORD).write_text('{"version": 99}', encoding="utf-8")
    with pytest.raises(RunError, match="expected a benchmark of version 1, got 99: a newer fingertip-20k"):
        begin_folder(tmp_path, CALL)
    (tmp_path / RECORD).write_text("[", encoding="utf-8")
    with pytest.raises(RunError, match="expected the record of a benchmark"):
        begin_folder(tmp_path, CALL)


CALLS = st.builds(
    BenchmarkCall,
    agents=st.dictionaries(st.sampled_from(["suggestion", "execution"]), st.text(min_size=1), min_size=1),
    model=st.none() | st.text(min_size=1),
    quick=st.booleans(),
    limit=st.none() | st.integers(1, 99),
    repeats=st.integers(1, 9),
)


@given(CALLS, CALLS)
def test_a_call_differs_from_itself_in_nothing_and_is_read_as_written(
    call: BenchmarkCall, other: BenchmarkCall
) -> None:
    assert call.list_differences(call) == []
    assert bool(call.list_differences(other)) == bool(other.list_differences(call)) or (
        min(call.repeats, other.repeats) > 1
    )
    record = BenchmarkRecord(call=call)
    assert BenchmarkRecord.model_validate(json.loads(record.model_dump_json())) == record
