"""A request that is too long for a server: one kind of line for all, with the excess and what helps."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import EndpointError, ModelError
from fingertip_models import ChatClient, Message, ModelOptions
from fingertip_models.chat.context_refusals import find_excess

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

VECTORS = Path(__file__).parent / "vectors" / "context_refusals.toml"
REFUSALS = tomllib.loads(VECTORS.read_text(encoding="utf-8"))["refusal"]


@pytest.mark.parametrize("refusal", REFUSALS, ids=[refusal["server"] for refusal in REFUSALS])
def test_a_refusal_of_the_length_names_the_excess_and_an_option(
    openai_server: OpenAIServer, refusal: dict[str, Any]
) -> None:
    def reply(request: ReceivedRequest) -> Reply:
        return openai_server.Reply(status=refusal["status"], body=refusal["body"].encode())

    openai_server.replies = reply
    options = ModelOptions(base_url=openai_server.base_url, model="tiny")
    with ChatClient(options, backoff_s=0.01) as client, pytest.raises(ModelError) as caught:
        client.ask([Message(role="user", text="看")])
    assert not isinstance(caught.value, EndpointError)
    assert refusal["says"] in str(caught.value)
    assert str(caught.value).isprintable()
    # it is not sent again
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize(
    "text",
    [
        "unknown field",
        "the image exceeds 10 MB",
        "max_tokens must be at most 4096",
        "rate limit of 20 requests",
    ],
)
def test_other_refusals_are_not_taken_for_it(text: str) -> None:
    assert find_excess(text, 8192) is None


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    find_excess(f"context length {text}", 100)
