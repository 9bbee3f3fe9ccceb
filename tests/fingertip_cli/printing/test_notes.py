"""Tests of the notes below a table: one line in their place, and no warning hidden."""

from __future__ import annotations

import pytest

from fingertip_cli.printing.notes import Notes

INCOMPARABLE = [f"Not comparable with the paper: reason {number}." for number in range(3)]
HOW = [f"A column means this, {number}." for number in range(4)]
WARNING = "WARNING: do not use this number."


def print_notes(capsys: pytest.CaptureFixture[str], lines: list[str], *, shown: bool) -> list[str]:
    notes = Notes(shown=shown)
    notes.add(lines)
    notes.finish()
    return capsys.readouterr().out.splitlines()


def test_many_notes_are_one_line_that_still_says_not_comparable(capsys: pytest.CaptureFixture[str]) -> None:
    assert print_notes(capsys, [*INCOMPARABLE, *HOW], shown=False) == [
        "Not comparable with the paper (3 reasons); 4 more notes: --notes shows all."
    ]


def test_a_warning_is_always_printed(capsys: pytest.CaptureFixture[str]) -> None:
    printed = print_notes(capsys, [*HOW, WARNING], shown=False)
    assert printed == [WARNING, "4 notes on how to read these numbers: --notes shows them."]


def test_few_notes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert print_notes(capsys, HOW[:2], shown=False) == HOW[:2]


def test_all_notes_are_printed_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [*INCOMPARABLE, *HOW, WARNING]
    assert print_notes(capsys, lines, shown=True) == lines


def test_no_notes_print_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert print_notes(capsys, [], shown=False) == []
