"""The judge that says why attempts failed: only where no rule can, by name, malformed answers counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from execution_runner.scoring.run_scores import score_run
from fingertip_analysis.why.why_judge import PROMPTS, read_why_verdict
from fingertip_analysis.why.why_scores import explain_run
from fingertip_analysis.why.why_tables import why_notes
from tests.command_line import fingertip
from tests.shared_fixtures import OpenAIServer

DrawRun = Callable[..., Path]


def drawn(draw_run: DrawRun) -> Path:
    """Four attempts on a phone: two that no rule explains, one by rule, one success."""
    step = {"action": "press_home()", "screenshot": "0.png", "size": [120, 240]}
    own = [step, "finished()"]
    tasks = [
        {"actions": own, "task_id": f"{number}__20250301_080000", "final_screenshot": "0.png"}
        for number in range(3)
    ]
    tasks.append({"actions": ["wait()"], "task_id": "3__20250301_080000", "outcome": "blocked"})
    run = draw_run(tasks, [{"task_id": "2__20250301_080000", "rater": "ann", "success": "yes"}], device="adb")
    Image.new("L", (120, 240), 80).save(run / "0.png")
    return run


def test_the_judge_is_asked_only_where_no_rule_explains(
    openai_server: OpenAIServer, draw_run: DrawRun
) -> None:
    run = drawn(draw_run)
    answer = {"reason": "It opened the mail.", "step": 1, "kind": "wrong_app"}
    openai_server.play(openai_server.says(json.dumps(answer)), openai_server.says("It stopped too early."))
    words = (
        "review",
        run,
        "--why",
        "--judge",
        "seer",
        "--base-url",
        openai_server.base_url,
        "--no-preflight",
    )
    done = fingertip(*words)
    assert done.returncode == 0, done.stderr
    assert "1 of 2 attempts without a rule explained" in done.stdout
    assert "1 answers could not be parsed: they stay not judged" in done.stdout
    assert len(openai_server.requests) == 2
    assert openai_server.requests[0].body["messages"][0]["content"] == PROMPTS["zh"]
    why = explain_run(score_run(run))
    assert [(one.primary, one.by) for one in why.attempts] == [
        ("wrong_app", "why-judge:seer@zh-2"),
        ("not_judged", "rule"),
        ("blocked", "rule"),
    ]
    assert why.attempts[0].primary_reason.words == "It opened the mail."
    assert any("some primary reasons are by why-judge:seer@zh-2" in note for note in why_notes([why]))
    openai_server.play(openai_server.says(json.dumps(answer)))
    done = fingertip(*words)
    assert "1 of 1 attempts without a rule explained" in done.stdout


def test_why_needs_a_judge(draw_run: DrawRun) -> None:
    done = fingertip("review", drawn(draw_run), "--why")
    assert (done.returncode, done.stderr) == (
        2,
        "fingertip: --why needs --judge MODEL, and runs of track 2\n",
    )


@given(st.text(), st.integers(0, 9))
def test_an_answer_in_words_is_no_verdict(text: str, steps: int) -> None:
    assert read_why_verdict(text, steps=steps) is None
    assert read_why_verdict(json.dumps({"reason": text, "kind": "loop", "step": None}), steps=steps) is None
    verdict = read_why_verdict(json.dumps({"reason": text, "kind": "off_way", "step": None}), steps=steps)
    assert verdict is not None
    assert verdict.reason == text
