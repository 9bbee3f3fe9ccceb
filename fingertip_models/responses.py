"""A model behind a cache: repeated requests are answered from a file."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import InputError
from fingertip_models.cache import AppendOnlyCache, cache_key
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.messages import Message
from fingertip_models.model import Model, read_software
from fingertip_models.options import ModelOptions

NOT_IN_KEY = ("language", "max_pixels", "stream")
"""Settings outside the cache key, because they show in the messages or do not affect the answer."""

OPTIONAL_FIELDS = frozenset({"first_token_s", "notes"})
"""Fields that older caches lack, and that are written only if they are known."""

_ANEW: ContextVar[bool] = ContextVar("asked_anew", default=False)

FIELDS = frozenset(field.name for field in fields(ModelAnswer)) - {"cached"}


@contextmanager
def ask_anew(on: bool = True) -> Iterator[None]:
    """Have requests of this thread or coroutine go to the model, even those that a cache could answer.

    The new answer takes the place of the cached one. For answers that could not be read: the same request has
    another answer once the server has been started in another way.

    Args:
        on: Whether to do so.
    """
    token = _ANEW.set(on)
    try:
        yield
    finally:
        _ANEW.reset(token)


class Cached:
    """Another model behind a cache. Each answer is written to the file before it is returned.

    Only reproducible answers are cached, at temperature 0 or with a seed; other requests always go to the
    model.

    Args:
        model: Model for requests that are not in the cache; closed with this one.
        cache: Cache, which stays open; a path is opened at the first request and closed with this model.
    """

    def __init__(self, model: Model, cache: AppendOnlyCache | Path) -> None:
        self._model = model
        self._cache = cache
        self._opening = threading.Lock()
        self._opened: AppendOnlyCache | None = None
        self._cacheable = is_reproducible(model.options)

    @property
    def options(self) -> ModelOptions:
        """Options of the model."""
        return self._model.options

    def settings(self) -> Mapping[str, object]:
        """Return the model's settings, because answers do not depend on the cache."""
        return self._model.settings()

    @property
    def software(self) -> Mapping[str, str]:
        """Software of the model; see `read_software`."""
        return read_software(self._model)

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Return the model's first answer to this request.

        Raises:
            ModelError: The model gives no answer.
            RunError: The answer could not be written (for example, disk full).
            InputError: The cache holds an invalid answer.
        """
        key = request_key(self._model, messages)
        known = self._find_answer(key)
        # two threads may ask at once: the cache keeps the first answer that is put
        return known or self._store(key, self._model.ask(messages))

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query as `ask` does, without blocking the event loop while the model answers."""
        key = request_key(self._model, messages)
        known = self._find_answer(key)
        if known:
            # otherwise many cached answers in a row would never let other tasks of the event loop run
            await asyncio.sleep(0)
            return known
        return self._store(key, await self._model.ask_async(messages))

    def close(self) -> None:
        """Close the model; repeated calls do nothing."""
        self._model.close()
        with self._opening:
            # a cache that was passed in open belongs to the caller
            if self._opened is not None and self._opened is not self._cache:
                self._opened.close()

    def _open_answers(self) -> AppendOnlyCache:
        with self._opening:
            if self._opened is None:
                cache = self._cache
                self._opened = cache if isinstance(cache, AppendOnlyCache) else AppendOnlyCache(cache)
            return self._opened

    def _find_answer(self, key: str) -> ModelAnswer | None:
        value = self._open_answers().get(key) if self._cacheable and not _ANEW.get() else None
        return None if value is None else read_answer_record(value, self._open_answers())

    def _store(self, key: str, answer: ModelAnswer) -> ModelAnswer:
        if self._cacheable:
            self._open_answers().put(key, answer_record(answer), replace=_ANEW.get())
        return answer


def is_reproducible(options: ModelOptions) -> bool:
    """Whether the same request has the same answer: at temperature 0, or with a seed.

    >>> is_reproducible(ModelOptions(model="m")), is_reproducible(ModelOptions(model="m", temperature=0.7))
    (True, False)
    """
    return options.temperature == 0 or options.seed is not None


def request_key(model: Model, messages: Sequence[Message]) -> str:
    """Return the sha256 of everything an answer depends on: model, endpoint, settings and messages."""
    return cache_key(
        {
            "settings": {name: part for name, part in model.settings().items() if name not in NOT_IN_KEY},
            "messages": [
                # the images' hashes, not the images: the key stays short
                [
                    message.role,
                    message.text,
                    [hashlib.sha256(image).hexdigest() for image in message.images],
                    # keys of messages with the images first stay as they are
                    *(["images last"] if message.images_last else []),
                ]
                for message in messages
            ],
        }
    )


def answer_record(answer: ModelAnswer) -> dict[str, Any]:
    """Return the fields of an answer that a cache stores."""
    record = {name: part for name, part in asdict(answer).items() if name in FIELDS}
    known = {name: part for name, part in record.items() if part not in (None, ())}
    return {name: known.get(name) for name in record if name in known or name not in OPTIONAL_FIELDS}


def read_answer_record(
    value: Mapping[str, Any], cache: AppendOnlyCache, *, cached: bool = True
) -> ModelAnswer:
    """Read an answer stored in a cache.

    Raises:
        InputError: The stored value is not an answer.
    """
    if not FIELDS - OPTIONAL_FIELDS <= set(value) <= FIELDS or not isinstance(value["text"], str):
        raise InputError(
            f"expected answers of a model, got {', '.join(value)[:80] or 'nothing'}", file=cache.file
        )
    return ModelAnswer(**{**value, "notes": tuple(value.get("notes", ()))}, cached=cached)
