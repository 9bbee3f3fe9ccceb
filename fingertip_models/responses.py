"""A model that is asked the same thing once: its answers are kept in a file."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import InputError
from fingertip_models.cache import AppendOnlyCache, cache_key
from fingertip_models.chat_answer import ModelAnswer
from fingertip_models.messages import Message
from fingertip_models.model import Model
from fingertip_models.options import ModelOptions

NOT_ASKED = ("language", "max_pixels", "stream")
"""Settings that show in the messages alone, or not in the answer."""

LATER = frozenset({"first_token_s"})
"""Fields that older caches lack, and that are written only where they say something."""

FIELDS = frozenset(field.name for field in fields(ModelAnswer)) - {"cached"}


class Cached:
    """Another model behind a cache. Each answer is in the file before whoever asked has it.

    Only what would be answered the same again is kept: at temperature 0, or with a seed; all else goes to the
    model each time.

    Args:
        model: Asked what the cache does not know; closed with this one.
        cache: Not closed with it. A path is opened at the first question, and closed with it.
    """

    def __init__(self, model: Model, cache: AppendOnlyCache | Path) -> None:
        self._model = model
        self._cache = cache
        self._opening = threading.Lock()
        self._opened: AppendOnlyCache | None = None
        self._keeps = keeps(model.options)

    @property
    def options(self) -> ModelOptions:
        """Of the model."""
        return self._model.options

    def settings(self) -> Mapping[str, object]:
        """Of the model: answers do not depend on whether they were given before."""
        return self._model.settings()

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """What the model answered the first time it was asked this.

        Raises:
            ModelError: It gives no answer.
            RunError: There is no room for one.
            InputError: What the cache holds is no answer.
        """
        key = request_key(self._model, messages)
        known = self._known(key)
        return known or self._kept(key, self._model.ask(messages))

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """As `ask`, without holding up the event loop while the model answers."""
        key = request_key(self._model, messages)
        known = self._known(key)
        if known:
            # many answers in a row leave the event loop no turn otherwise
            await asyncio.sleep(0)
            return known
        return self._kept(key, await self._model.ask_async(messages))

    def close(self) -> None:
        """Closes the model; a second time does nothing."""
        self._model.close()
        with self._opening:
            if self._opened is not None and self._opened is not self._cache:
                self._opened.close()

    def _answers(self) -> AppendOnlyCache:
        with self._opening:
            if self._opened is None:
                cache = self._cache
                self._opened = cache if isinstance(cache, AppendOnlyCache) else AppendOnlyCache(cache)
            return self._opened

    def _known(self, key: str) -> ModelAnswer | None:
        value = self._answers().get(key) if self._keeps else None
        return None if value is None else read_kept(value, self._answers())

    def _kept(self, key: str, answer: ModelAnswer) -> ModelAnswer:
        if self._keeps:
            self._answers().put(key, kept(answer))
        return answer


def keeps(options: ModelOptions) -> bool:
    """Whether the same question has the same answer: at temperature 0, or with a seed.

    >>> keeps(ModelOptions(model="m")), keeps(ModelOptions(model="m", temperature=0.7))
    (True, False)
    """
    return options.temperature == 0 or options.seed is not None


def request_key(model: Model, messages: Sequence[Message]) -> str:
    """sha256 of all an answer depends on: the model, where it is, how it is asked, and the messages."""
    return cache_key(
        {
            "settings": {name: part for name, part in model.settings().items() if name not in NOT_ASKED},
            "messages": [
                [message.role, message.text, [hashlib.sha256(image).hexdigest() for image in message.images]]
                for message in messages
            ],
        }
    )


def kept(answer: ModelAnswer) -> dict[str, Any]:
    """An answer as a cache holds it."""
    found = {name: part for name, part in asdict(answer).items() if name in FIELDS}
    return {name: part for name, part in found.items() if part is not None or name not in LATER}


def read_kept(value: Mapping[str, Any], cache: AppendOnlyCache, *, cached: bool = True) -> ModelAnswer:
    """The answer that a cache holds.

    Raises:
        InputError: It is none.
    """
    if not FIELDS - LATER <= set(value) <= FIELDS or not isinstance(value["text"], str):
        raise InputError(
            f"expected answers of a model, got {', '.join(value)[:80] or 'nothing'}", file=cache.file
        )
    return ModelAnswer(**value, cached=cached)
