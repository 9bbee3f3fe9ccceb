"""Clients of the scripted server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer


@pytest.fixture
def client(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., ChatClient]]:
    """Clients of the server that wait a hundredth of a second before they ask again."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    made: list[ChatClient] = []

    def make(**options: Any) -> ChatClient:  # noqa: ANN401 - those of ModelOptions
        options = {"base_url": openai_server.base_url, "model": "tiny", "timeout_s": 20, **options}
        made.append(ChatClient(ModelOptions(**options), backoff_s=0.01))
        return made[-1]

    yield make
    for one in made:
        one.close()
