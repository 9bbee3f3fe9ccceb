"""Rows of near copies, their costs and their public bundles, as the board's HTML shows them."""

from __future__ import annotations

from lxml import html

from board.tests.fingertip_leaderboard.boards import TASK_IDS, results, submission
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.space.render import render_boards, render_refused, render_submission
from fingertip_leaderboard.verified_records import Mark, Removed, VerifiedResults

N = len(TASK_IDS)
PAGE = "https://hub.example/datasets/board/submissions/tree/main/submissions/one"


def board() -> VerifiedResults:
    """Two near copies of which one is kept, and a removed one."""
    one = submission("One <b>", {"sr2": [1.0] * N}, cost=0.0123, currency="CNY", page=PAGE)
    other = submission("Other", {"sr2": [0.0] * N}, kept="the same team")
    pair = ((one, other, "this"), (other, one, "other"))
    marked = [
        mine.model_copy(
            update={"marks": (Mark(kind="answers", other=near.sha256, same=8, of=11, earlier=earlier),)}
        )
        for mine, near, earlier in pair
    ]
    removed = Removed(sha256="0" * 64, file="thief", name="<i>Thief</i>", reason="a copy of One")
    return results(*marked).model_copy(update={"removed": (removed,)})


def test_both_rows_are_marked_and_costs_stand_beside_scores() -> None:
    shown = render_boards(board(), [table for table in make_tables(board(), ["execution"]) if table.rows])
    assert "answers nearly equal to Other (8 of 11), this one is earlier; the maintainers have not" in shown
    assert "answers nearly equal to One &lt;b&gt; (8 of 11), One &lt;b&gt; is earlier; kept by the" in shown
    assert shown.count("ft-marked") == 2
    assert "0.012 CNY" in shown
    assert "recomputed" in shown


def test_the_page_of_a_row_names_marks_evidence_and_the_public_bundle() -> None:
    made = board()
    shown = render_submission(made, make_tables(made, ["execution"]), made.submissions[0])
    for expected in (PAGE, "every step and output", "8 of 11", "0.0123 CNY", "order unknown", "evidence"):
        assert expected in shown
    assert "<b>One" not in shown


def test_removed_submissions_are_listed_with_the_reason() -> None:
    shown = render_refused(board())
    text = html.fromstring(shown).text_content()
    assert "taken off the board by the maintainers: a copy of One" in text
    assert "<i>" not in shown
    assert "Nothing was refused" not in shown
