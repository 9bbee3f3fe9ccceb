"""Scores beside success: progress, false completion and side effects."""

from __future__ import annotations

import json
from typing import Any

import pytest

from execution_runner import score_run
from execution_runner.execution_records import EndRecord
from execution_runner.scoring.run_scores import write_scores
from fingertip_analysis.report.execution_tables import notes, score_tables
from tests.execution_runner.conftest import BLANK_END, GOLDEN, DrawRun

NAMES = ("progress", "false_completion", "side_effects")


def ended(met: int, *effects: str, success: bool | None = None, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """A task of a user of its own whose attempt met `met` of 4 conditions."""
    done = met == 4 if success is None else success
    state = {"conditions": 4, "met": met, "side_effects": list(effects)}
    return {"actions": GOLDEN, "success": done, "success_by": "rule", "state": state} | fields


def of_users(*tasks: dict[str, Any]) -> list[dict[str, Any]]:
    return [task | {"task_id": f"{number}__x", "user_id": str(number)} for number, task in enumerate(tasks)]


def means(scores: Any) -> list[float | None]:  # noqa: ANN401 - ExecutionRunScores
    return [scores.means[name].mean if scores.means[name] else None for name in NAMES]


def test_the_means_are_over_all_tasks(draw_run: DrawRun) -> None:
    error = {"actions": GOLDEN[:1], "outcome": "agent_error"}
    cut = ended(0, outcome="truncated", actions=["wait()"] * 8)
    scores = score_run(draw_run(of_users(ended(4), ended(1, "时钟 a: 1 -> 2", "时钟 b: 1 -> 2"), cut, error)))
    progress, false_completion, side_effects = (scores.means[name] for name in NAMES)
    # what the agent's model left undone has no progress, and nobody knows what it left behind
    assert (progress.mean, progress.n, progress.undefined) == (5 / 16, 4, 0)
    assert (false_completion.mean, false_completion.n) == (1 / 4, 4)
    assert (side_effects.mean, side_effects.n, side_effects.undefined) == (pytest.approx(1 / 3), 3, 1)
    assert [task.false_completion for task in scores.tasks] == [False, True, False, False]
    assert [task.side_effects for task in scores.tasks] == [
        (),
        ("时钟 a: 1 -> 2", "时钟 b: 1 -> 2"),
        (),
        None,
    ]
    for interval in (progress, false_completion, side_effects):
        assert interval.low is not None
        assert interval.low <= interval.mean <= interval.high  # type: ignore[operator]


def test_intervals_of_equal_users_are_those_of_a_share(draw_run: DrawRun) -> None:
    scores = score_run(draw_run(of_users(ended(4), ended(4), ended(4))))
    for name, mean in zip(NAMES, (1, 0, 0), strict=True):
        interval = scores.means[name]
        assert (interval.mean, interval.method) == (mean, "Wilson, n = users")


def test_they_stand_in_the_file_the_table_and_the_breakdowns(draw_run: DrawRun) -> None:
    scores = score_run(draw_run(of_users(ended(4), ended(2, "时钟 a: 1 -> 2"))))
    content = json.loads(write_scores(scores).read_text("utf-8"))
    assert content["progress"]["mean"] == 0.75
    assert content["by"]["user"][1]["side_effects"]["mean"] == 1
    assert [item["side_effects"] for item in content["per_item"]] == [[], ["时钟 a: 1 -> 2"]]
    assert [item["progress"] for item in content["per_item"]] == [1.0, 0.5]
    (table,) = [table for table in score_tables([scores]) if "How attempts ended" in str(table.title)]
    assert "simulated" in str(table.title)
    heads = [str(column.header).partition(" %")[0] for column in table.columns]
    assert heads == ["run", "agent", "progress", "false completion", "side effects"]
    text = " ".join(notes([scores]))
    assert all(f"{name}: " in text for name in ("progress", "false completion", "side effects"))


def test_an_answer_that_no_screen_showed_was_given_without_looking(draw_run: DrawRun) -> None:
    """Only of answered questions: an attempt that was cut gave no answer, and other goals ask none."""
    tasks = [ended(4), ended(4), ended(1), ended(4), ended(0, outcome="truncated", actions=["wait()"] * 8)]
    for task, seen in zip(tasks, (True, False, False, None, False), strict=True):
        task["state"]["answer_seen"] = seen
    scores = score_run(draw_run(of_users(*tasks)))
    assert [task.without_looking for task in scores.tasks] == [False, True, True, None, None]
    share = scores.means["without_looking"]
    assert (share.mean, share.n) == (pytest.approx(2 / 3), 3)
    assert [task.success for task in scores.tasks] == [True, True, False, True, False]
    (table,) = [table for table in score_tables([scores]) if "How attempts ended" in str(table.title)]
    assert str(table.columns[-1].header).startswith("answered without looking")
    assert "answered without looking: " in " ".join(notes([scores]))


def test_an_older_run_has_no_progress_and_no_side_effects(draw_run: DrawRun) -> None:
    tasks = [{"actions": GOLDEN, "success": done, "success_by": "rule"} for done in (True, False)]
    scores = score_run(draw_run([*tasks, {"actions": [], "outcome": "agent_error"}]))
    assert means(scores) == [None, pytest.approx(1 / 3), None]
    (table,) = [table for table in score_tables([scores]) if "How attempts ended" in str(table.title)]
    assert [str(column.header) for column in table.columns][2:] == ["false completion % [95 %]"]
    assert "side effects" not in " ".join(notes([scores]))


@pytest.mark.parametrize(("label", "false"), [("yes", False), ("no", True), ("unsure", None)])
def test_on_a_phone_false_completion_is_what_people_decided(
    draw_run: DrawRun, label: str, false: bool | None
) -> None:
    given = {"task_id": "1__0", "rater": "ann", "success": label}
    scores = score_run(draw_run([{"actions": GOLDEN, "task_id": "1__0"}], [given], device="adb"))
    assert [task.false_completion for task in scores.tasks] == [false]
    assert means(scores) == [None, None if false is None else float(false), None]


@pytest.mark.parametrize("outcome", ["terminated", "off_trace"])
def test_recordings_have_none_of_them(draw_run: DrawRun, outcome: str) -> None:
    steps = [{"action": action, "on_trace": True} for action in GOLDEN]
    run = draw_run([{"actions": steps, "outcome": outcome}], device="teacher_forced")
    assert means(score_run(run)) == [None, None, None]
    assert not any("How attempts ended" in str(table.title) for table in score_tables([score_run(run)]))


def test_a_goal_reached_beyond_the_step_limit_is_no_false_completion(draw_run: DrawRun) -> None:
    (task,) = score_run(draw_run([ended(4, actions=["wait()"] * 8)])).tasks
    assert (task.success, task.decided) == (False, "step limit")
    assert (task.progress, task.false_completion) == (1, False)


def test_more_conditions_met_than_there_are_is_no_end() -> None:
    state = {"conditions": 1, "met": 2, "side_effects": []}
    with pytest.raises(ValueError, match="expected at most 1 conditions met, got 2"):
        EndRecord.model_validate(BLANK_END | {"task_id": "1", "attempt": 1, "steps": 0, "state": state})


def test_an_end_without_a_state_is_written_as_before() -> None:
    end = EndRecord.model_validate(BLANK_END | {"task_id": "1", "attempt": 1, "steps": 0})
    assert "state" not in json.loads(end.model_dump_json())
