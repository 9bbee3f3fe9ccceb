"""docs/run-folder.md: its listings, records and fields are those of runs that are made here."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Set
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from pydantic import BaseModel

from execution_runner.execution_records import STEPS, EndRecord, ExecutionRun, StepRecord
from execution_runner.scoring.success_labels import LABELS
from fingertip_analysis.review.ratings import RATINGS
from fingertip_analysis.why.why_labels import WHY_LABELS
from fingertip_runs.answer_caches import ANSWER_CACHES
from fingertip_runs.repeats import REPEATS
from fingertip_runs.run_folder import RUN, SCORES
from fingertip_runs.run_record import RunRecord
from fingertip_runs.same_task import SAME_TASK
from fingertip_runs.targets import TARGETS
from suggestion_runner.acceptance import ACCEPTANCE
from suggestion_runner.human.rater_answers import ANSWERS as RATER_ANSWERS
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import Prediction, SuggestionRun
from tests.command_line import fingertip
from tests.page_blocks import ROOT, blocks
from tests.shared_datasets import simulated_people

PAGE = ROOT / "docs" / "run-folder.md"
SECTIONS = re.split(r"^#{2,3} (.*)\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
SECTION = dict(zip(SECTIONS[1::2], SECTIONS[2::2], strict=True))
"""Heading -> the text up to the next heading."""

RUNS = {"Track 1": "habit", "Track 2": "imitate"}
"""Heading -> folder of the run."""


SUGGEST, EXECUTE = (
    "suggest data --agent habit --out habit",
    "execute data --agent imitate --device simulated --out imitate --limit 1",
)


def call(line: str, folder: Path) -> CompletedProcess[str]:
    """Run `fingertip` in the folder; it succeeds."""
    done = fingertip(*line.split(), cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of each track, which are scored without their dataset, as on another computer."""
    folder = tmp_path_factory.mktemp("runs")
    data = folder / "data"
    data.symlink_to(simulated_people(tmp_path_factory) / "dataset")
    call(SUGGEST, folder)
    call(EXECUTE, folder)
    data.rename(folder / "away")
    call("score habit --embedder lexical", folder)
    call("score imitate", folder)
    (folder / "away").rename(data)
    return folder


def read_examples(heading: str) -> list[dict[str, Any]]:
    """The JSON objects of a section."""
    return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", SECTION[heading], re.DOTALL)]


def read_fields(heading: str) -> list[set[str]]:
    """Names in the first column of each table of a section."""
    tables = re.findall(r"^\| (?:field|file) \|.*\n\|-.*\n((?:\|.*\n)+)", SECTION[heading], re.MULTILINE)
    return [
        {name for line in table.splitlines() for name in re.findall(r"`([^`]+)`", line.split(" | ")[0])}
        for table in tables
    ]


def read_lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def describe_shape(value: object) -> object:
    """The keys of an object and of all objects in it; settings and packages have any keys."""
    if not isinstance(value, dict):
        return (
            [describe_shape(one) for one in value[:1] if isinstance(one, dict)]
            if isinstance(value, list)
            else 0
        )
    return {
        key: 0 if key in ("settings", "packages", "facts") else describe_shape(one)
        for key, one in value.items()
    }  # fmt: skip


@pytest.mark.parametrize("heading", RUNS)
def test_the_listing_is_that_of_the_folder(heading: str, runs: Path) -> None:
    root, *listed = re.findall(r"^(?:[├└]── )?([\w./-]+)", SECTION[heading].split("```")[1], re.MULTILINE)
    assert root == f"two-people/{RUNS[heading]}"
    found = sorted(runs.joinpath(RUNS[heading]).iterdir())
    assert listed == [f"{path.name}/" if path.is_dir() else path.name for path in found]


def test_the_records_of_track_1_are_those_of_a_run(runs: Path) -> None:
    made = {
        "run.json": json.loads((runs / "habit" / RUN).read_bytes()),
        "targets.jsonl": read_lines(runs / "habit" / TARGETS)[0],
        "predictions.jsonl": read_lines(runs / "habit" / PREDICTIONS)[0],
    }
    for heading, record in made.items():
        (example,) = read_examples(heading)
        assert list(example) == list(record), heading
        assert describe_shape(example) == describe_shape(record), heading


def test_the_records_of_track_2_are_those_of_a_run(runs: Path) -> None:
    step, end = read_examples("steps.jsonl")
    lines = read_lines(runs / "imitate" / STEPS)
    for example in (step, end):
        made = [line for line in lines if line["kind"] == example["kind"]]
        assert made
        example = dict(example)
        for line in made:
            # where and how an attempt began depends on the task
            for one in (example, line):
                one.pop("start", None)
            assert describe_shape(line) == describe_shape(example)


@pytest.mark.parametrize(
    ("heading", "record", "common"),
    [
        ("run.json", SuggestionRun, SuggestionRun.OMIT_DEFAULTS - {"versions"}),
        ("Track 2", ExecutionRun, {*RunRecord.model_fields}),
        ("predictions.jsonl", Prediction, set()),
    ],
)
def test_each_field_of_a_record_is_explained(heading: str, record: type[BaseModel], common: Set[str]) -> None:
    """Fields that only options bring are in the reference, and those of all runs are explained once."""
    assert set.union(*read_fields(heading)) == {*record.model_fields} - common


def test_each_field_of_a_line_of_track_2_is_explained() -> None:
    steps, ends = read_fields("steps.jsonl")
    assert steps == {*StepRecord.model_fields} - {"kind"}
    assert ends == {*EndRecord.model_fields} - {"kind"}


def test_every_file_that_comes_later_is_one_that_the_code_writes() -> None:
    (files,) = read_fields("Files that come later")
    written = {
        SCORES,
        *ANSWER_CACHES,
        LABELS,
        RATINGS,
        ACCEPTANCE,
        RATER_ANSWERS,
        SAME_TASK,
        WHY_LABELS,
        REPEATS,
    }
    assert {name for name in files if "." in name} == written  # fmt: skip


def test_the_example_by_hand_prints_the_failed_tasks(
    runs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = [block for block in blocks(PAGE) if block.language == "python"]
    (runs / "two-people").symlink_to(".")
    (runs / "block.py").write_text(block.text, encoding="utf-8")
    monkeypatch.chdir(runs)
    runpy.run_path("block.py")
    ends = [line for line in read_lines(runs / "imitate" / STEPS) if line["kind"] == "end" and line["final"]]
    assert capsys.readouterr().out.splitlines() == [
        f"{line['task_id']} {line['outcome']} {line['steps']} steps" for line in ends if not line["success"]
    ]


def test_the_same_call_goes_on_and_another_agent_is_refused(runs: Path) -> None:
    log, record = (runs / "habit" / name for name in (PREDICTIONS, RUN))
    lines, before = log.read_bytes(), record.read_bytes()
    call(SUGGEST, runs)
    assert (log.read_bytes(), record.read_bytes()) == (lines, before)
    log.write_bytes(lines[:-20])
    call(SUGGEST, runs)
    assert [line["task_id"] for line in read_lines(log)] == [
        json.loads(line)["task_id"] for line in lines.splitlines()
    ]
    assert len(json.loads(record.read_bytes())["sessions"]) == 2
    refused = fingertip(*SUGGEST.replace("habit", "recent", 1).split(), cwd=runs)
    assert refused.returncode == 2
    assert "--agent: habit in the folder, recent in this call" in refused.stderr
