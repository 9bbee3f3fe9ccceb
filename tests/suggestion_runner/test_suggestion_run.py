"""Runs of track 1: the task view, the log, and resuming after an interruption."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline, RecentBaseline, Suggestion
from fingertip_dataset.errors import AllTasksFailedError, DatasetError, ModelError, RunError, UsageError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_runs.benchmark_versions import HARNESS
from suggestion_runner import RunOutcome, read_predictions, read_run, run_suggestions

ROOT = Path(__file__).parents[2]


class Watcher:
    """Agent that records its inputs and gives its answers in order; an exception is raised."""

    name = "watcher"

    def __init__(
        self, answers: tuple[object, ...] = (), settings: Mapping[str, object] | None = None
    ) -> None:
        self.settings = settings or {}
        self.seen: list[SuggestionInput] = []
        self._answers = answers

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        self.seen.append(task_input)
        answer = self._answers[len(self.seen) - 1] if len(self.seen) <= len(self._answers) else "好"
        if isinstance(answer, Exception):
            raise answer
        return Suggestion(text=answer, seconds=0.5)  # type: ignore[arg-type]

    def shown(self) -> dict[str, list[str]]:
        return {output.task_id: [intent.text for intent in output.previous_intents] for output in self.seen}


def test_every_task_is_queried_once_and_logged(small_dataset: Path, tmp_path: Path) -> None:
    output: list[tuple[int, int]] = []
    outcome = run_suggestions(
        small_dataset,
        HabitBaseline(),
        tmp_path / "run",
        on_progress=lambda done, total: output.append((done, total)),
    )
    assert outcome == RunOutcome(
        folder=tmp_path / "run", tasks=4, answered_before=0, queried=4, unanswered=1, dropped=None
    )
    assert output == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    lines = (tmp_path / "run" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    assert first.pop("time_s") >= 0
    assert first == {
        "task_id": "1__20250307_080000",
        "predicted_intent": "听歌",
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "shown_intents": 4,
        "shown_screenshots": 0,
    }
    assert [json.loads(line)["predicted_intent"] for line in lines] == ["听歌", "看小说", "", "打车回家"]
    targets = (tmp_path / "run" / "targets.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(targets) == 4
    assert json.loads(targets[0]) == {
        "task_id": "1__20250307_080000",
        "user_id": "1",
        "time": "2025-03-07T08:00:00+08:00",
        "app": "com.app1",
        "intent": "听歌。",
        "intent_category": "示例",
    }


def test_the_record_describes_the_run(small_dataset: Path, tmp_path: Path) -> None:
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "run", split="test-suggestion")
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    manifest = json.loads((small_dataset / "manifest.json").read_text(encoding="utf-8"))
    session = record.pop("sessions")[0]
    assert record == {
        "version": 2,
        "track": "suggestion",
        "agent": {"name": "habit", "settings": {"hours": 2.0, "other_scenario": 0.25, "other_days": 0.5}},
        "dataset": {
            "path": str(small_dataset),
            "data_sha256": manifest["data_sha256"],
            "provenance": "sample",
            "split_method": "official tables",
            "seed": 0,
        },
        "split": "test_suggestion",
        "tasks": 4,
        "screenshots": 0,
        "history": "20",
        "protocol": "online",
        "history_source": "previous_intents",
        "versions": {"harness": HARNESS, "phone": None, "suite": None, "people": None},
    }
    assert session["started"].endswith("+08:00")
    assert "rapidfuzz" in session["source"]["packages"]


@pytest.mark.parametrize(
    ("history", "protocol", "expected"),
    [
        ("20", None, ["打开闹钟", "听歌", "看小说", "听歌", "听歌。"]),
        # looked up among the episodes, so the intent without an episode is missing
        ("all", None, ["打开闹钟", "听歌", "看小说", "听歌。"]),
        ("20", "strict", ["打开闹钟", "听歌", "看小说"]),
        ("none", None, []),
        ("none", "strict", []),
    ],
)
def test_history_has_the_requested_length(
    small_dataset: Path, tmp_path: Path, history: str, protocol: str | None, expected: list[str]
) -> None:
    agent = Watcher()
    run_suggestions(small_dataset, agent, tmp_path / "run", history=history, protocol=protocol)  # type: ignore[arg-type]
    assert agent.shown()["1__20250310_200000"] == expected
    source = read_run(tmp_path / "run").history_source
    assert source == ("previous_intents" if (history, protocol) == ("20", None) else "dataset rows")


def test_the_task_view_contains_nothing_of_the_target(small_dataset: Path, tmp_path: Path) -> None:
    agent = Watcher()
    run_suggestions(small_dataset, agent, tmp_path / "run")
    assert agent.shown()["30__20250302_090000"] == []
    assert all("com.app" not in repr(output) for output in agent.seen if not output.previous_intents)


def test_screenshots_are_passed_unchanged(small_dataset: Path, tmp_path: Path) -> None:
    agent = Watcher()
    run_suggestions(small_dataset, agent, tmp_path / "run", screenshots=1)
    raw = small_dataset.parent / "raw"
    for output in agent.seen:
        first = min((raw / output.task_id.replace("__", "/") / "Screenshots").glob("*.jpg"))
        assert output.screenshots == (first.read_bytes(),)
    assert {line.shown_screenshots for line in read_predictions(tmp_path / "run")} == {1}


def test_a_finished_run_is_not_changed(small_dataset: Path, tmp_path: Path) -> None:
    run_suggestions(small_dataset, RecentBaseline(), tmp_path / "run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    outcome = run_suggestions(small_dataset, RecentBaseline(), tmp_path / "run")
    assert (outcome.queried, outcome.answered_before) == (0, 4)
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (ValueError("no\nkey"), ": ValueError: no key"),
        (7, "expected the intent as a text"),
        (ModelError("expected a server, got none"), "expected a server, got none"),
    ],
)
def test_a_task_that_an_agent_fails_does_not_end_the_run(
    small_dataset: Path, tmp_path: Path, failure: object, words: str
) -> None:
    outcome = run_suggestions(small_dataset, Watcher(("一", failure, "三", "四")), tmp_path / "run")
    assert (outcome.queried, outcome.unanswered) == (4, 1)
    (task_id,) = outcome.failed
    assert words in outcome.failed[task_id]
    agent = Watcher()
    outcome = run_suggestions(small_dataset, agent, tmp_path / "run")
    assert [task_input.task_id for task_input in agent.seen] == [task_id]
    assert (outcome.answered_before, outcome.queried, outcome.failed) == (3, 1, {})
    answers = [line.predicted_intent for line in read_predictions(tmp_path / "run")]
    assert answers == ["一", "三", "四", "好"]
    assert len(read_run(tmp_path / "run").sessions) == 2


def test_an_agent_that_fails_every_task_is_an_error(small_dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(AllTasksFailedError) as caught:
        run_suggestions(small_dataset, Watcher((ValueError("no\nkey"),) * 4), tmp_path / "run")
    assert "ValueError: no key (test_suggestion_run.py, line" in str(caught.value)


def test_any_text_can_be_written(small_dataset: Path, tmp_path: Path) -> None:
    texts = ("a\nb\u2028c\x00", "\ud83d", '{"x": 1}\\', " \t")
    outcome = run_suggestions(small_dataset, Watcher(texts), tmp_path / "run")
    answers = tuple(line.predicted_intent for line in read_predictions(tmp_path / "run"))
    assert answers == (texts[0], "?", *texts[2:])
    assert outcome.unanswered == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from fingertip_agents import RecentBaseline
from suggestion_runner import run_suggestions

class Deadly(RecentBaseline):
    asked = 0
    def suggest(self, task_input):
        Deadly.asked += 1
        if Deadly.asked == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().suggest(task_input)

run_suggestions(Path(sys.argv[1]), Deadly(), Path(sys.argv[2]))
"""


@pytest.fixture(scope="module")
def killed(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose process was killed by SIGKILL during its third task."""
    run = tmp_path_factory.mktemp("killed") / "run"
    done = subprocess.run([sys.executable, "-c", KILLED, small_dataset, run], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    return run


@pytest.mark.parametrize("torn", [b"", b'{"task_id": "30__2025', b"{}"])
def test_a_killed_run_resumes(small_dataset: Path, killed: Path, tmp_path: Path, torn: bytes) -> None:
    run = shutil.copytree(killed, tmp_path / "run")
    lines = run / "predictions.jsonl"
    kept = lines.read_bytes()
    assert kept.count(b"\n") == 2
    lines.write_bytes(kept + torn)
    outcome = run_suggestions(small_dataset, RecentBaseline(), run)
    assert (outcome.answered_before, outcome.queried) == (2, 2)
    assert outcome.dropped == (3 if torn else None)
    assert lines.read_bytes().startswith(kept)
    whole = tmp_path / "whole"
    run_suggestions(small_dataset, RecentBaseline(), whole)
    assert _without_time(run) == _without_time(whole)


def _without_time(run: Path) -> list[object]:
    return [line.model_copy(update={"time_s": 0}) for line in read_predictions(run)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"history": "all"}, "--history: 20 in the folder, all in this call"),
        ({"protocol": "strict"}, "protocol: online in the folder, strict in this call"),
        ({"screenshots": 2}, "--screenshots: 0 in the folder, 2 in this call"),
        ({"split": "train"}, "--split: test_suggestion in the folder, train in this call"),
        ({"agent": RecentBaseline()}, "--agent: watcher in the folder, recent in this call"),
        ({"agent": Watcher(settings={"t": 1})}, "agent.settings.t: none in the folder, 1 in this call"),
    ],
)
def test_another_run_is_refused(
    small_dataset: Path, tmp_path: Path, change: dict[str, object], words: str
) -> None:
    run_suggestions(small_dataset, Watcher(), tmp_path / "run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    call = {"agent": Watcher()} | change
    with pytest.raises(RunError) as caught:
        run_suggestions(small_dataset, out=tmp_path / "run", **call)  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


def test_wrong_arguments_raise_errors_that_name_valid_ones(small_dataset: Path, tmp_path: Path) -> None:
    def call(**change: object) -> None:
        run_suggestions(
            **({"dataset": small_dataset, "agent": RecentBaseline(), "out": tmp_path / "r"} | change)
        )  # type: ignore[arg-type]

    with pytest.raises(
        UsageError,
        match="one of train, vali, test_suggestion, test_execution, sampled_test_execution, test_long, "
        "train_moments, vali_moments, test_moments, got 'test'",
    ):
        call(split="test")
    with pytest.raises(UsageError, match="test_execution has no episodes"):
        call(split="test_execution")
    with pytest.raises(UsageError, match="0 to 3 screenshots, got 4"):
        call(screenshots=4)
    with pytest.raises(DatasetError):
        call(dataset=tmp_path / "nowhere")
    with pytest.raises(ModelError, match="settings of agent watcher are not JSON"):
        call(agent=Watcher(settings={"path": Path()}))
    assert not (tmp_path / "r").exists()
