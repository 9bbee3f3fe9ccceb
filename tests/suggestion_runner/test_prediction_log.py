"""Folder of a run of track 1: refused contents, and one-line errors with file and line for invalid files."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_agents import RecentBaseline
from fingertip_dataset.errors import RunError
from suggestion_runner import read_predictions, read_run, run_suggestions
from tests.examples import examples


@pytest.fixture
def run(small_dataset: Path, tmp_path: Path) -> Path:
    run_suggestions(small_dataset, RecentBaseline(), tmp_path / "run")
    return tmp_path / "run"


def test_a_folder_with_other_files_is_refused(small_dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RunError, match=r"the folder is no run: it holds notes.txt and no run.json"):
        run_suggestions(small_dataset, RecentBaseline(), tmp_path)
    with pytest.raises(RunError, match="a file is there, and a run is a folder: give another --out"):
        run_suggestions(small_dataset, RecentBaseline(), tmp_path / "notes.txt")
    with pytest.raises(RunError, match="the run folder cannot be written"):
        run_suggestions(small_dataset, RecentBaseline(), tmp_path / "notes.txt" / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_files_of_a_run_killed_at_its_start_are_accepted(small_dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "predictions.jsonl").touch()
    (tmp_path / ".run.json.tmp").write_text("{", encoding="utf-8")
    assert run_suggestions(small_dataset, RecentBaseline(), tmp_path).queried == 4


def test_predictions_without_a_run_record_are_refused(small_dataset: Path, run: Path) -> None:
    (run / "run.json").unlink()
    with pytest.raises(RunError, match=r"it holds predictions.jsonl and no run.json"):
        run_suggestions(small_dataset, RecentBaseline(), run)


def test_a_missing_run_is_a_one_line_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no run: `fingertip suggest` or `fingertip execute` makes one"):
        read_run(tmp_path)
    with pytest.raises(RunError, match=r"predictions.jsonl cannot be read"):
        read_predictions(tmp_path)


def test_an_invalid_run_record_is_a_readable_error(run: Path) -> None:
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    for content in ("[]", json.dumps(record | {"tasks": "many"})):
        (run / "run.json").write_text(content, encoding="utf-8")
        with pytest.raises(RunError, match=r"expected the record of a run \(run\.json\), got"):
            read_run(run)


def test_a_run_of_a_newer_version_is_refused(run: Path) -> None:
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps(record | {"version": 3, "new": []}), encoding="utf-8")
    with pytest.raises(RunError, match="version 2 or older, got version 3"):
        read_run(run)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"nonsense", "Invalid JSON"),
        (b"{}", "got at task_id: Field required"),
        (b"[1]", "got: Input should be an object"),
        (b"\xff\xfe", "Invalid JSON"),
        (b"", "Invalid JSON"),
    ],
)
def test_an_invalid_line_is_reported_with_its_number(run: Path, line: bytes, words: str) -> None:
    lines = (run / "predictions.jsonl").read_bytes().splitlines()
    (run / "predictions.jsonl").write_bytes(b"\n".join([lines[0], line, *lines[1:]]) + b"\n")
    with pytest.raises(RunError) as caught:
        read_predictions(run)
    assert words in str(caught.value)
    assert caught.value.line == 2


def test_a_task_with_two_lines_is_refused(run: Path) -> None:
    lines = (run / "predictions.jsonl").read_bytes()
    (run / "predictions.jsonl").write_bytes(lines + lines.splitlines(keepends=True)[0])
    with pytest.raises(RunError, match="the file has two lines of this task: remove one of them") as caught:
        read_predictions(run)
    assert (caught.value.line, caught.value.episode_id) == (5, "1__20250307_080000")


@given(st.data())
@settings(
    deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_damaged_files_are_read_or_refused(run: Path, data: st.DataObject) -> None:
    file = run / data.draw(st.sampled_from(["run.json", "predictions.jsonl"]))
    whole = file.read_bytes()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    try:
        file.write_bytes(whole[:start] + data.draw(st.binary(max_size=20)) + whole[end:])
        with suppress(RunError):
            read_run(run)
            read_predictions(run)
    finally:
        file.write_bytes(whole)
