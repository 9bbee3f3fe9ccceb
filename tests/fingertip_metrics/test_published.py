"""The paper's numbers: all of them and no other, named, sourced, in the setting they were measured in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.splits import PAPER_EPISODES, PAPER_TABLE_7
from fingertip_metrics import published_rows, published_table, published_tables
from fingertip_metrics.published import PublishedRow
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


GOLDEN: Mapping[str, Any] = {
    name: part
    for name, part in json.loads(
        (Path(__file__).parent / "golden/published_numbers.json").read_text(encoding="utf-8")
    ).items()
    if isinstance(part, dict)
}

RANGES = {
    "sr1": (0, 100),
    "sr2": (0, 100),
    "sim1": (0, 1),
    "sim2": (0.5, 2),
    "step_ratio": (0.5, 2.5),
    "rating": (1, 5),
}

INFERRED = 174
"""Episodes in both tests, by the sums of table 7: the paper does not say it."""


def cell(row: PublishedRow, column: str) -> float | str:
    value = {**row.values, **row.words}[column]
    return "-" if value is None else value


def test_every_number_of_the_paper_is_there_and_no_other() -> None:
    assert list(GOLDEN) == list(published_tables())
    for name, golden in GOLDEN.items():
        table = published_table(name)
        assert (table.section, list(table.columns)) == (golden["section"], golden["columns"])
        ours = [[row.name, *(cell(row, column) for column in table.columns)] for row in table.rows]
        assert ours == golden["rows"], name
        assert all(len(row.values) + len(row.words) == len(table.columns) for row in table.rows)


def test_every_row_has_its_setting() -> None:
    for name, golden in GOLDEN.items():
        settings = golden.get("setting", {})
        assert set(settings) <= {"each", *(row.name for row in published_rows(name))}
        for row in published_rows(name):
            for key, value in (settings.get("each", {}) | settings.get(row.name, {})).items():
                found = row.setting[key]
                assert (list(found) if isinstance(found, tuple) else found) == value, (name, row.name, key)


@pytest.mark.parametrize("table", published_tables())
def test_every_row_has_a_source_and_possible_values(table: str) -> None:
    rows = published_rows(table)
    assert len({row.name for row in rows}) == len(rows) > 0
    for row in rows:
        assert row.table == table
        assert row.source == published_table(table).source
        if table == "reply to YFbi":
            assert "reply to reviewer YFbi, not a table of the paper" in row.source
        else:
            assert f"section {row.section}" in row.source
            assert (table in row.source) == table.startswith("table")
        for name, value in row.values.items():
            low, high = RANGES.get(name, (0, 1_000_000))
            assert value is None or low <= value <= high


def test_what_is_inferred_is_no_published_number() -> None:
    values = [
        value for name in published_tables() for row in published_rows(name) for value in row.values.values()
    ]
    assert INFERRED not in values
    text = json.dumps([published_table(name).notes for name in published_tables()])
    assert str(INFERRED) not in text
    assert "Inferred, not published" in text
    # the row of tables 9 and 13 does not claim the rank and the episodes that its values suggest
    for name in ("table 9", "table 13"):
        trained = published_rows(name)[1]
        assert trained.name == "Qwen-2.5-VL-7B-FT"
        assert (trained.setting["training_episodes"], trained.setting["lora_rank"]) == (None, None)


def test_the_splits_of_the_dataset_are_those_of_table_7() -> None:
    episodes = {row.setting["splits"][0]: row.values["episodes"] for row in published_rows("table 7")}
    assert episodes == dict(PAPER_TABLE_7)
    assert published_rows("totals")[0].values["episodes"] == PAPER_EPISODES


@pytest.mark.parametrize(("query", "table"), VECTORS["a_table_has_several_names"])
def test_a_table_has_several_names(query: str, table: str) -> None:
    assert published_table(query).name == table
    assert published_rows(query) == published_rows(table)


def test_a_table_has_its_number() -> None:
    assert published_table(4) is published_table("table 4")
    assert published_rows(14) == published_rows("A.6.7")


@pytest.mark.parametrize("query", ["table 15", "5.2", "", "table", "fine-tuning", 15, 0, -4, True, 4.0, None])
def test_a_table_that_is_not_known_is_one_line(query: Any) -> None:  # noqa: ANN401 - of any type
    with pytest.raises(UsageError, match=r"expected a published table, one of table 1, table 2, .*YFbi, got"):
        published_rows(query)
