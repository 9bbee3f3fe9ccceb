"""`score` and `report` open each file of a run and of its dataset once, as an audit hook of Python counts."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from fingertip_agents import get_agent
from fingertip_dataset.kept_files import keep_files, read_file
from fingertip_dataset.parquet.built import BuiltDataset
from suggestion_runner import run_suggestions
from tests.command_line import fingertip
from tests.execution_runner.conftest import GOLDEN, DrawRun, draw_run
from tests.suggestion_datasets import small_dataset

__all__ = ["draw_run", "small_dataset"]

COUNTS: list[Counter[str]] = []
"""Counts of opened files of the call that runs: a hook stays for ever, and counts nothing without one."""


def count_open(event: str, arguments: tuple[object, ...]) -> None:
    if COUNTS and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        COUNTS[-1][str(Path(os.fsdecode(arguments[0])).absolute())] += 1


sys.addaudithook(count_open)


def count_opens(*call: object, cwd: Path) -> Counter[str]:
    """Return the files that a call of the command opened, each with how many times."""
    COUNTS.append(Counter())
    try:
        assert fingertip(*call, cwd=cwd).returncode == 0
    finally:
        opened = COUNTS.pop()
    return opened


def test_each_file_is_opened_once(small_dataset: Path, tmp_path: Path, draw_run: DrawRun) -> None:
    run_suggestions(small_dataset, get_agent("habit"), tmp_path / "suggested")
    data = {"path": str(small_dataset), "data_sha256": BuiltDataset.open(small_dataset).manifest.data_sha256}
    label = {"task_id": "0__20250301_080000", "rater": "anna", "success": "yes"}
    drawn = draw_run([{"actions": list(GOLDEN)}], [label], dataset=data)
    (text,) = (small_dataset / "text").glob("test_suggestion*")
    suggested = (tmp_path / "suggested", ["--embedder", "lexical"], ["predictions.jsonl"], [text])
    done = (drawn, ["--why"], ["steps.jsonl", "labels.jsonl"], [])
    cases = [(command, *case) for command in ("score", "report") for case in (suggested, done)]
    for name, run, options, own, others in cases:
        opened = count_opens(name, run, *options, cwd=tmp_path)
        of_inputs = {
            file: times for file, times in opened.items() if file.startswith((str(run), str(small_dataset)))
        }
        assert set(of_inputs.values()) == {1}, of_inputs
        files = [
            *(run / name for name in ("run.json", "targets.jsonl", *own)),
            small_dataset / "manifest.json",
        ]
        assert set(map(str, [*files, *others])) <= set(of_inputs)


def test_a_kept_file_is_read_again_in_the_next_block(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"before")
    with keep_files():
        assert read_file(file) == b"before"
        file.write_bytes(b"after")
        assert read_file(file) == b"before"
    assert read_file(file) == b"after"
