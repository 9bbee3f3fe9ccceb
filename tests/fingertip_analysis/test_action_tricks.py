"""Tricks of track 2: scored against the recorded actions, by the rules of the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from execution_runner.scoring.run_scores import score_run
from fingertip_analysis.action_tricks import list_trick_actions, score_action_tricks
from fingertip_analysis.report.execution_tables import notes, score_tables
from fingertip_metrics.execution import sim2

DrawRun = Callable[..., Path]
OWN = [f"click(coordinates=({number}, {number}), content='')" for number in range(5)]
OTHER = ["press_home()", "scroll(coordinates=(3, 4), direction='down')", "finished()"]


def test_half_of_a_way_of_one_action_is_that_action() -> None:
    assert list_trick_actions([["wait()"], OWN]) == {
        "finished": [["finished()"], ["finished()"]],
        "half": [["wait()"], OWN[:2]],
    }


@pytest.mark.parametrize("protocol", ["release", "paper"])
def test_tricks_are_scored_as_the_run_is(draw_run: DrawRun, protocol: str) -> None:
    task = {"golden_actions": OWN, "other_type_actions": OTHER}
    actions = [["finished()"], [*OWN[:2]], ["wait()"]]
    run = draw_run([{"actions": one, "user_id": str(number), **task} for number, one in enumerate(actions)])
    scores = score_run(run, protocol=protocol)
    tricks = score_action_tricks(scores)
    alone, half = tricks.rows
    assert (alone.name, half.name, alone.n) == ("finished", "half", 3)
    for row, written in ((alone, ["finished()"]), (half, OWN[:2])):
        known = sim2([written], [OWN], [OTHER], protocol=protocol)
        assert row.means["sim2"].mean == pytest.approx(known.sim2)
        assert row.means["s_i"].mean == pytest.approx(known.s_i, abs=1e-3)
    (plain,), (table, *_) = score_tables([scores])[:1], score_tables([scores], tricks=[tricks])
    assert len(table.columns) == len(plain.columns)
    assert [*map(str, table.columns[0].cells)][1:] == ["chance and tricks"] * 2
    assert [*map(str, table.columns[2].cells)][1:] == ["–", "–"]


def test_a_run_of_one_sequence_is_warned_of(draw_run: DrawRun) -> None:
    scores = score_run(draw_run([{"actions": ["finished()"]}] * 9 + [{"actions": ["wait()"]}]))
    assert notes([scores])[0] == "WARNING: 9 of 10 sequences of actions are the same."
    assert "WARNING: 9 of 10 sequences of actions are the same" in scores.remarks
