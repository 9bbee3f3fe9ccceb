"""Rows of chance and tricks of several runs, and the warning of a run that gives one answer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fingertip_metrics import bootstrap_mean
from fingertip_runs.trick_scores import NOTE, TRICKS, TrickScore, TrickScores, merge_tricks, warn_of_same


def row(name: str, value: float) -> TrickScore:
    mean = bootstrap_mean([value, value / 2], ["1", "2"], seed=0, resamples=10, confidence=0.95)
    return TrickScore(name=name, n=2, means={"sim2": mean})


def test_equal_rows_of_runs_with_the_same_tasks_become_one() -> None:
    first = TrickScores(rows=(row("finished", 1.0), row("half", 2.0)), remarks=("a", "b"))
    other = TrickScores(rows=(row("finished", 1.0), row("half", 3.0)), remarks=("b",))
    merged = merge_tricks([first, first, other])
    assert [(one.name, one.means["sim2"].mean) for one in merged.rows] == [
        ("finished", 0.75),
        ("half", 1.5),
        ("half", 2.25),
    ]
    assert merged.list_notes() == [f"{NOTE}.", "a.", "b."]
    assert merge_tricks([]).list_notes() == []


def test_rows_in_json_say_that_they_are_no_agents() -> None:
    content = TrickScores(rows=(row("half", 2.0),)).to_dict()
    assert content["agents"] is False
    assert content["rows"][0]["words"] == TRICKS["half"]
    assert content["rows"][0]["sim2"]["mean"] == 1.5


@given(st.integers(0, 200), st.integers(0, 200))
def test_nine_in_ten_equal_answers_are_warned_of(same: int, others: int) -> None:
    answers = [" 听  歌"] * same + [f"第{number}件事" for number in range(others)]
    warned = same + others >= 3 and same >= 9 * others
    assert (warn_of_same(answers, "answers") != "") == warned
