"""What every model is to those who ask it, wherever it runs, and how one is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

from fingertip_dataset.errors import UsageError
from fingertip_models.chat_answer import ModelAnswer
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

Backend = Literal["openai", "local"]
"""Where a model runs: behind an OpenAI-compatible endpoint, or in this process."""


class Model(Protocol):
    """A model that answers a chat; any number of threads and event loops may ask it at once."""

    @property
    def options(self) -> ModelOptions:
        """Which model, and how it is asked."""

    def settings(self) -> Mapping[str, object]:
        """Everything its answers depend on beside what it is asked, as JSON holds it; never a key."""

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """What it answers.

        Raises:
            ModelError: It gives no answer.
        """

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """As `ask`, without holding up the event loop."""

    def close(self) -> None:
        """Ends what it holds; a second time does nothing."""


def open_model(
    options: ModelOptions,
    *,
    backend: Backend = "openai",
    requests_per_minute: int | None = None,
    trust_remote_code: bool = False,
    on_retry: Callable[[str], None] | None = None,
) -> Model:
    """A model to ask; close it at the end.

    Args:
        options: Which one, and how it is asked.
        backend: Where it runs; "local" takes the folder of a checkpoint or its name on the Hub for a model.
        requests_per_minute: At most so many requests are sent, those that are tried again included.
        trust_remote_code: Whether a local checkpoint may bring code of its own, which is then run.
        on_retry: As `ChatClient` takes it; a local model is never asked again.

    Raises:
        UsageError: The options do not fit the backend.
        MissingExtraError: The package that the backend needs is not installed.
        ModelError: A local model cannot be loaded.
    """
    if backend == "openai":
        from fingertip_models.chat_client import ChatClient

        return ChatClient(options, requests_per_minute=requests_per_minute, on_retry=on_retry)
    if backend != "local":
        raise UsageError(f"expected a backend, openai or local, got {backend!r}")
    if requests_per_minute is not None:
        raise UsageError("expected no limit of requests a minute for a model in this process, got one")
    from fingertip_models.local import LocalModel

    return LocalModel(options, trust_remote_code=trust_remote_code)
