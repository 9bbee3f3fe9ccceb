"""Scores in the Hub's format, parsed by huggingface_hub's own reader."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from math import isfinite

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.schema import SuggestionClaims
from fingertip_leaderboard.hub.eval_results import TASKS, benchmark_yaml, eval_results
from fingertip_leaderboard.hub.verified import Verified

BENCHMARK = "board/fingertip-20k"
PAGE = "https://example.org/datasets/board/submissions/discussions/1"


@pytest.mark.parametrize(
    ("seed", "tasks"),
    [
        ("habit", {"sim1_lexical"}),
        ("replayed", {"sim2_replay"}),
        ("phone", {"sr2_adb", "sim2_adb"}),
        ("forced", {"sim2_teacher_forced"}),
    ],
)
def test_huggingface_hub_reads_the_recomputed_scores(
    verified: Callable[[str], Verified], seed: str, tasks: set[str]
) -> None:
    bundle = verified(seed)
    results = eval_results(bundle.bundle, bundle.scores, benchmark=BENCHMARK, source_url=PAGE)
    entries = parse_eval_result_entries(yaml.safe_load(results.text))
    assert {entry.task_id for entry in entries} == tasks <= set(TASKS)
    for entry in entries:
        name = entry.task_id.partition("_")[0]
        assert entry.value == getattr(bundle.scores, name) == results.values[entry.task_id]
        assert isinstance(entry.value, float)
        assert isfinite(entry.value)
        assert (entry.dataset_id, entry.source_url) == (BENCHMARK, PAGE)
        assert isinstance(entry.date, str)
        assert datetime.fromisoformat(entry.date).tzinfo is not None
        assert (entry.notes or "").startswith(
            "on the submitter's word, device on" if entry.task_id == "sr2_adb" else "recomputed"
        )
        assert bundle.bundle.run.dataset.data_sha256[:12] in (entry.notes or "")
    assert "!!" not in results.text


def test_scores_without_a_task_are_left_out_with_their_reason(verified: Callable[[str], Verified]) -> None:
    judged = verified("judged")
    results = eval_results(judged.bundle, judged.scores, benchmark=BENCHMARK)
    assert set(results.values) == {"sim1_lexical"}
    assert results.left_out == ("SR_1: judge tiny: the paper's is DeepSeek-V3",)
    habit = verified("habit")
    assert eval_results(habit.bundle, habit.scores, benchmark=BENCHMARK).left_out == (
        "SR_1: there is no judge",
    )
    assert isinstance(habit.scores, SuggestionClaims)
    other = habit.scores.model_copy(update={"protocol": "paper"})
    nothing = eval_results(habit.bundle, other, benchmark=BENCHMARK)
    assert (nothing.text, nothing.values) == ("", {})
    assert "protocol paper" in nothing.left_out[0]


@pytest.mark.parametrize(
    "name", ["", "fingertip", "a/b/c", "a b/c", "../x", "a/..", "https://hf.co/a/b", "a/b\n"]
)
def test_an_invalid_repo_name_is_refused(verified: Callable[[str], Verified], name: str) -> None:
    habit = verified("habit")
    with pytest.raises(UsageError, match="expected --benchmark as OWNER/NAME"):
        eval_results(habit.bundle, habit.scores, benchmark=name)


def test_the_benchmark_lists_each_task_that_a_result_can_have(workshop: Workshop) -> None:
    manifest = BuiltDataset.open(workshop.sample).manifest
    card = yaml.safe_load(benchmark_yaml(manifest))
    assert list(card) == ["name", "description", "tasks"]
    assert {task["id"] for task in card["tasks"]} == set(TASKS)
    assert {(task["config"], task["split"]) for task in card["tasks"]} == {
        ("default", "test_suggestion"),
        ("default", "test_execution"),
    }
    assert "These data are not recorded: sample." in card["description"]
    empty = {name: counts.model_copy(update={"episodes": 0}) for name, counts in manifest.splits.items()}
    one = {**empty, "test_suggestion": manifest.splits["test_suggestion"]}
    lonely = yaml.safe_load(benchmark_yaml(manifest.model_copy(update={"splits": one})))
    assert [task["id"] for task in lonely["tasks"]] == ["sim1", "sim1_lexical", "sr1"]
    with pytest.raises(UsageError, match="the dataset has no episode in either test"):
        benchmark_yaml(manifest.model_copy(update={"splits": empty}))
