"""Folder of a run of track 2: refused contents, and one-line errors with file and line for invalid files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts, read_run
from execution_runner.execution_run import ExecutionOutcome, run_execution
from fingertip_dataset.errors import RunError
from fingertip_dataset.parquet.built import BuiltDataset
from tests.examples import examples
from tests.execution_runner.players import Player, golden_ways

Replay = Callable[..., ExecutionOutcome]


@pytest.fixture(scope="module")
def replay(simulated_dataset: Path) -> Replay:
    """Function that runs recorded episodes with the persons' own actions."""
    ways = golden_ways(simulated_dataset)

    def run(folder: Path, **options: Any) -> ExecutionOutcome:  # noqa: ANN401 - of run_execution
        with open_environments(["replay"], BuiltDataset.open(simulated_dataset)) as environments:
            return run_execution(simulated_dataset, Player(ways), environments, folder, **options)

    return run


@pytest.fixture(scope="module")
def whole(replay: Replay, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "run"
    replay(folder)
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "run")


def test_a_folder_with_other_files_is_refused(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for resume in (False, True):
        with pytest.raises(RunError, match=r"the folder is no run: it holds notes.txt and no run.json"):
            replay(tmp_path, resume=resume)
        with pytest.raises(RunError, match="the run folder cannot be written"):
            replay(tmp_path / "notes.txt" / "run", resume=resume)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("resume", [False, True])
def test_files_of_a_run_killed_at_its_start_are_accepted(
    replay: Replay, whole: Path, tmp_path: Path, resume: bool
) -> None:
    (tmp_path / "steps.jsonl").touch()
    (tmp_path / ".run.json.tmp").write_text("{", encoding="utf-8")
    assert replay(tmp_path, resume=resume).queried == 3


@pytest.mark.parametrize("resume", [False, True])
def test_a_run_without_lines_can_be_replaced(
    replay: Replay, whole: Path, tmp_path: Path, resume: bool
) -> None:
    shutil.copy(whole / "run.json", tmp_path)
    (tmp_path / "steps.jsonl").write_bytes(b'{"kind"')
    assert replay(tmp_path, limit=1, resume=resume).queried == 1
    assert read_run(tmp_path).tasks == 1


def test_a_run_whose_attempts_all_failed_can_be_replaced(replay: Replay, whole: Path, tmp_path: Path) -> None:
    end = next(line for line in (whole / "steps.jsonl").read_text("utf-8").splitlines() if '"end"' in line)
    failed = {**json.loads(end), "outcome": "agent_error", "final": False, "steps": 0, "success": None}
    failed |= {"success_by": None}
    shutil.copy(whole / "run.json", tmp_path)
    (tmp_path / "steps.jsonl").write_text(json.dumps(failed) + "\n", encoding="utf-8")
    (tmp_path / "screens" / "left").mkdir(parents=True)
    outcome = replay(tmp_path, limit=1, resume=True)
    assert (outcome.done_before, outcome.queried, read_run(tmp_path).tasks) == (0, 1, 1)
    assert not (tmp_path / "screens" / "left").exists()
    assert failed["task_id"] == read_attempts(tmp_path)[0].end.task_id
    with pytest.raises(RunError, match="differs in tasks: 1 in the folder, 3 in this call"):
        replay(tmp_path, resume=True)


def test_an_interrupted_attempt_does_not_count(replay: Replay, run: Path) -> None:
    lines = (run / "steps.jsonl").read_text("utf-8").splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines) if json.loads(line)["kind"] == "end"]
    (run / "steps.jsonl").write_text("".join(lines[: ends[1]]), "utf-8")
    assert len(read_attempts(run)) == 1
    outcome = replay(run, resume=True)
    assert (outcome.queried, outcome.done_before, outcome.dropped) == (2, 1, None)
    assert [attempt.end.attempt for attempt in read_attempts(run)] == [1, 2, 1]
    assert (run / "steps.jsonl").read_text("utf-8").startswith("".join(lines[: ends[1]]))


def test_a_truncated_last_line_is_dropped(replay: Replay, run: Path) -> None:
    content = (run / "steps.jsonl").read_bytes()
    (run / "steps.jsonl").write_bytes(content[:-20])
    outcome = replay(run, resume=True)
    assert (outcome.queried, outcome.dropped) == (1, content.count(b"\n"))


def change_line(run: Path, kind: str, change: Callable[[dict[str, Any]], object]) -> int:
    """Changes the first line of that kind; returns its line number."""
    lines = [json.loads(line) for line in (run / "steps.jsonl").read_text("utf-8").splitlines()]
    number = next(number for number, line in enumerate(lines, 1) if line["kind"] == kind)
    change(lines[number - 1])
    (run / "steps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return number


@pytest.mark.parametrize(
    ("kind", "field", "value", "words"),
    [
        ("step", "kind", "pause", "got at kind: Input should be 'step' or 'end'"),
        ("step", "verdict", "maybe", "expected a line of steps.jsonl, got at verdict"),
        ("step", "step", 0, "got at step"),
        ("step", "mood", "good", "got at mood: Extra inputs are not permitted"),
        ("end", "outcome", "won", "expected a line of steps.jsonl, got at outcome"),
        ("end", "steps", 99, "expected the steps 1 to 99 of attempt 1, got "),
    ],
)
def test_an_invalid_line_is_reported_with_its_position(
    run: Path, kind: str, field: str, value: object, words: str
) -> None:
    change_line(run, kind, lambda line: line.update({field: value}))
    with pytest.raises(RunError) as caught:
        read_attempts(run)
    assert words in str(caught.value)
    assert "steps.jsonl" in str(caught.value)


def test_a_task_ends_only_once(replay: Replay, run: Path) -> None:
    last = (run / "steps.jsonl").read_text("utf-8").splitlines()[-1]
    with (run / "steps.jsonl").open("a", encoding="utf-8") as file:
        file.write(last + "\n")
    for read in (lambda: read_attempts(run), lambda: replay(run, resume=True)):
        with pytest.raises(RunError, match="this task ends twice in the file: remove one of the two lines"):
            read()


def test_a_newer_run_and_one_of_the_other_track_are_refused(run: Path) -> None:
    record = json.loads((run / "run.json").read_text("utf-8"))
    (run / "run.json").write_text(json.dumps(record | {"version": 3}), "utf-8")
    with pytest.raises(RunError, match="version 2 or older, got version 3"):
        read_run(run)
    (run / "run.json").write_text(json.dumps(record | {"track": "suggestion"}), "utf-8")
    with pytest.raises(RunError, match="this is a run of track 1, not of track 2: give another folder"):
        read_run(run)


@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cut=st.integers(0, 60_000), tail=st.binary(max_size=40))
def test_any_truncation_of_the_file_is_read_or_reported(
    whole: Path, tmp_path: Path, cut: int, tail: bytes
) -> None:
    run = tmp_path / "any"
    run.mkdir(exist_ok=True)
    shutil.copy(whole / "run.json", run)
    (run / "steps.jsonl").write_bytes((whole / "steps.jsonl").read_bytes()[:cut] + tail)
    with suppress(RunError):
        assert len(read_attempts(run)) <= 3


def test_an_episode_id_with_a_path_outside_the_folder_is_refused() -> None:
    from execution_runner.run_plan import _is_folder_name

    assert _is_folder_name("1001__20250322_075230")
    for name in ("", ".", "..", "../x", "a/b", "a\\b", "a\0b", "x" * 300):
        assert not _is_folder_name(name)
