"""Printed tables of track 2: device kinds are separate, published rows marked, data escaped."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from rich.console import Console

from execution_runner.scoring.run_scores import ExecutionRunScores, score_run
from fingertip_analysis.report.execution_tables import breakdown_table, notes, score_tables
from fingertip_dataset.errors import UsageError

DrawRun = Callable[..., Path]
GOLDEN = ("click(coordinates=(60, 90), content='开始')", "type(text='稻香')", "finished()")
DONE = {"actions": GOLDEN, "success": True, "success_by": "rule"}


def printed(scores: Sequence[ExecutionRunScores], **options: bool) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=140, markup=False, emoji=False)
    for table in score_tables(scores, **options):
        console.print(table)
    return stream.getvalue()


def test_a_row_has_the_scores_with_their_intervals(draw_run: DrawRun) -> None:
    failed = DONE | {"success": False, "user_id": "2"}
    text = printed([score_run(draw_run([DONE, failed]))])
    assert "50.0 [0.0, 100.0]" in text
    assert "on the simulated phone" in text
    assert "published" not in text


def test_each_device_kind_has_a_table_of_its_own(draw_run: DrawRun) -> None:
    runs = [score_run(draw_run([DONE], device=device)) for device in ("replay", "adb", "simulated")]
    text = printed(runs)
    places = [text.index(words) for words in ("on phones", "on the simulated phone", "replay of recorded")]
    assert places == sorted(places)
    assert any("tables of their own" in line for line in notes(runs))
    assert "without a deviation" in text


def test_unlabelled_tasks_are_shown_with_the_best_case(draw_run: DrawRun) -> None:
    label = {"task_id": "a", "rater": "ann", "success": "yes"}
    tasks = [{"actions": GOLDEN, "task_id": "a"}, {"actions": GOLDEN, "task_id": "b"}]
    run = score_run(draw_run(tasks, [label], device="adb"))
    text = printed([run])
    assert "at best" in text
    assert "50.0 [one user] │   100.0" in text
    assert any("1 of 2 tasks have no label: they count as not done" in line for line in notes([run]))
    assert any(
        "SR_2 would be 100.0% if all undecided tasks were done: 1 without a label" in line
        for line in notes([run])
    )
    assert "at best" not in printed([score_run(draw_run([DONE]))])


def test_a_note_explains_a_perfect_sequence_below_1(draw_run: DrawRun) -> None:
    run = draw_run([DONE])
    for options, s_i, output in (
        ({}, 0.99, True),
        ({"spelling": "canonical"}, 0.99, True),
        ({"similarity": "tokens"}, 1.0, False),
        ({"protocol": "paper"}, 1.0, False),
    ):
        scores = score_run(run, **options)  # type: ignore[arg-type]
        assert scores.sim2 is not None
        assert scores.sim2.s_i == s_i, options
        assert (
            sum("S_I is below 1.0 even for a perfect copy" in line for line in notes([scores])) == output
        ), options


def test_notes_name_ends_caveats_and_other_tasks(draw_run: DrawRun) -> None:
    one = score_run(draw_run([DONE, DONE | {"task_id": "b", "outcome": "blocked", "success": None}]))
    other = score_run(draw_run([DONE]))
    lines = notes([one, other])
    assert "run1: 1 ended by the agent, 1 stopped by the safety gate." in lines
    assert any(line.startswith("Warning: these runs have different tasks") for line in lines)
    assert any(line.startswith("Not comparable with the paper: simulated phone") for line in lines)
    assert any("1 of 2 tasks were not ended by the agent and count as not done" in line for line in lines)


def test_tasks_that_needed_more_than_one_attempt_are_counted(draw_run: DrawRun) -> None:
    run = score_run(draw_run([DONE | {"attempt": 3}, DONE | {"task_id": "b"}]))
    assert "run1: 2 ended by the agent; 1 needed more than one attempt, at most 3." in notes([run])


def test_data_is_neither_markup_nor_control_characters(draw_run: DrawRun) -> None:
    task = DONE | {"app": "[red]\x1b[2Jcom.x", "intent_category": None}
    scores = score_run(draw_run([task]))
    stream = io.StringIO()
    console = Console(file=stream, width=140, markup=False)
    for by in scores.breakdowns:
        console.print(breakdown_table(scores, by))
    assert "[red]\\x1b[2Jcom.x" in stream.getvalue()
    assert "not known" in stream.getvalue()
    with pytest.raises(UsageError, match=r"by mood: expected a breakdown by difficulty, user, app, category"):
        breakdown_table(scores, "mood")


def test_a_grouping_with_a_missing_dataset_names_the_dataset(draw_run: DrawRun) -> None:
    scores = score_run(draw_run([DONE]))
    with pytest.raises(UsageError, match=r"by sex: scores by scenario, sex, .* need the run's dataset: "):
        breakdown_table(scores, "sex")


def test_costs_are_shown_with_prices(draw_run: DrawRun) -> None:
    step = {"action": "finished()", "prompt_tokens": 500_000, "completion_tokens": 0, "queries": 1}
    prices = {"prompt": 3.0, "completion": 1.0, "currency": "EUR"}
    run = score_run(draw_run([DONE | {"actions": [step]}], prices=prices))
    assert "run1: 1 ended by the agent; its tokens cost 1.50 EUR." in notes([run])
