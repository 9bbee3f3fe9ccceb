"""Scores on recorded episodes, compared with hand counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from execution_runner.scoring.run_scores import score_run
from fingertip_dataset.errors import RunError

DrawRun = Callable[..., Path]
CLICK, TYPE, DONE = "click(coordinates=(60, 90), content='开始')", "type(text='稻香')", "finished()"
TREE = """<hierarchy><node bounds="[0,0][120,240]">
<node clickable="true" text="开始" bounds="[40,80][80,100]"/>
<node clickable="true" text="停止" bounds="[40,140][80,160]"/></node></hierarchy>"""


def test_replay_counts_the_steps_before_leaving_the_recording(draw_run: DrawRun) -> None:
    on, off = {"on_trace": True}, {"on_trace": False}
    whole = [on | {"action": action} for action in (CLICK, TYPE, DONE)]
    parted = [on | {"action": CLICK}, off | {"action": "press_back()"}, on | {"action": DONE}]
    run = draw_run([{"actions": whole}, {"actions": parted, "user_id": "2"}], device="replay")
    trace = score_run(run).trace
    assert trace.whole.mean == 0.5
    assert trace.steps_on_trace.mean == pytest.approx((1 + 1 / 3) / 2)
    assert (trace.action_type, trace.click_hit) == (None, None)


def test_an_output_that_cannot_be_read_is_no_recorded_wait(draw_run: DrawRun) -> None:
    on = {"on_trace": True}
    words = on | {"action": "wait()", "problem": "expected an action, got words", "written": "words"}
    run = draw_run([{"actions": [on | {"action": CLICK}, words, on | {"action": DONE}]}], device="replay")
    trace = score_run(run).trace
    assert (trace.whole.mean, trace.steps_on_trace.mean) == (0, pytest.approx(1 / 3))


def test_teacher_forced_scores_type_target_and_text_of_each_step(draw_run: DrawRun) -> None:
    def forced(action: str, golden: str, **more: object) -> dict[str, object]:
        recorded.append(golden)
        return {"action": action, "tree": "tree.xml"} | more

    recorded: list[str] = []
    steps = [
        forced("click(coordinates=(42, 82))", CLICK),  # another point of the same element
        forced("click(coordinates=(60, 150))", CLICK),  # the other element
        forced("press_back()", CLICK),
        forced("type(text='稻香')", TYPE),
        forced("type(text='晴天')", TYPE),
        forced("finished()", DONE),
        forced("wait()", "wait()", problem="expected an action, got words", written="words"),
    ]
    run = draw_run([{"actions": steps, "golden_actions": recorded}], device="teacher_forced")
    (run / "tree.xml").write_text(TREE, encoding="utf-8")
    scores = score_run(run)
    trace = scores.trace
    assert trace is not None
    found = {
        name: (interval.mean, interval.n)
        for name in ("action_type", "click_hit", "text_match")
        if (interval := getattr(trace, name))
    }
    assert found == {"action_type": (5 / 7, 7), "click_hit": (1 / 3, 3), "text_match": (0.5, 2)}
    assert scores.success.why_none == "not carried out"


def test_steps_after_an_error_do_not_agree_with_the_recording(draw_run: DrawRun) -> None:
    """An agent cannot raise these scores by an error where it would be wrong."""
    on = {"on_trace": True, "action": CLICK}
    cut = {"actions": [on], "outcome": "agent_error", "user_id": "2"}
    whole = {"actions": [on | {"action": action} for action in (CLICK, TYPE, DONE)]}
    replay = score_run(draw_run([whole, cut], device="replay")).trace
    assert (replay.whole.mean, replay.steps_on_trace.mean) == (0.5, pytest.approx((1 + 1 / 3) / 2))
    forced = draw_run(
        [{"actions": [{"action": CLICK, "tree": "tree.xml"}], "outcome": "agent_error"}],
        device="teacher_forced",
    )
    (forced / "tree.xml").write_text(TREE, encoding="utf-8")
    trace = score_run(forced).trace
    means = [(part.mean, part.n) for part in (trace.action_type, trace.click_hit, trace.text_match) if part]
    assert means == [(pytest.approx(1 / 3), 3), (1, 1), (0, 1)]


def test_a_missing_tree_is_a_one_line_error_with_its_episode(draw_run: DrawRun) -> None:
    run = draw_run(
        [{"actions": [{"action": CLICK, "tree": "gone.xml"}], "golden_actions": [CLICK]}],
        device="teacher_forced",
    )
    with pytest.raises(RunError, match="the tree of a step cannot be read: No such file"):
        score_run(run)


def test_a_phone_has_no_trace_scores(draw_run: DrawRun) -> None:
    assert score_run(draw_run([{"actions": [CLICK]}])).trace is None
