"""So many requests a minute, by a clock that the test turns."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import UsageError
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.limits import RateLimit
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer


@given(st.integers(1, 40), st.lists(st.floats(0, 90), min_size=1, max_size=120))
def test_no_minute_has_more_than_the_limit(per_minute: int, pauses: list[float]) -> None:
    now = 0.0
    limit = RateLimit(per_minute, clock=lambda: now)
    turns = []
    for pause in pauses:
        now += pause
        turns.append(now + limit.reserve())
    assert turns == sorted(turns)
    for first in turns:
        # a millionth of a second for sums of floats
        assert sum(first <= turn < first + 60 - 1e-6 for turn in turns) <= per_minute


def test_a_late_request_does_not_wait() -> None:
    now = 0.0
    limit = RateLimit(60, clock=lambda: now)
    assert [limit.reserve() for _ in range(3)] == [0, 1, 2]
    now = 10.0
    assert [limit.reserve() for _ in range(2)] == [0, 1]


def test_less_than_one_a_minute_is_refused() -> None:
    with pytest.raises(UsageError, match="expected 1 or more requests a minute, got 0"):
        RateLimit(0)


def test_a_client_counts_attempts_too(openai_server: OpenAIServer) -> None:
    """Whatever the machine does meanwhile, four requests 50 ms apart take no less than 150 ms."""
    openai_server.play(openai_server.Reply(status=503), openai_server.says("好"))
    options = ModelOptions(base_url=openai_server.base_url, model="m")
    with ChatClient(options, backoff_s=0, requests_per_minute=1200) as client:
        begun = time.monotonic()
        for _ in range(3):
            client.ask([Message(role="user", text="早")])
        assert time.monotonic() - begun >= 0.15
    assert len(openai_server.requests) == 4
