"""Beside a run stand the published rows of its own setting, each once, and no others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fingertip_metrics.published import published_rows, published_tables
from fingertip_metrics.published_beside import (
    RunSetting,
    find_rows_beside,
    label_row,
    list_setting_parts,
    setting_words,
    sources_of,
)
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


SUGGESTION = RunSetting(track="suggestion", split="test_suggestion", papers_test=True)
EXECUTION = RunSetting(track="execution", split="test_execution", papers_test=True)


def beside(run: RunSetting, **changes: Any) -> list[tuple[str, str, float | None]]:  # noqa: ANN401
    """(table, agent, success rate) of the rows beside a run with these changes."""
    score = "sr1" if run.track == "suggestion" else "sr2"
    return [(row.table, row.agent, row.values[score]) for row in find_rows_beside(replace(run, **changes))]


def test_beside_the_usual_settings_stand_the_main_tables_and_no_row_twice() -> None:
    assert find_rows_beside(SUGGESTION) == published_rows("table 3")
    assert find_rows_beside(EXECUTION) == published_rows("table 4")


@pytest.mark.parametrize(("changes", "rows"), VECTORS["another_setting_of_track_1_has_other_rows"])
def test_another_setting_of_track_1_has_other_rows(
    changes: dict[str, Any], rows: list[list[str | float]]
) -> None:
    assert [list(row) for row in beside(SUGGESTION, **changes)] == rows


@pytest.mark.parametrize("changes", VECTORS["nothing_stands_beside_another_setting_of_track_2"])
def test_nothing_stands_beside_another_setting_of_track_2(changes: dict[str, Any]) -> None:
    assert beside(EXECUTION, **changes) == []


def test_where_the_same_task_was_passed_over_stands_table_14() -> None:
    assert beside(EXECUTION, reference="not_same_task") == [("table 14", "UI-TARS-1.5-7B", 37.5)]


def test_fine_tuned_rows_stand_only_beside_agents_trained_on_the_same_tracks() -> None:
    assert not any(
        row.setting["fine_tuned"] for run in (SUGGESTION, EXECUTION) for row in find_rows_beside(run)
    )
    own = [
        row.name
        for row in find_rows_beside(replace(SUGGESTION, trained_on=("suggestion",)))
        if row.setting["fine_tuned"]
    ]
    assert own == [
        "Qwen-2.5-VL-7B-FT-1k-r4",
        "Qwen-2.5-VL-7B-FT-1k-r64",
        "Qwen-2.5-VL-7B-FT-all-r4",
        "Qwen-2.5-VL-7B-FT-all-r64",
        "Original test set",
    ], "no row of a subset, and none that repeats another"
    crossed = replace(SUGGESTION, trained_on=("execution",))
    assert [row.name for row in find_rows_beside(crossed) if row.setting["fine_tuned"]] == [
        "Qwen-2.5-VL-7B-FT-personalized"
    ]
    joint = replace(EXECUTION, trained_on=("execution", "suggestion"))
    assert [row.name for row in find_rows_beside(joint) if row.setting["fine_tuned"]] == [
        "Qwen-2.5-VL-7B-FT-joint"
    ]


def test_unusual_settings_are_named_in_the_label() -> None:
    rows = {row.name: label_row(row) for row in published_rows("table 10")}
    assert rows["0 screenshots, 20 intents"] == "GPT-4.1"
    assert rows["3 screenshots, none"] == "GPT-4.1 (no earlier intents, 3 screens)"
    assert (
        label_row(published_rows("table 14")[1])
        == "UI-TARS-1.5-7B (the person's own way, never of the same task)"
    )
    assert label_row(published_rows("table 7")[0]) == "Train"
    assert sources_of(published_rows("table 3")) == published_rows("table 3")[0].source


def test_every_setting_has_a_description() -> None:
    for name in published_tables():
        for row in published_rows(name):
            words = setting_words(row.setting)
            assert bool(words) == bool(row.setting["tracks"])
            assert len(set(list_setting_parts(row.setting))) == len(list_setting_parts(row.setting))
    assert "track 1 and track 2" in setting_words(published_rows("table 9")[4].setting)
