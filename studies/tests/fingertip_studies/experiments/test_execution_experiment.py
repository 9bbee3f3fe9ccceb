"""Experiment tables of track 2: cells, published rows, and which runs can share a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from execution_runner.scoring.run_scores import score_run
from fingertip_dataset.errors import RunError, UsageError
from fingertip_runs.same_task import SAME_TASK
from fingertip_studies.experiments.catalogue import get_experiment
from fingertip_studies.experiments.execution_experiment import (
    ExecutionResult,
    find_finished_runs,
    make_tables,
)
from fingertip_studies.experiments.execution_table import table_cells
from tests.execution_runner.conftest import GOLDEN, DrawRun

LONG = ("press_home()", *("press_back()",) * 9, "finished()")
"""Eleven steps, in the last bin of figure 6b."""

STEP = {"queries": 2, "agent_s": 3.0, "prompt_tokens": 900, "completion_tokens": 100}
TASKS: tuple[dict[str, Any], ...] = (
    {"actions": [{"action": action, **STEP} for action in GOLDEN], "user_id": "1"},
    {"actions": [{"action": "finished()", **STEP}], "user_id": "2", "golden_actions": LONG},
)
ENDS = (True, False)
SAID = [
    {"task_id": f"{number}__20250301_080000", "rater": "anna", "success": "yes" if done else "no"}
    for number, done in enumerate(ENDS)
]


def on_phones(draw_run: DrawRun, **changes: Any) -> Path:  # noqa: ANN401
    """A run on real phones with as many tasks as the paper's test, labelled by a person."""
    tasks = [{"actions": list(GOLDEN), "user_id": str(number % 9)} for number in range(200)]
    reply = [{**SAID[0], "task_id": f"{number}__20250301_080000"} for number in range(200)]
    return draw_run(tasks, reply, **{"device": "adb"} | changes)


def by_rule(draw_run: DrawRun, **changes: object) -> Path:
    """A run on simulated phones with the first task done and the second not."""
    tasks = [task | {"success": done, "success_by": "rule"} for task, done in zip(TASKS, ENDS, strict=True)]
    return draw_run(tasks, **changes)


def tables(name: str, runs: list[Path], out: Path) -> ExecutionResult:
    return make_tables(get_experiment(name), runs, out, protocol="release")


def data(result: ExecutionResult) -> list[dict[str, str]]:
    with result.files[0].open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_agent_has_a_row_with_time_and_tokens_per_query(draw_run: DrawRun, tmp_path: Path) -> None:
    agent = {"name": "ui-tars-1.5", "settings": {"model": "UI-TARS-1.5-7B"}}
    result = tables("table-4", [by_rule(draw_run, agent=agent)], tmp_path / "out")
    (row,) = data(result)
    assert (row["kind"], row["agent"]) == ("measured", "ui-tars-1.5 (UI-TARS-1.5-7B)")
    assert (float(row["sr2"]), float(row["step_ratio"]), row["n"]) == (0.5, 1, "2")
    # four steps, each with 3 s, 2 calls and 1,000 tokens
    assert (float(row["seconds"]), float(row["tokens"])) == (1.5, 500)
    header, cells = table_cells(result.rows, cells=False)
    assert header == (
        "agent",
        "SR_2 % [95 %]",
        "Sim_2 [95 %]",
        "steps x [95 %]",
        "s/query",
        "tokens/query",
        "n",
    )
    assert cells[0][-3:] == ("1.50", "500", "2")
    assert [file.name for file in result.files] == ["table.csv", "table.md", "sr2.png", "sim2.png"]
    assert all(file.stat().st_size for file in result.files)
    assert "| ui-tars-1.5 (UI-TARS-1.5-7B) | 50.0 " in result.files[1].read_text("utf-8")


def test_published_rows_are_shown_for_real_phones_only(draw_run: DrawRun, tmp_path: Path) -> None:
    simulated = tables("table-4", [by_rule(draw_run)], tmp_path / "simulated")
    assert all(row.kind == "measured" for row in simulated.rows)
    assert any(
        note == "The published rows of table 4 are not shown: they were measured on a physical phone over "
        "ADB; these runs: on the simulated phone."
        for note in simulated.notes
    )
    real = tables("table-4", [on_phones(draw_run)], tmp_path / "real")
    published = {row.agent: row.values for row in real.rows if row.kind == "published"}
    assert len(published) == 11
    ui_tars = published["UI-TARS-1.5-7B"]
    assert {name: value.mean for name, value in ui_tars.items()} == {
        "sr2": 0.385, "sim2": 1.06, "step_ratio": 1.22, "seconds": 10.15, "tokens": 2440,
    }  # fmt: skip
    for other in (
        on_phones(draw_run, dataset={"split_method": "rule A.5"}),
        draw_run(TASKS, SAID, device="adb"),
    ):
        assert all(row.kind == "measured" for row in tables("table-4", [other], tmp_path / other.name).rows)


def test_an_unlabelled_run_names_the_review_command(draw_run: DrawRun, tmp_path: Path) -> None:
    run = draw_run(TASKS, device="adb")
    result = tables("table-4", [run], tmp_path / "out")
    assert result.rows[0].values["sr2"].mean == 0
    assert result.rows[0].n == len(TASKS)
    assert (
        f"Tasks without a label count as not done in SR_2: `fingertip review {run}` labels them."
        in result.notes
    )


def test_figure_6b_groups_by_the_persons_number_of_steps(draw_run: DrawRun, tmp_path: Path) -> None:
    result = tables("figure-6b", [by_rule(draw_run)], tmp_path / "out")
    assert [(row["cell"], float(row["sr2"]), row["n"]) for row in data(result)] == [
        ("1-5", 1, "1"),
        ("11+", 0, "1"),
    ]
    assert [file.name for file in result.files] == ["table.csv", "table.md", "sr2.png"]
    assert "Published without numbers: SR_2 falls as the person's way gets longer." in result.notes
    assert not any(row.kind == "published" for row in result.rows)


def test_unrated_earlier_runs_are_excluded_when_runs_are_named(draw_run: DrawRun, tmp_path: Path) -> None:
    out, experiment = tmp_path / "out", get_experiment("table-13")
    (out / "table-4").mkdir(parents=True)
    by_rule(draw_run).rename(out / "table-4" / "cell-imitate")
    named = by_rule(draw_run)
    assert find_finished_runs(experiment, out, (), [named]) == ([named], [])
    # without named runs, unrated earlier runs are included, so that they can be reported
    runs, _ = find_finished_runs(experiment, out, (), ())
    assert [run.name for run in runs] == ["cell-imitate"]


def test_table_14_has_both_references_and_the_published_rows(draw_run: DrawRun, tmp_path: Path) -> None:
    runs = [on_phones(draw_run, reference=kind) for kind in ("not_same_task", "same_user")]
    result = tables("table-14", runs, tmp_path / "out")
    measured = [row for row in result.rows if row.kind == "measured"]
    assert [row.cell for row in measured] == ["most similar task", "most similar task that is not the same"]
    published = [
        (row.cell, row.agent, row.values["sr2"].mean) for row in result.rows if row.kind == "published"
    ]
    assert published == [
        ("most similar task", "UI-TARS-1.5-7B", 0.385),
        ("most similar task that is not the same", "UI-TARS-1.5-7B", 0.375),
    ]


def test_table_14_has_no_caveat_for_its_own_setting(draw_run: DrawRun, tmp_path: Path) -> None:
    method = {"reference_method": "text, the same task by judge lexical left out"}
    own = by_rule(draw_run, reference="not_same_task", **method)
    words = ("as a judge decides", "references of the same task are left out")
    result = tables("table-14", [by_rule(draw_run), own], tmp_path / "out")
    output = [*result.notes, *(row.remark for row in result.rows)]
    assert not any(word in line for word in words for line in output)
    # the run's own scores have the caveat once
    assert sum(word in caveat for word in words for caveat in score_run(own).caveats) == 1


def test_table_14_has_a_line_in_place_of_a_row_that_its_judge_left_open(
    draw_run: DrawRun, tmp_path: Path
) -> None:
    runs = [by_rule(draw_run), by_rule(draw_run, reference="not_same_task")]

    def write_verdicts(states: list[str]) -> None:
        lines = [
            {"task_id": f"{number}__x", "candidate_id": "0__y", "rank": 1, "similarity": 0.5, "state": state}
            | {"reason": "", "prompt_tokens": 1, "completion_tokens": 1, "at": "2026-03-01T08:00:00+08:00"}
            for number, state in enumerate(states)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (runs[1] / SAME_TASK).write_text(text, encoding="utf-8")

    write_verdicts(["unscored"] * 151)
    result = tables("table-14", runs, tmp_path / "out")
    assert [row.cell for row in result.rows] == ["most similar task"]
    which = "most similar task that is not the same"
    line = f'No row of drawn for "{which}": the judge gave no verdict on 151 of 151 pairs'
    assert any(note.startswith(line) for note in result.notes)
    with pytest.raises(RunError, match=r"no run is left for the table: No row of drawn"):
        tables("table-14", runs[1:], tmp_path / "alone")
    write_verdicts(["unscored"] * 2 + ["different"])
    assert len(tables("table-14", runs, tmp_path / "few").rows) == 1
    write_verdicts(["unscored", "different", "same"])
    assert len(tables("table-14", runs, tmp_path / "enough").rows) == 2


def test_runs_of_different_settings_are_refused(draw_run: DrawRun, tmp_path: Path) -> None:
    one, experiment = by_rule(draw_run), get_experiment("table-4")

    def found(*runs: Path) -> tuple[list[Path], list[str]]:
        return find_finished_runs(experiment, tmp_path / "out", (), runs)

    assert found(one) == ([one], [])
    for changes, words in (
        ({"device": "replay"}, "the runs differ in device: simulated and replay"),
        ({"dataset": {"data_sha256": "e" * 64}}, "the runs differ in data"),
        ({"reference": "none"}, "expected a run with reference same_user, got none"),
    ):
        with pytest.raises(UsageError, match=words):
            found(one, by_rule(draw_run, **changes))
    with pytest.raises(UsageError, match="a run is given twice: name each run once"):
        found(one, one)


def test_earlier_runs_are_included_or_left_out_with_a_reason(draw_run: DrawRun, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "table-4").mkdir(parents=True)
    for name, changes in (("a", {}), ("b", {"device": "replay"}), ("c", {})):
        by_rule(draw_run, **changes).rename(out / "table-4" / f"cell-{name}")
    record = out / "table-4" / "cell-c" / "run.json"
    unfinished = json.loads(record.read_text("utf-8"))
    unfinished |= {"tasks": 3, "task_ids": [*unfinished["task_ids"], "9__20250301_080000"]}
    record.write_text(json.dumps(unfinished), encoding="utf-8")
    runs, left_out = find_finished_runs(get_experiment("table-4"), out, (), ())
    assert [run.name for run in runs] == ["cell-a"]
    assert [line.partition(":")[0] for line in left_out] == [
        "Left out, cell-b of an earlier call",
        "Left out, cell-c of an earlier call",
    ]
    # table 14 compares references, so it leaves out an agent with only one of the two
    assert find_finished_runs(get_experiment("table-14"), out, (), ()) == ([], [])
