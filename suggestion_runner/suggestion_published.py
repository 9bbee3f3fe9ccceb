"""The paper's rows that are comparable with runs of track 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.table import Table

from fingertip_dataset.split_names import TEST_SUGGESTION
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import RunSetting, find_rows_beside
from fingertip_runs.published_cells import apart_table, trained_on
from suggestion_runner.caveats import history_model
from suggestion_runner.scoring import SuggestionRunScores
from suggestion_runner.suggestion_records import SuggestionRun

COLUMNS = ("sr1", "sim1", "seconds", "tokens")
"""Columns of the paper's table 3."""


def setting_of(record: SuggestionRun, *, papers_test: bool) -> RunSetting:
    """Setting of a run, which decides which published rows are comparable with it.

    Args:
        record: Its run.json.
        papers_test: Whether its tasks are the authors' own test.
    """
    memory = record.memory if record.has_own_memory else None
    return RunSetting(
        track="suggestion",
        split=record.split,
        papers_test=papers_test,
        screenshots=record.screenshots,
        # a string of its own, so that no row of another history stands beside it, and no board mixes them
        history=f"memory {memory.describe()}" if memory else record.history,
        history_protocol=record.protocol,
        history_model=history_model(record),
        without=record.without,
        distribution=record.distribution,
        trained_on=trained_on(record.agent.settings),
    )


def rows_of(scores: Sequence[SuggestionRunScores], *, elsewhere: bool = False) -> list[PublishedRow]:
    """The published rows that are comparable with at least one of the runs, each once.

    Args:
        scores: Scores of the runs.
        elsewhere: Whether to ignore the runs' data and compare settings only, for a separate table.
    """
    # the paper has no row with inferred earlier intents
    declared = [run for run in scores if run.record.inferred is None]
    settings = [setting_of(run.record, papers_test=elsewhere or run.on_papers_test) for run in declared]
    if elsewhere:
        settings = [replace(setting, split=TEST_SUGGESTION) for setting in settings]
    rows = [row for setting in settings for row in find_rows_beside(setting)]
    return list({(row.table, row.name): row for row in rows}.values())


def as_the_paper(scores: Sequence[SuggestionRunScores]) -> frozenset[str]:
    """Names of the scores that at least one run computes as the paper does; only these are comparable."""
    as_given = [run for run in scores if run.answers == "raw"]
    found = {"sim1" for run in as_given if run.result.comparable}
    found |= {"sr1" for run in as_given if run.sr1 and run.sr1.why_not_comparable is None}
    return frozenset(found)


def build_published_table(scores: Sequence[SuggestionRunScores]) -> Table | None:
    """The paper's rows of the runs' settings in a separate table; None without any."""
    rows = rows_of(scores, elsewhere=True)
    return apart_table(rows, COLUMNS, "on its own test and by its own judge and embedder") if rows else None
