"""SmolLM2 as a judge: far too small to judge, which the check by pairs with a known answer finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_metrics.judges import LlmJudge
from fingertip_metrics.judges.judge_check import check_judge, choose_sure_pairs, list_judge_warnings
from fingertip_models import ChatClient
from fingertip_studies.model_judge import make_options
from tests.models.conftest import serve_llama

pytestmark = pytest.mark.models

INTENTS = {
    "Set an alarm for seven": "clock",
    "Play the song Hello": "music",
    "Send Dad a message": "chat",
    "Order two coffees": "food",
}


def test_a_judge_at_chance_is_warned_of(gguf: Path) -> None:
    with serve_llama(gguf) as server:
        options = make_options("smol", server.url, "en", schema=True)
        with ChatClient(options) as client:
            judge = LlmJudge([client], language="en", concurrency=1)
            check = check_judge(judge, choose_sure_pairs(INTENTS, 4))
    assert check is not None
    assert not check.is_passed
    assert any(
        "cannot tell apart" in warning for warning in list_judge_warnings([], check=check, agreements={})
    )
