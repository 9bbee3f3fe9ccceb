"""Beside a run of track 2 stand the paper's rows of its setting, with the scores that were taken alike."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from execution_runner.scoring.published import published_apart, rows_of
from execution_runner.scoring.run_scores import RunScores, score_run
from execution_runner.scoring.tables import score_tables
from fingertip_metrics.published import published_rows
from tests.execution_runner.scoring.test_tables import DONE, DrawRun

PAPERS: dict[str, Any] = {"device": "adb", "tasks": 200}


def drawn(draw_run: DrawRun, *, protocol: str = "release", **changes: Any) -> RunScores:  # noqa: ANN401
    """Of a task that a person says is done, unless the device has a rule for it."""
    task = DONE | {"task_id": "a", "success": None, "success_by": None}
    labels = [{"task_id": "a", "rater": "ann", "success": "yes"}]
    return score_run(draw_run([task], labels, **changes), partial=True, protocol=protocol)


def printed(scores: RunScores, **options: bool) -> str:
    file = StringIO()
    for table in score_tables([scores], **options):
        Console(file=file, width=200).print(table)
    return file.getvalue()


def test_table_4_stands_beside_real_phones_on_the_papers_test(draw_run: DrawRun) -> None:
    scores = drawn(draw_run, **PAPERS)
    text = printed(scores)
    below = text[text.index("drawn") :]
    for row in published_rows("table 4"):
        line = next(line for line in below.splitlines() if row.name in line)
        assert "published" in line
        assert f"{row.values['sr2']:.1f}" in line
    assert "arXiv 2507.21071, ICLR 2026, table 4, section 5.2" in text
    assert "published" not in printed(scores, published=False)


@pytest.mark.parametrize(
    "changes",
    [
        {"device": "simulated"},
        {"device": "replay"},
        {"tasks": 100},
        {"split": "vali"},
        {"reference": "none"},
        {"history": "strict"},
        {"step_limit_factor": 5.0},
        {"dry_run": True},
        {"dataset": {"provenance": "simulated"}},
        {"dataset": {"split_method": "rule A.5"}},
    ],
)
def test_nothing_published_stands_beside_another_setting(draw_run: DrawRun, changes: dict[str, Any]) -> None:
    scores = drawn(draw_run, **PAPERS | changes)
    assert rows_of([scores]) == []
    assert "published" not in printed(scores)


def test_a_score_that_was_taken_otherwise_has_no_published_value(draw_run: DrawRun) -> None:
    text = printed(drawn(draw_run, **PAPERS, protocol="paper"))
    line = next(line for line in text.splitlines() if "UI-TARS" in line)
    assert "38.5" in line
    assert "1.06" not in line
    by_rule = score_run(draw_run([DONE], **PAPERS), partial=True)
    line = next(line for line in printed(by_rule).splitlines() if "UI-TARS" in line)
    assert "38.5" not in line
    assert "1.06" in line


def test_a_run_of_other_data_can_have_the_rows_apart(draw_run: DrawRun) -> None:
    apart = published_apart([drawn(draw_run, device="simulated")])
    assert apart is not None
    assert apart.row_count == 11
    assert published_apart([drawn(draw_run, reference="none")]) is None
