from __future__ import annotations

import pytest

from suggestion_runner.cut_answers import advise_on_cuts
from suggestion_runner.suggestion_records import Prediction


def make_prediction(output: str = "", reasoning: str = "", outcome: str = "cut") -> Prediction:
    return Prediction(
        task_id="1", predicted_intent="", time_s=1, prompt_tokens=9, completion_tokens=24, shown_intents=0,
        shown_screenshots=0, output=output, reasoning=reasoning, outcome=outcome, finish_reason="length",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "limit", "words"),
    [
        (make_prediction("The person wants to open"), 24, "give --max-tokens 256 or more, and another --out"),
        (make_prediction("The person"), 300, "give --max-tokens 1024 or more, and another --out"),
        (make_prediction("", "The user may want"), 24, "give --max-tokens 16384 or more, and another --out"),
        (make_prediction("", "The user may want"), 16384, "give --max-tokens 32768 or more"),
        (make_prediction("and then the person opens the calendar, " * 50), 8192, "no limit ends that"),
    ],
)
def test_the_advice_fits_the_answers_that_were_cut(line: Prediction, limit: int, words: str) -> None:
    assert words in advise_on_cuts([line, make_prediction("打开微信", outcome="answered")], limit)
