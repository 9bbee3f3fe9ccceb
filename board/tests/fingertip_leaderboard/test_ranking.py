from __future__ import annotations

from itertools import product

from board.tests.fingertip_leaderboard.boards import PAPERS, TASK_IDS, conditions, results, submission
from fingertip_leaderboard.evidence import EVIDENCE
from fingertip_leaderboard.ranking import filter_tables, make_tables
from fingertip_leaderboard.score_columns import COLUMNS
from fingertip_leaderboard.space.render import render_boards
from fingertip_leaderboard.verified_records import ShownSetting, VerifiedResults

EVERY = ("sim1", "sr1", "execution")
N = len(TASK_IDS)


def board() -> VerifiedResults:
    """Four submissions on simulated phones (two equal, one without known success), one on real phones."""
    return results(
        submission(
            "low", {"sr2": [0.0] * N, "sim2": [0.9] * N, "identification": [0.3] * N}, weights="closed"
        ),
        submission("even", {"sr2": [1.0, 0.0] * (N // 2), "sim2": [1.2] * N, "identification": [0.6] * N}),
        submission(
            "also even",
            {"sr2": [0.0, 1.0] * (N // 2), "sim2": [1.0] * N, "identification": [0.4] * N},
            weights="none",
        ),
        submission("undecided", {"sr2": [None] * N, "sim2": [1.1] * N, "identification": [0.5] * N}),
        submission(
            "real",
            {"sr2": [1.0] * N, "sim2": [1.4] * N},
            conditions=(conditions(**PAPERS),),
            caveats=(),
        ),
    )


def test_known_ranks_and_significance_marks() -> None:
    table = make_tables(board(), ["execution"])[0]
    shown = [
        (
            row.rank,
            row.submission.card.name,
            len(row.better_than.get("sr2", ())),
            len(row.better_than.get("identification", ())),
        )
        for row in table.rows
    ]
    assert shown == [(1, "also even", 1, 1), (1, "even", 1, 3), (3, "low", 0, 0), (None, "undecided", 0, 2)]
    assert [(column.name, column.tested) for column in table.columns] == [
        ("sr2", True),
        ("sim2", False),
        ("identification", True),
    ]
    assert "sim2" not in table.comparisons, "on simulated phones Sim_2 is not what personality is tested by"


def test_different_conditions_are_in_different_tables() -> None:
    kinds = [
        conditions(device=device, protocol=protocol, decided_by=decided)
        for device, protocol, decided in product(
            ("adb", "simulated", "replay", "teacher_forced"), ("release", "paper"), ("rule", "people")
        )
    ]
    kinds += [conditions(faults=("no_tree",)), conditions(history="strict"), conditions(split="vali")]
    kinds += [conditions(versions=f"harness {version}") for version in ("1.0", "1.1")]
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
    found = [table for table in make_tables(results(*many), EVERY) if table.conditions]
    assert len(found) == len(kinds) + 2 + 2
    for table in found:
        assert all(table.conditions in row.submission.conditions for row in table.rows)
        assert {column.name for column in table.columns} <= {
            column.name
            for column in COLUMNS[table.conditions.measure]  # type: ignore[union-attr]
        }
    assert sum(len(table.rows) for table in found) == sum(len(one.conditions) for one in many)


def test_an_agent_of_track_2_with_a_memory_has_a_table_of_its_own_with_a_remark() -> None:
    made = results(
        submission("plain", {"sr2": [1.0] * N, "sim2": [1.0] * N}),
        submission(
            "recalls",
            {"sr2": [1.0] * N, "sim2": [1.0] * N},
            conditions=(conditions(told=ShownSetting(more=("memory habits, at most 2,000 characters",))),),
        ),
    )
    tables = [table for table in make_tables(made, ("execution",)) if table.conditions is not None]
    assert sorted(row.submission.card.name for table in tables for row in table.rows) == ["plain", "recalls"]
    assert len(tables) == 2
    page = render_boards(made, tables)
    assert page.count("what a memory recalls of the") == 1
    assert "with memory habits, at most 2,000 characters" in page


def test_published_rows_share_a_table_only_with_comparable_submissions() -> None:
    found = make_tables(board(), ["execution"])
    assert [
        (table.conditions.device if table.conditions else None, len(table.published)) for table in found
    ] == [("simulated", 0), ("adb", 11), (None, 5)]
    without = results(*(one for one in board().submissions if one.caveats))
    alone, trained = make_tables(without, ["execution"])[-2:]
    assert (alone.conditions, alone.rows, len(alone.published)) == (None, (), 11)
    assert [row.name for row in alone.published][:2] == ["UI-TARS-1.5-7B", "Aguvis-7B"]
    assert not any(row.setting["fine_tuned"] for row in alone.published)
    assert trained.fine_tuned
    assert trained.published[0].name == "Qwen-2.5-VL-7B-FT-all-r64"
    assert {row.values.get("sr2") for row in make_tables(without, ["sim1", "sr1"])[0].published} == {None}


def track_1(**setting: object) -> dict[str, object]:
    """Fields of a submission of track 1 on the paper's test with this task view."""
    found = conditions(
        track="suggestion",
        measure="sim1",
        split="test_suggestion",
        device=None,
        decided_by="official",
        provenance="recorded",
        as_the_paper=True,
        told=ShownSetting.model_validate(setting),
    )
    return {"conditions": (found,)}


def test_each_setting_has_a_table_with_the_published_rows_of_that_setting() -> None:
    made = results(
        submission("plain", {"sim1": [0.5] * N}, **track_1()),
        submission("three", {"sim1": [0.6] * N}, **track_1(screenshots=3)),
        submission("one", {"sim1": [0.6] * N}, **track_1(screenshots=1)),
        submission("several", {"sim1": [0.6] * N}, **track_1(distribution=True)),
    )
    found = [table for table in make_tables(made, ["sim1"]) if table.conditions]
    rows = {
        table.rows[0].submission.card.name: [(row.table, row.agent) for row in table.published]
        for table in found
    }
    assert len(rows.pop("plain")) == 7
    assert rows == {"three": [("table 10", "GPT-4.1")], "one": [], "several": []}


def test_rows_of_fine_tuned_models_share_a_table_only_with_fine_tuned_agents() -> None:
    trained = submission("t", {"sim1": [0.5] * N}, settings={"trained_on": ["suggestion"]}, **track_1())
    for made, count in ((trained, 5), (submission("u", {"sim1": [0.5] * N}, **track_1()), 0)):
        table = make_tables(results(made), ["sim1"])[0]
        assert sum(bool(row.setting["fine_tuned"]) for row in table.published) == count


def test_success_on_the_submitters_word_is_not_in_a_table_with_success_that_was_rerun() -> None:
    both = [
        submission(evidence, {"sr2": [1.0] * N}, conditions=(conditions(evidence=evidence),))
        for evidence in EVIDENCE
    ]
    found = make_tables(results(*both), ["execution"])
    assert [len(table.rows) for table in found if table.conditions] == [1] * len(EVIDENCE)


def test_filters_change_neither_ranks_nor_marks() -> None:
    found = make_tables(board(), ["execution"])
    whole = {row.submission.sha256: row for table in found for row in table.rows}
    kept = filter_tables(found, weights={"open"}, devices={"simulated"})
    assert [row.submission.card.name for table in kept for row in table.rows] == ["even", "undecided"]
    assert all(whole[row.submission.sha256] == row for table in kept for row in table.rows)
    assert [
        table.conditions.device for table in filter_tables(found, devices={"adb"}) if table.conditions
    ] == ["adb"]
    assert filter_tables(found, protocols={"paper"}) == ()
    assert not any(table.published for table in filter_tables(found, published=False))
    assert filter_tables(found) == found


def test_an_empty_board_has_the_published_rows() -> None:
    found = make_tables(results(), EVERY)
    assert [(table.conditions, len(table.rows), bool(table.published)) for table in found] == [
        (None, 0, True)
    ] * 6
