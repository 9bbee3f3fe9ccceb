"""The judge that says why attempts failed: only where no rule can, by name, malformed answers counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from execution_runner.scoring.run_scores import score_run
from fingertip_analysis.why.why_judge import PROMPTS, judge_why, read_why_verdict
from fingertip_analysis.why.why_labels import read_why_labels
from fingertip_analysis.why.why_scores import explain_run
from fingertip_analysis.why.why_tables import why_notes
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from tests.command_line import fingertip
from tests.obedient_judge import obey, read_injected_texts, repeat_code
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
    openai_server.replies = repeat_code(openai_server, answer, "It stopped too early.")
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
        ("wrong_app", "why-judge:seer@zh-3"),
        ("not_judged", "rule"),
        ("blocked", "rule"),
    ]
    assert why.attempts[0].primary_reason.words == "It opened the mail."
    assert any("some primary reasons are by why-judge:seer@zh-3" in note for note in why_notes([why]))
    openai_server.replies = repeat_code(openai_server, answer)
    done = fingertip(*words)
    assert "1 of 1 attempts without a rule explained" in done.stdout


def test_why_needs_a_judge(draw_run: DrawRun) -> None:
    done = fingertip("review", drawn(draw_run), "--why")
    assert (done.returncode, done.stderr) == (
        2,
        "fingertip: --why needs --judge MODEL, and runs of track 2\n",
    )


@pytest.mark.parametrize("echo", [False, True])
def test_no_typed_text_changes_a_reason(openai_server: OpenAIServer, draw_run: DrawRun, echo: bool) -> None:
    texts = read_injected_texts()
    tasks = [
        {
            "actions": [f"type(text='{text}')", "wait()", f"finished(content='{text}')"],
            "intent": text,
            "final_screenshot": "0.png",
        }
        for text in texts.values()
    ]
    run = draw_run(tasks, device="adb")
    Image.new("L", (120, 240), 80).save(run / "0.png")
    openai_server.replies = obey(openai_server, {"kind": "early_finish", "step": 2}, echo=echo)
    with ChatClient(ModelOptions(model="seer", base_url=openai_server.base_url, retries=0)) as client:
        judged = judge_why(run, client, language="zh")
    assert (judged.judged, judged.attempts) == (40 - echo, 40)
    assert {(one.reason, one.step) for one in read_why_labels(run)} == {("early_finish", 2)}


@given(st.text(), st.integers(0, 9))
def test_an_answer_in_words_is_no_verdict(text: str, steps: int) -> None:
    assert read_why_verdict(text, "1f", steps=steps) is None
    answer = {"code": "1f", "reason": text, "kind": "off_way", "step": None}
    for wrong in ({"kind": "loop"}, {"step": True}, {"step": 0}, {"step": steps + 1}, {"code": "2f"}):
        assert read_why_verdict(json.dumps(answer | wrong), "1f", steps=steps) is None
    verdict = read_why_verdict(json.dumps(answer), "1f", steps=steps)
    assert verdict is not None
    assert verdict.reason == text
