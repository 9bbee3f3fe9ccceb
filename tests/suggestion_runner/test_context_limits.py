"""A context that is too small shows in the token counts of a run."""

from __future__ import annotations

import pytest

from suggestion_runner.context_limits import context_signs, cut_before_limit, prompt_tokens_alike
from suggestion_runner.suggestion_records import CUT, Prediction

LIMIT = {"max_tokens": 300}


def line(
    number: int, prompt: int | None, *, written: int | None = 9, intents: int = 20, **fields: str
) -> Prediction:
    return Prediction(
        task_id=f"1_{number}",
        predicted_intent="打车",
        time_s=1,
        prompt_tokens=prompt,
        completion_tokens=written,
        shown_intents=intents,
        shown_screenshots=0,
        **fields,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("prompts", "found"),
    [
        # as long as the context, and half of it with one more or less, as Ollama's engines cut
        ([812, 4096, 4096, 3301, 4096, 4096, 4096], (4096, 5)),
        ([2050, 2051, 3900, 2051, 2050, 2050, 2052, 812], (2052, 6)),
        ([812, 850, 910, 777, 1005, 990, 873, 801], None),
        # a third of many
        ([700] * 6 + list(range(1000, 1300, 10)), None),
        ([700] * 4, None),
        ([], None),
    ],
)
def test_prompts_of_the_same_number_of_tokens_were_cut(
    prompts: list[int], found: tuple[int, int] | None
) -> None:
    lines = [line(number, tokens) for number, tokens in enumerate(prompts)]
    assert prompt_tokens_alike(lines) == found


def test_prompts_without_earlier_intents_are_alike_by_themselves() -> None:
    assert prompt_tokens_alike([line(number, 700, intents=1) for number in range(9)]) is None
    assert prompt_tokens_alike([line(number, None) for number in range(9)]) is None


def test_an_answer_that_is_cut_below_the_limit_was_cut_by_the_context() -> None:
    lines = [
        line(1, 900, written=300, outcome=CUT),
        line(2, 900, written=40, outcome=CUT),
        line(3, 900, written=40),
    ]
    assert cut_before_limit(lines, LIMIT) == 1
    assert cut_before_limit(lines, {"max_tokens": 9, "extra_body": {"max_completion_tokens": 300}}) == 1
    assert cut_before_limit(lines, {}) == 0
    (sign,) = context_signs(lines, LIMIT)
    assert sign.startswith("1 of the cut answers have fewer tokens than the limit")
