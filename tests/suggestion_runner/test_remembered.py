"""Runs of track 1 with a memory: what tasks show, the record, resuming, and what cannot go together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents import HabitBaseline
from fingertip_agents.memory.memory_files import read_memory_use
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_SUGGESTION
from fingertip_metrics.embedders import Embedder
from fingertip_runs.memory_record import MEMORY, MemoryRecord
from suggestion_runner import read_predictions, read_run, run_suggestions
from suggestion_runner.scoring import score_run, scores_dict
from suggestion_runner.suggestion_published import rows_of
from suggestion_runner.suggestion_tables import notes
from suggestion_runner.suggestion_tasks import open_tasks
from tests.suggestion_runner.test_suggestion_run import Watcher


def shown(dataset: Path, out: Path, **view: Any) -> list[tuple[str, Any, str]]:  # noqa: ANN401 - of a run
    watcher = Watcher()
    run_suggestions(dataset, watcher, out, **view)
    return [(seen.task_id, seen.previous_intents, seen.memory) for seen in watcher.seen]


@pytest.mark.parametrize("view", [{}, {"without": ("time",)}, {"without": ("scenario",)}])
@pytest.mark.parametrize(("memory", "history"), [("last-20", "20"), ("none", "none")])
def test_two_memories_are_the_paper_s_history_and_none(
    small_dataset: Path, tmp_path: Path, memory: str, history: str, view: dict[str, Any]
) -> None:
    remembered = shown(small_dataset, tmp_path / "a", memory=memory, **view)
    plain = shown(small_dataset, tmp_path / "b", history=history, **view)
    bare = [(task, [(one.time, one.scenario, one.app, one.text) for one in past], text)
            for task, past, text in plain]  # fmt: skip
    assert [
        (task, [(one.time, one.scenario, one.app, one.text) for one in past], text)
        for task, past, text in remembered
    ] == bare
    record = read_run(tmp_path / "a")
    assert record.memory == MemoryRecord(name=memory, settings={"intents": 20} if history == "20" else {})
    assert (record.history, record.has_own_memory) == (history, memory == "none")


def test_a_run_without_a_memory_has_no_word_of_it(small_dataset: Path, tmp_path: Path) -> None:
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "run")
    assert "memory" not in json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert not (tmp_path / "run" / MEMORY).exists()


def test_habits_tell_of_earlier_days_alone(small_dataset: Path, tmp_path: Path) -> None:
    recalled = {task: text for task, _, text in shown(small_dataset, tmp_path / "run", memory="habits")}
    assert recalled["1__20250307_080000"] == "约08:00，工作日，住所：“听歌”，2次，最近03-06"
    assert recalled["30__20250302_090000"] == ""
    assert recalled["30__20250307_090000"] == "约09:00，每天，办公场所：“打车回家”，2次，最近03-03"


def test_a_stopped_run_goes_on_and_shows_the_same(small_dataset: Path, tmp_path: Path) -> None:
    whole = shown(small_dataset, tmp_path / "whole", memory="habits")
    with pytest.raises(KeyboardInterrupt):
        run_suggestions(small_dataset, Stopping(after=2), tmp_path / "run", memory="habits")
    rest = shown(small_dataset, tmp_path / "run", memory="habits")
    assert rest == whole[2:]
    assert len(read_predictions(tmp_path / "run")) == 4
    use = read_memory_use(tmp_path / "run" / MEMORY)
    assert use is not None
    assert (use.recalls, use.calls) == (4, 0)
    assert shown(small_dataset, tmp_path / "run", memory="habits") == []
    others = {"memory": "all"}, {"memory": "habits", "memory_budget": 9}
    for other in others:
        with pytest.raises(Exception, match="differs in memory"):
            run_suggestions(small_dataset, Watcher(), tmp_path / "run", **other)  # type: ignore[arg-type]


class Stopping(Watcher):
    """Agent that Ctrl-C stops after some tasks."""

    def __init__(self, after: int) -> None:
        super().__init__(("好",) * after)
        self._after = after

    def suggest(self, task_input: Any) -> Any:  # noqa: ANN401 - as of a Watcher
        if len(self.seen) == self._after:
            raise KeyboardInterrupt
        return super().suggest(task_input)


def test_the_tasks_of_a_run_are_opened_again_as_they_were(small_dataset: Path, tmp_path: Path) -> None:
    recalled = shown(small_dataset, tmp_path / "run", memory="habits", memory_budget=30)
    built = BuiltDataset.open(small_dataset)
    again = [task.input for task in open_tasks(built, read_run(tmp_path / "run"), ())]
    assert [(one.task_id, one.previous_intents, one.memory) for one in again] == recalled


def test_size_and_cost_stand_beside_the_scores(
    small_dataset: Path, tmp_path: Path, lexical: Embedder
) -> None:
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "run", memory="habits")
    scores = score_run(tmp_path / "run", embedder=lexical)
    assert any("the memory recalled" in line for line in notes([scores]))
    assert "memory habits, at most 2,000 characters: the paper's agents see" in "".join(scores.caveats)
    assert scores_dict(scores)["memory"]["recalls"] == 4
    assert rows_of([scores], elsewhere=True) == []


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        ({"memory": "habbits"}, "expected a memory, one of none, last-20, all"),
        ({"memory": "habits", "history": "all"}, "both choose the earlier intents"),
        ({"memory": "habits", "without": ("time",)}, "the memory habits tells times and places, which"),
        ({"memory": "profile"}, "the memory profile needs a model"),
        ({"memory_budget": 10}, "--memory-budget needs --memory"),
        ({"memory": "all", "memory_budget": -1}, "expected a memory budget of 0 or more characters, got -1"),
    ],
)
def test_what_does_not_go_together_is_refused(
    small_dataset: Path, tmp_path: Path, view: dict[str, Any], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        run_suggestions(small_dataset, HabitBaseline(), tmp_path / "run", split=TEST_SUGGESTION, **view)
    assert not (tmp_path / "run").exists()
