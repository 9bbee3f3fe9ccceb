"""Counts of model outputs by kind."""

from __future__ import annotations

from typing import Any

import pytest

from fingertip_models.prices import Prices
from suggestion_runner.outputs import outputs_of
from suggestion_runner.suggestion_records import Prediction


def line(**change: Any) -> Prediction:  # noqa: ANN401
    output: dict[str, Any] = {
        "task_id": "1", "predicted_intent": "听歌", "time_s": 1.0, "prompt_tokens": 700,
        "completion_tokens": 20, "shown_intents": 0, "shown_screenshots": 0, "calls": 1,
    }  # fmt: skip
    return Prediction(**(output | change))


PRICES = Prices(prompt=10, completion=100, currency="CNY")


def test_outputs_are_counted() -> None:
    found = outputs_of([line(), line(outcome="long", calls=2), line(cached=True)], PRICES)
    assert found.outcomes == {"answered": 2, "long": 1}
    assert (found.calls, found.cached, found.timed) == (4, 1, True)
    assert found.cost == pytest.approx(0.027)
    assert found.saying() == "4 calls of a model; 1 tasks answered by a cache; 1 long; cost 0.0270 CNY"


def test_unknown_counts_are_omitted() -> None:
    found = outputs_of([line(time_s=0), line(prompt_tokens=None, time_s=0)], PRICES)
    assert (found.cost, found.timed) == (None, False)
    assert found.saying() == "2 calls of a model; 0 tasks answered by a cache; no time measured"
    assert outputs_of([line()], None).cost is None
    assert outputs_of([line(calls=0)], None).saying() == ""
