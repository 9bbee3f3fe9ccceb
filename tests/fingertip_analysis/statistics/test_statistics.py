"""Tables of `fingertip stats`, compared with hand counts of a few rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from fingertip_analysis.statistics import statistics
from fingertip_analysis.statistics.statistics import EpisodeFacts, StatisticsTable, read_facts, write_csv
from fingertip_dataset.times import BEIJING

TWO = ("click(coordinates=(1, 2), content='好')", "finished()")


def row(user: str, hour: int, raws: Sequence[str] = TWO, **given: object) -> dict[str, Any]:
    time = datetime(2025, 3, 10, hour, tzinfo=BEIJING)
    return {
        "episode_id": f"{user}__{time:%Y%m%d_%H%M%S}",
        "user_id": user,
        "user_type": 1,
        "time": time,
        "scenario": "住所",
        "scenario_category": "residence",
        "app": "com.a",
        "intent": "看新闻",
        "intent_category": "阅读",
        "actions": [{"type": raw.split("(")[0], "raw": raw} for raw in raws],
    } | given


@pytest.fixture
def facts() -> tuple[EpisodeFacts, ...]:
    both = row("10", 9)
    rows: list[tuple[str, Mapping[str, Any]]] = [
        ("train", row("10", 8, app="com.b/x.Main", raws=["wait()", "press_back()", "finished()"])),
        ("train", row("9", 8, scenario="快递站", scenario_category="other", intent_category=None)),
        ("vali", row("9", 23, raws=["wait()", ""])),
        ("test_suggestion", both),
        ("test_execution", both),
    ]
    return read_facts(rows)


def by_name(table: StatisticsTable) -> dict[object, tuple[object, ...]]:
    return {line[0]: line[1:] for line in table.rows}


def test_an_episode_of_both_tests_is_counted_once(facts: tuple[EpisodeFacts, ...]) -> None:
    assert len(facts) == 4
    assert facts[-1].splits == ("test_suggestion", "test_execution")
    counts = {split: line[:5] for split, line in by_name(statistics.splits_table(facts)).items()}
    assert counts == {
        "train": (2, 2, 2, 1, 5),
        "vali": (1, 1, 1, 1, 1),
        "test_suggestion": (1, 1, 1, 1, 2),
        "test_execution": (1, 1, 1, 1, 2),
        "both tests": (1, 1, 1, 1, 2),
        "all": (4, 2, 2, 1, 8),
    }


def test_table_7_has_our_counts_and_the_published_ones() -> None:
    table = statistics.splits_table(())
    at = {name: number for number, name in enumerate(table.columns)}
    published = {line[0]: line for line in table.rows}
    assert all("published" in name for name in table.columns[6:])
    assert published["all"][at["paper_episodes_published"]] == 21_437
    assert published["all"][at["public_release_episodes_published"]] == 20_000
    # the paper does not state how many episodes are in both tests
    assert published["both tests"][at["paper_episodes_published"]] is None
    assert published["both tests"][at["public_release_episodes_published"]] == 172


def test_names_are_ranked_and_users_counted(facts: tuple[EpisodeFacts, ...]) -> None:
    assert statistics.users_table(facts).rows == (("9", 1, 2, 3), ("10", 1, 2, 5))
    assert statistics.apps_table(facts).rows == (("com.a", 3, 2), ("com.b/x.Main", 1, 1))
    assert statistics.categories_table(facts).rows == (("阅读", 3, 2), (None, 1, 1))
    assert statistics.scenarios_table(facts).rows == (
        ("住所", "residence", 3, 2),
        ("快递站", "other", 1, 1),
    )


def test_blank_lines_are_not_counted_as_actions(facts: tuple[EpisodeFacts, ...]) -> None:
    assert statistics.lengths_table(facts).rows == ((1, 1), (2, 2), (3, 1))
    assert statistics.types_table(facts).rows == (
        ("finished", 3, 0.375),
        ("click", 2, 0.25),
        ("wait", 2, 0.25),
        ("press_back", 1, 0.125),
    )


def test_hours_are_local_times(facts: tuple[EpisodeFacts, ...]) -> None:
    hours = dict(statistics.hours_table(facts).rows)
    assert len(hours) == 24
    assert {hour: count for hour, count in hours.items() if count} == {8: 2, 9: 1, 23: 1}
    elsewhere = row("1", 1)
    elsewhere["time"] = datetime.fromisoformat("2025-11-02T01:20:00-05:00")
    assert dict(statistics.hours_table(read_facts([("train", elsewhere)])).rows)[1] == 1


@pytest.mark.parametrize(
    "count",
    [
        statistics.users_table,
        statistics.apps_table,
        statistics.categories_table,
        statistics.scenarios_table,
        statistics.lengths_table,
        statistics.types_table,
        statistics.hours_table,
    ],
)
def test_no_episodes_give_tables_without_rows(
    count: Callable[[Sequence[EpisodeFacts]], StatisticsTable], tmp_path: Path
) -> None:
    table = count(())
    assert table.rows == ()
    write_csv(table, tmp_path / "t.csv")
    assert list(pd.read_csv(tmp_path / "t.csv").columns) == list(table.columns)


def test_csv_round_trips(tmp_path: Path) -> None:
    cells = ('说 "好"，再见', "a\nb", "逗,号", None, 3, 0.5)
    table = StatisticsTable(name="t", columns=("a", "b", "c", "d", "e", "f"), rows=(cells,))
    write_csv(table, tmp_path / "t.csv")
    back = list(csv.reader(io.StringIO((tmp_path / "t.csv").read_text(encoding="utf-8"), newline="")))
    assert back == [list(table.columns), ['说 "好"，再见', "a\nb", "逗,号", "", "3", "0.5"]]
    assert pd.read_csv(tmp_path / "t.csv")["a"][0] == cells[0]
