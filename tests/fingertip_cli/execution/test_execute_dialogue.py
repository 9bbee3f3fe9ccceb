"""`fingertip execute --instructions --answered-by`: a run whose person answers, and what is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.instructed_tasks import instruct_tasks
from tests.command_line import fingertip


def execute(*arguments: object) -> subprocess.CompletedProcess[str]:
    return fingertip("execute", *arguments)


def read_lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_person_answers_an_agent_that_asks(people: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    call = (people, "--agent", "ask-all", "--device", "simulated", "--out", run)
    done = execute(*call, "--instructions", "goal-alone", "--answered-by", "simulated")
    assert done.returncode == 0, done.stderr
    assert "instructions goal-alone: every task begins on the home screen" in done.stdout
    assert "no reference is shown: " in done.stdout
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert (record["instructions"], record["answered_by"]) == ("goal_alone", "simulated")
    assert record["reference"] == "none"
    kept = instruct_tasks(BuiltDataset.open(people), "test_execution", "goal_alone").choose(None)
    assert tuple(record["task_ids"]) == kept
    lines = read_lines(run / "steps.jsonl")
    ends = [line for line in lines if line["kind"] == "end"]
    assert all(line["success"] and line["dialogue"]["questions"] for line in ends)
    assert any(line.get("reply") for line in lines)
    assert all(line["known_from"] for line in read_lines(run / "targets.jsonl"))
    again = execute(*call, "--instructions", "goal-alone", "--answered-by", "simulated")
    assert (again.returncode, f"{len(kept)} finished before" in again.stdout) == (0, True)
    other = execute(*call, "--instructions", "goal-alone")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    scores = fingertip("score", run, "--by", "known-from")
    _, by = scores.stdout.split("by known-from")
    assert all(words in by for words in ("questions", "needless", "unasked acts %", "after a no %")), by


def test_what_an_agent_lacks_is_a_line_each(people: Path, tmp_path: Path) -> None:
    call, usual = (people, "--device", "simulated", "--limit", "1"), tmp_path / "usual"
    done = execute(*call, "--agent", "ask-all", "--out", usual)
    lacked = "ask-all asked nothing, as nobody answers: --answered-by simulated lets"
    assert lacked in done.stdout, done.stderr
    # a grouping that a run lacks is refused before anything is printed or written
    scores = fingertip("score", usual, "--by", "known-from")
    assert (scores.returncode, scores.stdout, scores.stderr.count("\n")) == (2, "", 1)
    assert not (usual / "scores.json").exists()
    less = (*call, "--instructions", "goal-alone", "--reference", "other_type")
    done = execute(*less, "--agent", "imitate", "--out", tmp_path / "run")
    assert "--reference had no effect: with the instruction goal-alone no reference is shown" in done.stdout
    assert "imitate repeats the reference, and none was shown: it did nothing" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ("--device", "replay", "--answered-by", "simulated"),
            "--answered-by simulated needs --device simulated: on a recording (replay)",
        ),
        (
            ("--device", "teacher-forced", "--instructions", "no-app"),
            "--instructions no-app needs --device simulated: on a recording (teacher-forced)",
        ),
        (
            ("--device", "adb:NOBODY", "--answered-by", "human"),
            "--answered-by human needs --device simulated: nobody knows by rule what",
        ),
        (
            ("--device", "simulated", "--instructions", "no-arguments", "--engine", "ray",
             "--answered-by", "human"),
            "Ray workers have nobody at a terminal, and query no second model: leave out --engine ray",
        ),
        (
            ("--device", "simulated", "--instructions", "goal-alone", "--skip-same-task",
             "--judge", "lexical"),
            "show no reference, which would give their arguments away: leave out",
        ),
    ],
)  # fmt: skip
def test_what_has_no_answers_is_refused_in_one_line(
    options: tuple[str, ...], words: str, people: Path, tmp_path: Path
) -> None:
    done = execute(people, "--agent", "imitate", "--out", tmp_path / "run", *options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr
    assert not (tmp_path / "run").exists()


def test_recorded_people_have_no_instructions_but_their_own(sample: Path, tmp_path: Path) -> None:
    done = execute(
        sample, "--agent", "never-ask", "--device", "simulated", "--instructions", "no-app",
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "need a dataset of simulated people" in done.stderr
