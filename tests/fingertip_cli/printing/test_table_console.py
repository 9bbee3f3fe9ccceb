"""Tests of tables that fit a terminal: no name, number or interval is cut or broken."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.table import Table

from fingertip_cli.printing.cell_pieces import wrap_cell
from fingertip_cli.printing.table_console import TableConsole
from fingertip_runs.sparing_table import SparingTable

NAMES = st.from_regex("[a-z]{1,6}(-[a-z]{1,6}){0,3}", fullmatch=True)
INTERVALS = st.builds(lambda mean, low, high: f"{mean:.1f} [{low:.1f}, {high:.1f}]", *[st.floats(0, 100)] * 3)


def print_table(table: Table, width: int) -> str:
    out = io.StringIO()
    TableConsole(file=out, width=width, highlight=False, markup=False).print(table)
    return out.getvalue()


def make_score_table(runs: list[str], scores: list[str]) -> SparingTable:
    table = SparingTable(title="Track 1", secondary=[f"score {number}" for number in range(1, len(scores))])
    table.add_column("run")
    for number in range(len(scores)):
        table.add_column(f"score {number}", justify="right", no_wrap=True)
    for run in runs:
        table.add_row(run, *scores)
    return table


@pytest.mark.parametrize("width", [60, 80, 100, 160])
@settings(max_examples=20, deadline=None)
@given(runs=st.lists(NAMES, min_size=1, max_size=5), scores=st.lists(INTERVALS, min_size=1, max_size=9))
def test_no_name_and_no_interval_is_cut(width: int, runs: list[str], scores: list[str]) -> None:
    text = print_table(make_score_table(runs, scores), width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    left_out = re.search(r"Left out: ([^.]*)\.", " ".join(text.split()))
    omitted = left_out[1].split(", ") if left_out else []
    for run in runs:
        assert re.search(rf"[ │┃]{run} ", text)
    for number, score in enumerate(scores):
        mean, ends = score.split(" ", 1)
        whole = f" {mean} " in text and ends in text
        assert whole or f"score {number}" in omitted


def test_what_fits_has_no_remark() -> None:
    text = print_table(make_score_table(["habit"], ["0.512"]), 80)
    assert "Shown" not in text
    assert "Left out" not in text


def test_intervals_wrap_before_a_table_is_turned() -> None:
    text = print_table(make_score_table(["habit", "recent"], ["54.4 [44.7, 64.7]"] * 4), 80)
    assert "54.4 │" in text
    assert "[44.7, 64.7] │" in text
    assert "Shown" not in text


def test_a_few_rows_are_turned() -> None:
    text = print_table(make_score_table(["habit", "recent"], ["0.512 [0.469, 0.554]"] * 7), 80)
    assert text.count("0.512 [0.469, 0.554] │") == 14
    assert "Shown with one column per run: the usual way needs 129 columns." in text


def test_of_many_rows_secondary_columns_are_left_out_and_named() -> None:
    runs = [f"a-run-with-a-long-name-{number}" for number in range(9)]
    text = print_table(make_score_table(runs, ["0.512 [0.469, 0.554]"] * 4), 80)
    assert "Left out: score 1. The whole table needs 96 columns." in text
    assert "score 3" in text
    assert all(run in text for run in runs)


def test_many_rows_without_secondary_columns_are_turned_in_parts() -> None:
    table = make_score_table([f"a-run-with-a-long-name-{n}" for n in range(4)], ["0.512 [0.469, 0.554]"] * 9)
    table.secondary = ()
    assert "Shown in 2 parts, with one column per run" in print_table(table, 80)


def test_a_name_wider_than_the_terminal_is_left_to_the_terminal() -> None:
    text = print_table(make_score_table(["r" * 100], ["1"]), 80)
    assert f"run: {'r' * 100}\n" in text


def test_an_open_list_keeps_its_names() -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("agent")
    table.add_column("what it does")
    table.add_row("shortest-path-oracle", "The shortest way, by looking into the simulated app. " * 3)
    text = print_table(table, 60)
    assert "shortest-path-oracle" in text
    assert max(map(len, text.splitlines())) <= 60


def test_words_of_a_long_text_are_never_broken() -> None:
    words = ["a", "swipe", "that", "is", "declared", "as", "a", "touch", "between"]
    table = Table()
    table.add_column("kind")
    table.add_column("meaning")
    table.add_row("touch_not_recorded", " ".join(words * 5))
    found = print_table(table, 60)
    assert set(words) <= set(re.findall("[a-z]+", found))
    assert found.count("between") == 5


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("100.0 [96.3, 100.0]", 14, ["100.0", "[96.3, 100.0]"]),
        ("1.00 [same for all users]", 20, ["1.00", "[same for all users]"]),
        ("SR_2 % [95 %]", 7, ["SR_2 %", "[95 %]"]),
        ("execution-imitate", 5, ["execution-imitate"]),
        ("高德地图", 4, ["高德地图"]),
        ("明天早上八点打车去机场接人", 16, ["明天早上八点打车", "去机场接人"]),
        ("first\nsecond", 20, ["first", "second"]),
        ("", 4, [""]),
    ],
)
def test_cells_wrap_between_pieces(text: str, width: int, lines: list[str]) -> None:
    assert wrap_cell(text, width) == lines
