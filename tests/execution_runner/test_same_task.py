"""References that are not the same task: the dataset's ranking, the judge, and no repeated queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts, read_run
from execution_runner.execution_run import run_execution
from execution_runner.run_plan import plan_tasks, replace_by_judged_references
from fingertip_agents.registry import get_execution_agent
from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import SPLITS
from fingertip_metrics.judges import LexicalJudge, Verdict
from fingertip_models.prices import Prices
from fingertip_runs.same_task import SAME_TASK, NoVerdictsError, same_task_counts


class Counting:
    """A judge that records its queries and gives preset verdicts, with 7 tokens per pair."""

    remark = why_not_comparable = None
    name = "counting"
    settings: dict[str, object] = {}  # noqa: RUF012

    def __init__(self, same: int = 0, fails_after: int | None = None) -> None:
        self.same = same  # number of candidates of each task that are the same task
        self.queried: list[tuple[str, str]] = []
        self.fails_after = fails_after

    def judge(self, pairs: Sequence[tuple[str, str]]) -> tuple[Verdict, ...]:
        if self.fails_after is not None and len(self.queried) >= self.fails_after:
            raise ModelError("no answer")
        found = []
        for candidate, intent in pairs:
            before = sum(query == intent for _, query in self.queried)
            self.queried.append((candidate, intent))
            state = "same" if before < self.same else "different"
            found.append(Verdict(state=state, prompt_tokens=5, completion_tokens=2))
        return tuple(found)


def test_the_first_candidate_is_the_datasets_own_reference(built: BuiltDataset, tmp_path: Path) -> None:
    tasks = plan_tasks(built).tasks
    assert any(planned.input.reference for planned in tasks)
    assert replace_by_judged_references(tmp_path, built, tasks, Counting()) == list(tasks)


def test_candidates_are_earlier_episodes_in_order_of_similarity(built: BuiltDataset, tmp_path: Path) -> None:
    from rapidfuzz.distance import Indel

    tasks = plan_tasks(built).tasks
    judge = Counting(same=10**9)
    chosen = replace_by_judged_references(tmp_path, built, tasks, judge)
    assert [planned.input.reference for planned in chosen] == [None] * len(tasks)
    rows = [row for split in SPLITS for row in built.rows(split, columns=("episode_id", "user_id", "intent"))]
    for planned in tasks:
        text = planned.input.intent
        earlier = {
            row["intent"]
            for row in rows
            if row["user_id"] == planned.target.user_id and row["episode_id"] < planned.task_id
        }
        query = [candidate for candidate, intent in judge.queried if intent == text]
        assert set(query) == earlier
        values = [Indel.normalized_similarity(candidate, text) for candidate in query]
        assert values == pytest.approx(sorted(values, reverse=True), abs=1e-5)


def test_same_task_candidates_are_skipped_and_counted(built: BuiltDataset, tmp_path: Path) -> None:
    tasks = plan_tasks(built).tasks
    chosen = replace_by_judged_references(tmp_path, built, tasks, Counting(same=2))
    for before, after in zip(tasks, chosen, strict=True):
        was, now = before.input.reference, after.input.reference
        assert was.episode_id != now.episode_id
        assert was.similarity >= now.similarity
        assert now.actions
        # the rest of the task is unchanged
        assert replace(after, input=replace(after.input, reference=was)) == before
    counts = same_task_counts(tmp_path, Prices(prompt=1.0, completion=2.0, currency="EUR"))
    n = len(tasks)
    assert (counts.queried, counts.same, counts.unscored, counts.moved) == (3 * n, 2 * n, 0, n)
    assert (counts.prompt_tokens, counts.completion_tokens) == (15 * n, 6 * n)
    assert counts.cost == pytest.approx((15 * n + 12 * n) / 1e6)


def test_a_judged_pair_is_not_judged_again(
    built: BuiltDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fingertip_runs.same_task.AT_ONCE", 1)
    tasks = plan_tasks(built).tasks
    cut = Counting(same=1, fails_after=len(tasks) + 1)
    with pytest.raises(ModelError):
        replace_by_judged_references(tmp_path, built, tasks, cut)
    file = tmp_path / SAME_TASK
    file.write_bytes(file.read_bytes() + b'{"version":1,"task')  # a line truncated by a kill
    rest = Counting()
    chosen = replace_by_judged_references(tmp_path, built, tasks, rest)
    assert len(cut.queried) == len(tasks) + 1
    assert len(rest.queried) == len(tasks) - 1
    assert replace_by_judged_references(tmp_path, built, tasks, Counting(fails_after=0)) == chosen


class Silent(Counting):
    """A judge whose output is no verdict."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> tuple[Verdict, ...]:
        self.queried += pairs
        return (Verdict(state="unscored", problem="unparsable", reason="no JSON"),) * len(pairs)


def test_a_judge_without_a_verdict_is_told_and_one_that_has_them_goes_on(
    built: BuiltDataset, tmp_path: Path
) -> None:
    tasks = plan_tasks(built).tasks
    n = len([task for task in tasks if task.input.reference])
    words = rf"judge counting gave no verdict on any of {n} pairs of tasks.*\(no JSON\): give another --judge"
    for _ in range(2):
        silent = Silent()
        with pytest.raises(NoVerdictsError, match=words):
            replace_by_judged_references(tmp_path, built, tasks, silent)
        # only the first candidate of each task, in a resumed run again
        assert len(silent.queried) == n
    counts = same_task_counts(tmp_path)
    assert (counts.queried, counts.unscored) == (n, n)
    assert counts.find_fault() == f"the judge gave no verdict on {n} of {n} pairs of tasks"
    assert replace_by_judged_references(tmp_path, built, tasks, Counting()) == list(tasks)
    assert same_task_counts(tmp_path).unscored == 0
    assert same_task_counts(tmp_path).find_fault() is None


def test_a_run_records_the_judge_and_logs_the_references(simulated_dataset: Path, tmp_path: Path) -> None:
    agent, built, run = get_execution_agent("imitate"), BuiltDataset.open(simulated_dataset), tmp_path / "run"
    judge = LexicalJudge(0.3)
    with open_environments(["replay"], built) as environments:
        with pytest.raises(UsageError, match="expected a judge"):
            run_execution(simulated_dataset, agent, environments, run, reference="not_same_task")
        run_execution(simulated_dataset, agent, environments, run, reference="not_same_task", judge=judge)
    record = read_run(run)
    assert record.reference == "not_same_task"
    assert record.reference_method.endswith(f", the same task by judge {judge.name} left out")
    expected = replace_by_judged_references(run, built, plan_tasks(built).tasks, Counting(fails_after=0))
    shown = {attempt.end.task_id: attempt.end.reference_id for attempt in read_attempts(run)}
    assert shown == {
        planned.task_id: planned.input.reference.episode_id if planned.input.reference else None
        for planned in expected
    }


def test_a_similarity_other_than_the_datasets_is_refused(built: BuiltDataset, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="by which the dataset found its references, text"):
        replace_by_judged_references(
            tmp_path,
            built,
            plan_tasks(built).tasks,
            Counting(),
            encode=lambda texts: np.ones((len(texts), 2), dtype=np.float32),
        )
