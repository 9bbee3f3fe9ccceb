"""Interface of a model, independent of where it runs, and the opening of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from fingertip_dataset.errors import UsageError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

Backend = Literal["openai", "local"]
"""Where a model runs: behind an OpenAI-compatible endpoint, or in this process."""


class Model(Protocol):
    """A chat model; any number of threads and event loops may query it concurrently."""

    @property
    def options(self) -> ModelOptions:
        """Options of the model."""

    def settings(self) -> Mapping[str, object]:
        """Return everything that answers depend on besides the messages, in JSON types; never a key."""

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model.

        Raises:
            ModelError: The model gives no answer.
        """

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model without blocking the event loop."""

    def close(self) -> None:
        """Release the model's resources; repeated calls do nothing."""


def read_software(model: object) -> Mapping[str, str]:
    """Return what a model says of the software that answers: names with versions, or a server's own facts.

    Args:
        model: A model; one without the property `software` says nothing.
    """
    found = getattr(model, "software", None)
    return found if isinstance(found, Mapping) else {}


@accept_path_texts
def open_model(
    options: ModelOptions,
    *,
    backend: Backend = "openai",
    requests_per_minute: int | None = None,
    trust_remote_code: bool = False,
    on_retry: Callable[[str], None] | None = None,
    on_note: Callable[[str], None] | None = None,
    preflight: bool = False,
    adapter: Path | None = None,
    batch: int = 1,
    pictures: bool = False,
) -> Model:
    """Open a model; the caller closes it.

    Args:
        options: Options of the model.
        backend: Where the model runs; for "local" the model is a checkpoint's folder or its name on the Hub.
        requests_per_minute: Maximum request rate, retries included; None for no limit.
        trust_remote_code: Whether code that a local checkpoint contains may be run.
        on_retry: Callback of `ChatClient`; a local model has no retries.
        on_note: Callback of `ChatClient` or `LocalModel`.
        preflight: As in `ChatClient`; a local model needs none.
        adapter: For "local": folder of an adapter trained on the model; see `LocalModel`.
        batch: For "local": most requests that are answered together; see `LocalModel`.
        pictures: For "local": whether requests will have pictures; see `LocalModel`.

    Raises:
        UsageError: An option is not available for the backend, or there is no such checkpoint.
        MissingExtraError: The package that the backend needs is not installed.
        ModelError: A local model cannot be loaded.
    """
    if backend != "local" and (adapter is not None or batch > 1):
        raise UsageError("an adapter and a batch are for a local model: a server has them on its own side")
    if backend == "openai":
        from fingertip_models.chat.server_pool import open_servers

        return open_servers(
            options,
            requests_per_minute=requests_per_minute,
            on_retry=on_retry,
            on_note=on_note,
            preflight=preflight,
        )
    if backend != "local":
        raise UsageError(f"expected a backend, openai or local, got {backend!r}")
    if requests_per_minute is not None:
        raise UsageError("a model in this process has no limit of requests a minute")
    from fingertip_models.local import LocalModel

    return LocalModel(
        options,
        trust_remote_code=trust_remote_code,
        adapter=adapter,
        batch=batch,
        pictures=pictures,
        on_note=on_note,
    )
