"""`fingertip suggest` and `fingertip score` as a user calls them: exit codes, one-line errors, tables."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.command_line import fingertip

pytestmark = pytest.mark.early


@pytest.fixture(scope="module")
def tasks(sample: Path) -> int:
    manifest = json.loads((sample / "manifest.json").read_text(encoding="utf-8"))
    return int(manifest["splits"]["test_suggestion"]["episodes"])


@pytest.fixture(scope="module")
def runs(sample: Path, tasks: int, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    first = fingertip("suggest", sample, "--agent", "habit", "--out", folder / "habit")
    assert (first.returncode, first.stdout) == (
        0,
        f"{folder / 'habit'}: {tasks} of {tasks} tasks queried, 0 unanswered\n"
        f"next: fingertip score {folder / 'habit'}\n",
    )
    strict = ("--protocol", "strict", "--history", "all", "--out", folder / "two")
    second = fingertip("suggest", sample, "--agent", "recent", *strict)
    assert second.returncode == 0
    return folder / "habit", folder / "two"


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("fingertip: ")
    return lines[0]


def test_a_second_call_has_nothing_to_do(sample: Path, runs: tuple[Path, Path], tasks: int) -> None:
    before = (runs[0] / "predictions.jsonl").read_bytes()
    done = fingertip("suggest", sample, "--agent", "habit", "--split", "test-suggestion", "--out", runs[0])
    assert (done.returncode, done.stdout) == (
        0,
        f"{runs[0]}: finished before, {tasks} of {tasks} tasks: nothing to do\n"
        f"next: fingertip score {runs[0]}\n",
    )
    assert (runs[0] / "predictions.jsonl").read_bytes() == before


def test_the_agent_random_takes_a_seed_and_records_it(sample: Path, tmp_path: Path) -> None:
    call = ("suggest", sample, "--agent", "random", "--limit", "2", "--out", tmp_path / "run")
    assert fingertip(*call, "--seed", "3").returncode == 0
    assert json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["agent"]["settings"] == {"seed": 3}
    assert "seed" in one_line(fingertip(*call))


def test_a_stopped_run_resumes_and_reports_the_dropped_line(
    sample: Path, runs: tuple[Path, Path], tasks: int, tmp_path: Path
) -> None:
    whole = (runs[0] / "predictions.jsonl").read_bytes()
    (tmp_path / "run").mkdir()
    for name in ("run.json", "targets.jsonl"):
        (tmp_path / "run" / name).write_bytes((runs[0] / name).read_bytes())
    (tmp_path / "run" / "predictions.jsonl").write_bytes(whole[: len(whole) * 2 // 3])
    refused = fingertip("score", tmp_path / "run", "--embedder", "lexical")
    assert f"of {tasks} tasks" in one_line(refused)
    partial = fingertip("score", tmp_path / "run", "--embedder", "lexical", "--partial", "--notes")
    assert partial.returncode == 0
    assert f"of the run's {tasks} tasks" in partial.stdout
    done = fingertip("suggest", sample, "--agent", "habit", "--out", tmp_path / "run")
    assert done.returncode == 0
    assert "of predictions.jsonl was cut off: dropped, its task queried again" in done.stdout
    assert "answered before" in done.stdout


def test_an_occupied_folder_and_another_run_are_refused(
    sample: Path, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("", encoding="utf-8")
    assert "no run.json" in one_line(fingertip("suggest", sample, "--agent", "habit", "--out", tmp_path))
    other = fingertip("suggest", sample, "--agent", "frequent", "--out", runs[0])
    assert "differs in --agent: habit in the folder, frequent in this call" in one_line(other)


def test_scores_are_printed_and_written(runs: tuple[Path, Path], tasks: int) -> None:
    done = fingertip("score", *runs, "--embedder", "lexical", "--by", "category", "--notes")
    assert done.returncode == 0
    assert done.stderr == ""
    for run, agent in zip(runs, ("habit", "recent"), strict=True):
        scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
        row = next(line for line in done.stdout.splitlines() if line.startswith(f"│ {run.name} "))
        assert agent in row
        mean = scores["sim1"]
        assert f"{mean['mean']:.3f} [{mean['low']:.3f}, {mean['high']:.3f}]" in row
        assert scores["comparable"] is False
        assert f"{run.name}: Sim_1 by category" in done.stdout
    for words in (
        "embedder lexical",
        "the data were not recorded from people",
        "earlier intents by protocol strict",
        "earlier intents shown: all",
        f"{tasks} tasks",
    ):
        assert f"Not comparable with the paper: {words}" in done.stdout
    assert "音乐/音频" in done.stdout


def test_a_run_is_compared_with_another_on_the_same_tasks(runs: tuple[Path, Path], tasks: int) -> None:
    ours, theirs = runs
    done = fingertip("score", ours, "--against", theirs, "--embedder", "lexical", "--judge", "lexical")
    (line,) = [line for line in done.stdout.splitlines() if " minus " in line]
    assert line.startswith(f"habit minus two, {tasks} tasks of ")
    items = [json.loads((run / "scores.json").read_text(encoding="utf-8"))["per_item"] for run in runs]
    mean = sum(one["sim1"] - other["sim1"] for one, other in zip(*items, strict=True)) / tasks
    assert f"Sim_1 {mean:+.3f} [" in line
    assert "SR_1 % " in line
