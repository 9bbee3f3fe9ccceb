"""Published rows shown with runs of track 2: those of the run's setting, with the comparable scores."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from types import MappingProxyType
from typing import Any

import pytest
from rich.console import Console

from execution_runner.scoring.execution_published import rows_of
from execution_runner.scoring.run_scores import ExecutionRunScores, score_run
from fingertip_analysis.report.execution_tables import build_published_table, score_tables
from fingertip_metrics.published import published_rows
from tests.fingertip_analysis.report.test_execution_tables import DONE, DrawRun

PAPERS: dict[str, Any] = {"device": "adb", "tasks": 200}
ENOUGH = 180
"""Minimum number of tasks for a mean to count as that of the paper's test."""


def drawn(
    draw_run: DrawRun,
    *,
    ended: int = ENOUGH,
    labelled: int = ENOUGH,
    outcomes: Mapping[int, str] = MappingProxyType({}),
    scored: Mapping[str, str] = MappingProxyType({}),
    **changes: Any,  # noqa: ANN401 - fields of every type
) -> ExecutionRunScores:
    """Scores of a run whose tasks a person labelled as done."""
    task = DONE | {"success": None, "success_by": None}
    ends = [
        task | {"task_id": f"{row}__a", "outcome": outcomes.get(row, "terminated")} for row in range(ended)
    ]
    labels = [{"task_id": end["task_id"], "rater": "ann", "success": "yes"} for end in ends[:labelled]]
    return score_run(draw_run(ends, labels, **changes), partial=True, **scored)  # type: ignore[arg-type]


def printed(scores: ExecutionRunScores, **options: bool) -> str:
    file = StringIO()
    for table in score_tables([scores], **options):
        Console(file=file, width=200).print(table)
    return file.getvalue()


def test_table_4_is_shown_for_real_phones_on_the_papers_test(draw_run: DrawRun) -> None:
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
        {"ended": 179},
        {"split": "vali"},
        {"reference": "none"},
        {"history": "strict"},
        {"step_limit_factor": 5.0},
        {"dry_run": True},
        {"dataset": {"provenance": "simulated"}},
        {"dataset": {"split_method": "rule A.5"}},
    ],
)
def test_another_setting_has_no_published_rows(draw_run: DrawRun, changes: dict[str, Any]) -> None:
    scores = drawn(draw_run, **PAPERS | changes)
    assert rows_of([scores]) == []
    assert "published" not in printed(scores)


def test_a_score_computed_otherwise_has_no_published_value(draw_run: DrawRun) -> None:
    by_rule = [DONE | {"task_id": f"{row}__a"} for row in range(ENOUGH)]
    for scores, values in (
        (drawn(draw_run, **PAPERS), ["38.5", "1.06", "1.22"]),
        (drawn(draw_run, **PAPERS, scored={"protocol": "paper"}), ["38.5", "–", "1.22"]),
        (drawn(draw_run, **PAPERS, scored={"similarity": "tokens"}), ["38.5", "–", "1.22"]),
        (drawn(draw_run, **PAPERS, scored={"spelling": "canonical"}), ["38.5", "–", "1.22"]),
        (drawn(draw_run, **PAPERS, labelled=0), ["–", "1.06", "–"]),
        (drawn(draw_run, **PAPERS, labelled=179), ["–", "1.06", "–"]),
        (score_run(draw_run(by_rule, **PAPERS), partial=True), ["–", "1.06", "–"]),
    ):
        line = next(line for line in printed(scores).splitlines() if "UI-TARS" in line)
        cells = [cell.strip() for cell in line.split("│")[1:-1]]
        if scores.success.worst < scores.success.best:
            assert cells.pop(3) == "–", "the paper prints no best case"
        assert [cells[2], cells[3], cells[8]] == values


def test_a_run_of_other_data_has_published_rows_in_a_separate_table(draw_run: DrawRun) -> None:
    apart = build_published_table([drawn(draw_run, device="simulated")])
    assert apart.row_count == 11
    assert build_published_table([drawn(draw_run, reference="none")]) is None
