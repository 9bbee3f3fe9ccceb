"""Tests of tables that are turned where a terminal is narrower than they are."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.table import Table

from fingertip_cli.printing.turned_table import TurningConsole, turn_wide


def make_table(runs: list[str], scores: list[str]) -> Table:
    table = Table(title="Track 1", title_justify="left")
    table.add_column("run", overflow="fold")
    for number in range(len(scores)):
        table.add_column(f"score {number}", justify="right", no_wrap=True)
    for run in runs:
        table.add_row(run, *(f"{run}:{score}" for score in scores))
    return table


def print_table(table: Table, width: int) -> str:
    out = io.StringIO()
    TurningConsole(file=out, width=width, highlight=False, markup=False).print(table)
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 140])
@settings(max_examples=25, deadline=None)
@given(
    runs=st.lists(st.text("abcd", min_size=1, max_size=6), min_size=1, max_size=5),
    scores=st.lists(st.integers(0, 10**12).map(str), min_size=1, max_size=9),
)
def test_no_number_and_no_name_is_cut(width: int, runs: list[str], scores: list[str]) -> None:
    text = print_table(make_table(runs, scores), width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    for run in runs:
        assert f" {run} " in text
        assert all(f" {run}:{score} " in text for score in scores)


def test_what_fits_stays() -> None:
    table = make_table(["habit"], ["0.512"])
    assert turn_wide(table, 80) == [table]


def test_a_table_without_rows_or_borders_stays() -> None:
    empty = make_table([], ["0.512"] * 30)
    names = Table(box=None)
    names.add_column("n" * 200, no_wrap=True)
    names.add_row("a")
    assert turn_wide(empty, 80) == [empty]
    assert turn_wide(names, 80) == [names]


def test_a_long_name_is_folded() -> None:
    text = print_table(make_table(["r" * 100], ["1"]), 80)
    assert text.count("r") >= 100
    assert "…" not in text
