from __future__ import annotations

from itertools import product

from leaderboard.ranking import COLUMNS, filtered, tables
from leaderboard.records import Results
from tests.leaderboard.boards import TASK_IDS, conditions, results, submission

EVERY = ("sim1", "sr1", "execution")
N = len(TASK_IDS)


def board() -> Results:
    """Four on simulated phones, of which two are equal and one was never decided; one on real phones."""
    return results(
        submission("low", {"sr2": [0.0] * N, "sim2": [0.9] * N}, weights="closed"),
        submission("even", {"sr2": [1.0, 0.0] * (N // 2), "sim2": [1.2] * N}),
        submission("also even", {"sr2": [0.0, 1.0] * (N // 2), "sim2": [1.0] * N}, weights="none"),
        submission("undecided", {"sr2": [None] * N, "sim2": [1.1] * N}),
        submission(
            "real",
            {"sr2": [1.0] * N, "sim2": [1.4] * N},
            conditions=(conditions(device="adb", decided_by="people", provenance="recorded"),),
            caveats=(),
        ),
    )


def test_golden_ranks_and_marks() -> None:
    table = tables(board(), ["execution"])[0]
    shown = [
        (
            row.rank,
            row.submission.card.name,
            len(row.better_than.get("sr2", ())),
            len(row.better_than.get("sim2", ())),
        )
        for row in table.rows
    ]
    assert shown == [(1, "also even", 1, 1), (1, "even", 1, 3), (3, "low", 0, 0), (None, "undecided", 0, 2)]
    assert [column.name for column in table.columns] == ["sr2", "sim2"]


def test_nothing_is_mixed() -> None:
    kinds = [
        conditions(device=device, protocol=protocol, decided_by=decided)
        for device, protocol, decided in product(
            ("adb", "simulated", "replay", "teacher_forced"), ("release", "paper"), ("rule", "people")
        )
    ]
    kinds += [conditions(faults=("no_tree",)), conditions(history="strict"), conditions(split="vali")]
    both = [
        (
            conditions(track="suggestion", measure="sim1", device=None, decided_by=embedder),
            conditions(track="suggestion", measure="sr1", device=None, decided_by=judge),
        )
        for embedder, judge in product(("official", "lexical"), ("DeepSeek (a)", "DeepSeek (b)"))
    ]
    many = [
        submission(f"{n}", {"sr2": [1.0] * N, "sim2": [1.0] * N}, conditions=(one,))
        for n, one in enumerate(kinds)
    ]
    many += [
        submission(f"s{n}", {"sim1": [0.5] * N, "sr1": [1.0] * N}, conditions=two)
        for n, two in enumerate(both)
    ]
    found = [table for table in tables(results(*many), EVERY) if table.conditions]
    assert len(found) == len(kinds) + 2 + 2
    for table in found:
        assert all(table.conditions in row.submission.conditions for row in table.rows)
        assert {column.name for column in table.columns} <= {
            column.name
            for column in COLUMNS[table.conditions.measure]  # type: ignore[union-attr]
        }
    assert sum(len(table.rows) for table in found) == sum(len(one.conditions) for one in many)


def test_published_rows_stand_beside_what_can_be_compared_and_else_alone() -> None:
    found = tables(board(), ["execution"])
    assert [
        (table.conditions.device if table.conditions else None, len(table.published)) for table in found
    ] == [
        ("simulated", 0),
        ("adb", 11),
    ]
    without = results(*(one for one in board().submissions if one.caveats))
    alone = tables(without, ["execution"])[-1]
    assert (alone.conditions, alone.rows, len(alone.published)) == (None, (), 11)
    assert [row.name for row in alone.published][:2] == ["UI-TARS-1.5-7B", "Aguvis-7B"]
    assert {row.values.get("sr2") for row in tables(without, ["sim1", "sr1"])[0].published} == {None}


def test_filters_hide_rows_and_change_neither_ranks_nor_marks() -> None:
    found = tables(board(), ["execution"])
    whole = {row.submission.sha256: row for table in found for row in table.rows}
    kept = filtered(found, weights={"open"}, devices={"simulated"})
    assert [row.submission.card.name for table in kept for row in table.rows] == ["even", "undecided"]
    assert all(whole[row.submission.sha256] == row for table in kept for row in table.rows)
    assert [table.conditions.device for table in filtered(found, devices={"adb"}) if table.conditions] == [
        "adb"
    ]
    assert filtered(found, protocols={"paper"}) == ()
    assert not any(table.published for table in filtered(found, published=False))
    assert filtered(found) == found


def test_an_empty_board_shows_what_is_published() -> None:
    found = tables(results(), EVERY)
    assert [(table.conditions, len(table.rows), bool(table.published)) for table in found] == [
        (None, 0, True)
    ] * 3
