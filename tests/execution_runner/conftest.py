"""Fixtures: simulated phones behind a real adb with a private server, and generated runs."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from execution_runner.devices import adb
from execution_runner.environments.environment import Environment
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_records import ExecutionRun
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.run_folder import write_json
from phone.tests.android_shell.plain_words import read_plain_words
from tests.phone_bench import adb_port, bench  # noqa: F401 - fixtures
from tests.shared_datasets import simulated_people

GOLDEN = ("click(coordinates=(60, 90), content='开始')", "type(text='稻香')", "finished()")
OTHER = ("press_home()", "scroll(coordinates=(60, 120), direction='down')", "finished()")


@pytest.fixture(autouse=True)
def _lines_are_plain_words(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Each line that the runner sent to a phone is of plain words: a missing quote fails the test."""
    log = "android_shell.shell.shell"
    caplog.set_level(logging.DEBUG, logger=log)
    yield
    for record in caplog.get_records("call"):
        if record.name == log and isinstance(record.args, tuple):
            read_plain_words(str(record.args[0]))


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulated phone needs no rest between two tries."""
    monkeypatch.setattr(adb, "PAUSE_SECONDS", 0.02)


class DrawRun:
    """Writes the folder of a run of track 2 from its records, in the form that `run_execution` writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.drawn = 0

    def __call__(
        self,
        drawn: Sequence[dict[str, Any]],
        labels: Sequence[dict[str, Any]] = (),
        **changes: Any,  # noqa: ANN401 - fields of every type
    ) -> Path:
        """Writes tasks: fields of EndRecord and TaskTarget, and `actions`: strings or StepRecord fields."""
        self.drawn += 1
        run = self.folder / f"run{self.drawn}"
        run.mkdir()
        targets: dict[str, dict[str, Any]] = {}
        lines = [line for number, task in enumerate(drawn) for line in self._lines(targets, number, **task)]
        ids = [line["task_id"] for line in lines if line["kind"] == "end" and line["final"]]
        record = {
            "version": 2,
            "track": "execution",
            "agent": {"name": "drawn", "settings": {}},
            "dataset": dict(DATA),
            "split": "test_execution",
            "tasks": len(ids),
            "sessions": [],
            "task_ids": ids,
            "device": "simulated",
            "reference": "same_user",
            "reference_method": "text",
            "history": "online",
            "step_limit_factor": 2.5,
            "more": [],
            "safety": "0" * 64,
            "dry_run": False,
            "action_text": "as written",
            "start": "app",
            "prices": None,
        } | changes
        record["dataset"] = DATA | record["dataset"]
        write_json(run / "run.json", ExecutionRun.model_validate(record).model_dump(mode="json"))
        self._write(run / "steps.jsonl", lines)
        self._write(run / "targets.jsonl", list(targets.values()))
        if labels:
            self._write(
                run / "labels.jsonl", [{"attempt": 1, "kind": "person", "at": NOW} | one for one in labels]
            )
        return run

    def _lines(
        self,
        targets: dict[str, dict[str, Any]],
        number: int,
        *,
        actions: Sequence[Any],
        **end: Any,  # noqa: ANN401 - fields of every type
    ) -> Iterator[dict[str, Any]]:
        task_id, attempt = end.pop("task_id", f"{number}__20250301_080000"), end.get("attempt", 1)
        given = [{"action": action} if isinstance(action, str) else action for action in actions]
        for count, step in enumerate(given, start=1):
            fields = (
                {"kind": "step", "task_id": task_id, "attempt": attempt, "step": count} | BLANK_STEP | step
            )
            yield {"written": fields["action"], "output": fields["action"]} | fields
        target = {name: end.pop(name, value) for name, value in BLANK_TARGET.items()}
        targets[task_id] = {"task_id": task_id} | target
        yield BLANK_END | {"task_id": task_id, "attempt": attempt, "steps": len(given)} | end

    @staticmethod
    def _write(file: Path, lines: Sequence[dict[str, Any]]) -> None:
        file.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
        )


NOW = "2026-03-01T08:00:00.000+08:00"
DATA = {
    "path": "nowhere",
    "data_sha256": "d" * 64,
    "provenance": "recorded",
    "split_method": "official tables",
    "seed": 0,
}
BLANK_STEP: dict[str, Any] = {
    "problem": None,
    "thought": "",
    "screenshot": None,
    "tree": None,
    "size": [120, 240],
    "package": "com.example",
    "seen_problems": [],
    "verdict": "allow",
    "reason": "",
    "performed": True,
    "agent_s": 0.5,
    "device_s": 1.5,
    "prompt_tokens": 0,
    "completion_tokens": 0,
    "queries": 0,
    "at": NOW,
}
BLANK_END: dict[str, Any] = {
    "kind": "end",
    "device": "emulator-1",
    "outcome": "terminated",
    "reason": "",
    "final": True,
    "success": None,
    "success_by": None,
    "final_screenshot": None,
    "reference_id": None,
    "at": NOW,
}
BLANK_TARGET: dict[str, Any] = {
    "user_id": "1",
    "app": "com.example",
    "intent": "听稻香",
    "intent_category": "音乐",
    "golden_actions": GOLDEN,
    "other_type_actions": OTHER,
}


@pytest.fixture(scope="session")
def draw_runs_in() -> type[DrawRun]:
    """Function that makes a `draw_run` for a given folder."""
    return DrawRun


@pytest.fixture
def draw_run(tmp_path: Path) -> DrawRun:
    """Function that writes generated runs of track 2."""
    return DrawRun(tmp_path)


@pytest.fixture(scope="session")
def built(simulated_dataset: Path) -> BuiltDataset:
    """The opened dataset of the simulated people."""
    return BuiltDataset.open(simulated_dataset)


@pytest.fixture(scope="module")
def phone(built: BuiltDataset, adb_port: int) -> Iterator[Sequence[Environment]]:  # noqa: F811
    """A shared simulated phone, for tests that need no special one."""
    with open_environments(["simulated"], built, server_port=adb_port) as environments:
        yield environments


@pytest.fixture(scope="session")
def simulated_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of three simulated people on small phones, with three tasks of track 2.

    Of the small samples, the one of this seed has the shortest episodes.
    """
    return simulated_people(tmp_path_factory, users=3, episodes=6, seed=5, size=(360, 800)) / "dataset"
