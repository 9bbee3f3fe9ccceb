"""The paper's rows that may be shown with runs of track 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.run_caveats import COMPLETE, PAPER_TASKS
from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_metrics.conventions import get_protocol, why_not_comparable
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import RunSetting, find_rows_beside
from fingertip_runs.device_kinds import PAPER_DEVICE
from fingertip_runs.published_cells import trained_on
from fingertip_runs.score_summary import data_caveats

COLUMNS = ("sr2", "sim2", "step_ratio", "seconds", "tokens")
"""Columns of the paper's table 4."""


def setting_of(record: ExecutionRun, *, scored: int) -> RunSetting:
    """The setting by which published rows are chosen for a run.

    Args:
        record: Record of the run.
        scored: Number of scored tasks, which may be fewer than planned.
    """
    whole = scored >= COMPLETE * PAPER_TASKS and not record.dry_run
    return RunSetting(
        track="execution",
        split=record.split,
        papers_test=whole and not data_caveats(record.dataset),
        history_protocol=record.history,
        device=record.device,
        reference=record.reference,
        without=record.without,
        more=(*record.more, f"memory {record.memory.describe()}") if record.memory else record.more,
        step_limit_factor=record.step_limit_factor,
        trained_on=trained_on(record.agent.settings),
    )


def rows_of(scores: Sequence[ExecutionRunScores], *, elsewhere: bool = False) -> list[PublishedRow]:
    """The rows that may be shown with at least one of the runs, each once.

    Args:
        scores: Scores of the runs.
        elsewhere: Whether to ignore dataset and device, for a separate table.
    """
    settings = [setting_of(run.record, scored=run.success.tasks) for run in scores]
    if elsewhere:
        settings = [
            replace(setting, papers_test=True, split=TEST_EXECUTION, device=PAPER_DEVICE)
            for setting in settings
        ]
    rows = [row for setting in settings for row in find_rows_beside(setting)]
    return list({(row.table, row.name): row for row in rows}.values())


def as_the_paper(scores: Sequence[ExecutionRunScores]) -> frozenset[str]:
    """Names of the scores that at least one run computes as the paper does; others get no published value."""
    found: set[str] = set()
    for run in scores:
        if why_not_comparable(get_protocol(run.protocol), run.similarity, run.spelling) is None:
            found.add("sim2")
        by_people = run.success.decided_by.keys() <= {"person"} and not run.success.unlabelled
        if run.success.sr2 is not None and by_people:
            found |= {"sr2", "step_ratio"}
    return frozenset(found)
