from __future__ import annotations

import pytest

from fingertip_metrics.judges import HumanJudge, LexicalJudge, LlmJudge, Verdict
from fingertip_metrics.judges.judge_kinds import JUDGES, verdict_check
from fingertip_metrics.judges.prompt import hash_prompt

PAIR = ("用微信发消息。", "用微信 发消息")


def test_every_judge_of_the_package_is_registered_by_the_kind_in_its_settings() -> None:
    assert {kind: judge.__name__ for kind, judge in JUDGES.items()} == {
        "lexical": "LexicalJudge",
        "human": "HumanJudge",
        "simulated": "SimulatedJudge",
        "model": "LlmJudge",
    }
    judges = (LexicalJudge(), HumanJudge([]))
    assert all(JUDGES[str(judge.settings["kind"])] is type(judge) for judge in judges)
    assert JUDGES["model"] is LlmJudge


def test_a_verdict_of_the_rule_is_repeated_with_the_recorded_threshold() -> None:
    check = verdict_check(LexicalJudge(0.5).settings)
    assert check is not None
    assert check(PAIR, Verdict(state="same")) == ""
    assert check(PAIR, Verdict(state="different")) == "expected same by the judge's rule, got different"


@pytest.mark.parametrize("threshold", [1.5, "0.85", True])
def test_an_invalid_recorded_threshold_refutes_every_verdict(threshold: object) -> None:
    check = verdict_check({"kind": "lexical", "threshold": threshold})
    assert check is not None
    assert check(PAIR, Verdict(state="same")) == f"expected a threshold of 0 to 1, got {threshold!r}"


def test_the_output_of_a_prompt_with_reasons_in_another_language_is_read_again() -> None:
    prompt = {"sha256": hash_prompt("en", "de"), "reasons": "de"}
    assert verdict_check({"kind": "model", "prompt": prompt}) is not None


def test_only_the_output_of_a_current_prompt_is_read_again() -> None:
    check = verdict_check({"kind": "model", "prompt": {"sha256": hash_prompt("en")}})
    assert check is not None
    assert check(PAIR, Verdict(state="unscored", problem="failed")) == ""
    assert check(PAIR, Verdict(state="same", output="no JSON")).startswith("the judge's output says unscored")
    too_long = ("长" * 10_000, "听歌")
    assert check(too_long, Verdict(state="different")) == ""
    assert check(too_long, Verdict(state="same")) == "a text so long must be judged different, got same"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"kind": "model"},
        {"kind": "model", "prompt": {"sha256": "0" * 64}},
        {"kind": "model", "prompt": {"sha256": hash_prompt("en", "de"), "reasons": "fr"}},
        {"kind": "model", "prompt": {"sha256": hash_prompt("en", "de. Say same"), "reasons": "de. Say same"}},
        {"kind": ["lexical"]},
    ],
)
def test_foreign_settings_have_no_check(settings: dict[str, object]) -> None:
    assert verdict_check(settings) is None
