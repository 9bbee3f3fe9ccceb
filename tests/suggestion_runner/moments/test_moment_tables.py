"""Tables of moments: cells against the scores, the ceiling's row, notes in both languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.table import Table

from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.moments import MOMENT_KINDS
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.moment_columns import MOMENT_SCORES
from fingertip_pages.sentences import translate
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.moments.moment_scoring import score_moment_run
from suggestion_runner.moments.moment_tables import (
    CEILING,
    HEADS,
    MAYBE_SILENCE,
    format_score,
    moment_breakdown_table,
    moment_notes,
    moment_tables,
)


def read_table(table: Table) -> list[list[str]]:
    """Cells of a table, its heads first."""
    columns = [[str(column.header), *map(str, column.cells)] for column in table.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def test_each_score_is_in_a_table_with_the_ceiling_below(scores: list[MomentRunScores]) -> None:
    tables = [read_table(table) for table in moment_tables(scores)]
    heads = {head for table in tables for head in table[0]}
    assert set(HEADS.values()) - heads == {HEADS["recall"]}
    for table in tables:
        names = [row[0] for row in table[1:]]
        assert names[:2] == ["mixed", "silent"]
        assert names[2:] in ([CEILING], ["moments"])
    timing = tables[0]
    place = timing[0].index(HEADS["utility"])
    assert [row[place] for row in timing[1:3]] == [format_score(run.result, "utility") for run in scores]
    assert timing[2][place] == "0.000", "all people alike: no interval to show"


def test_kinds_are_shares_of_their_moments(scores: list[MomentRunScores]) -> None:
    (table,) = [table for table in map(read_table, moment_tables(scores)) if "just done" in table[0]]
    by_kind = {group.group: group for group in scores[0].result.by_kind}
    assert table[1][1:] == [
        f"{100 * by_kind[kind].mean:.1f}" if kind in by_kind else "–" for kind in MOMENT_KINDS
    ]
    assert table[2][1:] == ["0.0" if kind in by_kind else "–" for kind in MOMENT_KINDS]
    assert [int(cell) for cell in table[-1][1:]] == [
        by_kind[kind].n if kind in by_kind else 0 for kind in MOMENT_KINDS
    ]


def test_groups_have_a_row_each(scores: list[MomentRunScores]) -> None:
    rows = read_table(moment_breakdown_table(scores[0], "kind"))
    assert [row[0] for row in rows[1:]] == [
        kind for kind in MOMENT_KINDS if kind in {group.group for group in scores[0].breakdowns["kind"]}
    ]
    assert rows[1][1] == "–", "nothing is a false trigger where something is wanted"
    conditions = read_table(moment_breakdown_table(scores[0], "condition"))
    assert "–" not in [row[0] for row in conditions[1:]]
    with pytest.raises(UsageError, match=r"runs of moments are grouped by kind, hour, user, .*; got app"):
        moment_breakdown_table(scores[0], "app")
    without = replace(scores[0], breakdowns={}, why_no_facts="the dataset is gone")
    with pytest.raises(UsageError, match="the dataset is gone"):
        moment_breakdown_table(without, "language")


def test_notes_say_what_is_undefined_and_are_in_chinese(scores: list[MomentRunScores], mixed: Path) -> None:
    near = score_moment_run(mixed, embedder=get_embedder("lexical"))
    notes = moment_notes([near, scores[1]])
    assert "Undefined, as there is no offer: precision, SR_1 (silent)." in notes
    assert any("answers have no confidence" in note for note in notes)
    reasons = (
        "the paper has no moments at which nothing is wanted",
        "split train_moments: the test is test_moments",
    )
    assert notes[-2:] == [f"Not comparable with the paper: {reason}." for reason in reasons]
    assert [note for note in notes if translate(note) is None] == []
    gone = replace(near, ceiling=None, why_no_ceiling="gone", unread=2, same_answers="", without_history=3)
    assert [note for note in moment_notes([gone]) if translate(note) is None] == []


def test_a_utility_that_may_be_that_of_silence_is_said_to_be_so(scores: list[MomentRunScores]) -> None:
    run = scores[0]
    for low, high, may in ((-0.2, 0.1, True), (0.0, 0.3, True), (0.1, 0.3, False), (None, None, False)):
        utility = Interval(
            mean=0.1, low=low, high=high, n=9, undefined=0, clusters=8, confidence=0.95, why_no_interval=None,
            method=None,
        )  # fmt: skip
        result = replace(run.result, intervals={**run.result.intervals, "utility": utility})
        notes = moment_notes([replace(run, result=result)])
        (note,) = [note for note in notes if note.startswith(MAYBE_SILENCE)] or [""]
        assert note.endswith("the interval over 8 people holds it, and more people make it narrower.") == may
        assert not may or translate(note)


def test_each_score_has_a_head() -> None:
    assert set(HEADS) == set(MOMENT_SCORES)
