"""The cost of a run so far, read from a log that grows."""

from __future__ import annotations

import json
from pathlib import Path

from fingertip_leaderboard.benchmark.token_cost import TokenCost
from fingertip_models.prices import Prices

PRICES = Prices(prompt=1.0, completion=10.0, currency="EUR")


def line(read: int | None, written: int | None, kind: str = "step") -> str:
    return json.dumps({"kind": kind, "prompt_tokens": read, "completion_tokens": written}) + "\n"


def test_each_line_counts_once_and_a_half_written_one_later(tmp_path: Path) -> None:
    cost = TokenCost(tmp_path, PRICES)
    assert cost.describe() == "0.0000 EUR", "there is no log yet"
    log = tmp_path / "steps.jsonl"
    whole = line(1_000_000, 100_000)
    log.write_text(whole + whole[:10], encoding="utf-8")
    assert cost.describe() == "2.0000 EUR"
    log.write_text(whole + whole + line(None, 5) + line(9, 9, "end"), encoding="utf-8")
    assert cost.describe() == "4.0000 EUR"
    assert cost.describe() == "4.0000 EUR"


def test_nothing_is_said_without_prices(tmp_path: Path) -> None:
    assert TokenCost(tmp_path, None).describe() == ""
