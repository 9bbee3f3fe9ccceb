"""Client for sentence vectors of a model behind an OpenAI-compatible endpoint, with retries."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import EndpointError
from fingertip_dataset.release.problems import printable
from fingertip_models.chat.body_text import decode_body
from fingertip_models.chat.chat_client import ChatClient, Sent
from fingertip_models.chat.chat_failures import Failure
from fingertip_models.chat.model_endpoint import Endpoint

MOST_DIMENSIONS = 16_384
"""Maximum length of a vector: that of the largest embedders, several times."""

_MOST = float(np.finfo(np.float32).max)


class EmbeddingClient(ChatClient):
    """Client of one embedder: the connections, retries, limits and key of `ChatClient`, for `/embeddings`."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector per text, (n, d), as the server made them.

        The first call checks that the server has the model, by its list of models; the only model of a server
        is taken whatever its name, and a note says so.

        Args:
            texts: Texts, at least one, as they are sent.

        Raises:
            EndpointError: The server refused the request, or every attempt failed.
            UsageError: The client is closed.
        """
        future = self._thread.submit(lambda endpoint: self._embed(endpoint, texts))
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def _embed(self, endpoint: Endpoint, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            if self._preflight:
                self._preflight = False
                await self._check_name(endpoint)
            request = self._name_model({"model": self.options.model, "input": list(texts)})
            attempt = partial(self._attempt_embedding, endpoint, request)
            sending = partial(self._wait_while_loading, attempt, patient=False)
            _, (body, _, _) = await self._retrying.send(sending, self.options.retries)
            return read_vectors(body, len(texts))
        except Failure as failure:
            raise self._make_error(failure, EndpointError) from failure

    async def _attempt_embedding(self, endpoint: Endpoint, request: Mapping[str, Any]) -> Sent:
        """Send one request and read the JSON of its answer.

        Raises:
            Failure: The attempt brought no JSON object.
        """
        if self._limit:
            await self._limit.turn()
        begun = time.perf_counter()
        content = await endpoint.embed(request, timeout_s=self.options.timeout_s)
        text = self._mask(decode_body(content))
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise Failure(f"no JSON object, but {printable(text, 80)!r}", again=False)
        return body, time.perf_counter() - begun, None


def read_vectors(body: Mapping[str, object], number: int) -> NDArray[np.float32]:
    """Read the vectors of an answer, in the order of the texts.

    Args:
        body: JSON of the answer: `{"data": [{"index": 0, "embedding": [0.1, ...]}, ...]}`.
        number: Number of texts.

    Returns:
        Vectors, (number, d).

    Raises:
        Failure: There are not that many vectors, or one is none.

    >>> read_vectors({"data": [{"index": 1, "embedding": [3]}, {"index": 0, "embedding": [2]}]}, 2).tolist()
    [[2.0], [3.0]]
    """
    entries = body.get("data")
    if not isinstance(entries, list):
        error = body.get("error", body)
        raise Failure(f"no vectors, but {printable(json.dumps(error, ensure_ascii=False), 200)}", again=False)
    found: dict[int, list[float]] = {}
    for place, entry in enumerate(entries):
        index = entry.get("index", place) if isinstance(entry, dict) else None
        vector = entry.get("embedding") if isinstance(entry, dict) else None
        if not isinstance(index, int) or index in found or not _is_vector(vector):
            raise Failure(f"no vector of numbers at place {place} of its answer", again=False)
        found[index] = vector
    lengths = {len(vector) for vector in found.values()}
    if sorted(found) != list(range(number)) or len(lengths) != 1:
        sizes = ", ".join(map(str, sorted(lengths))) or "no"
        raise Failure(
            f"{len(entries):,} vectors of {sizes} dimensions, expected {number:,} of one size", again=False
        )
    return np.array([found[index] for index in range(number)], dtype=np.float32)


def _is_vector(value: object) -> TypeGuard[list[float]]:
    return (
        isinstance(value, list)
        and 0 < len(value) <= MOST_DIMENSIONS
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in value)
        # of 32 bits, as they are kept: larger numbers become infinite
        and all(abs(number) <= _MOST for number in value)
    )
