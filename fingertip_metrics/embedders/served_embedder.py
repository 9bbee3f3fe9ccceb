"""A sentence embedder behind an OpenAI-compatible server: batches, retries, and vectors that are kept."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import InputError
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.embedders.embedder import make_encodable
from fingertip_metrics.embedders.text_prefix import find_text_prefix
from fingertip_models.cache import AppendOnlyCache, cache_key
from fingertip_models.options import ModelOptions

BATCH_SIZE = 64
"""Texts per request."""

ALIKE = 0.1
"""Share of distinct texts with the vector of another text from which a note is given: a server does not tell
which tokens its model does not know, and texts of such tokens have one vector."""

FEWEST = 4
"""Minimum number of distinct texts for that."""


class ServedEmbedder:
    """An embedder on a server, asked once for each distinct text.

    Args:
        options: The server and the name of the model; besides, the timeout, the retries and the name of the
            key's variable have a meaning here.
        prefix: Text put before each text; None for that of `find_text_prefix`, by the model's name. Servers
            that put it there themselves need "".
        cache: File of the vectors; None keeps none.

    Raises:
        UsageError: Later, of `encode`: the cache cannot be written, or the server's key is missing.
    """

    comparable = False

    def __init__(
        self, options: ModelOptions, *, prefix: str | None = None, cache: Path | None = None
    ) -> None:
        self._options = options
        self._prefix = find_text_prefix(options.model) if prefix is None else prefix
        self._cache = cache
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def name(self) -> str:
        """The model and its server."""
        return f"{self._options.model} at {self._options.endpoint}"

    @property
    def settings(self) -> Mapping[str, object]:
        """The model, its server, and the prefix of each text."""
        return {
            "base_url": self._options.endpoint,
            **({"api_version": self._options.api_version} if self._options.api_version else {}),
            "model": self._options.model,
            "prefix": self._prefix,
        }

    @property
    def why_not_comparable(self) -> str:
        """Always a reason: which weights a server has loaded cannot be checked."""
        return f"embedder {self.name}: the paper's is {OFFICIAL_EMBEDDER}, and a server's cannot be checked"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row per text, (n, d), with norm 1; each distinct text is sent once.

        Raises:
            EndpointError: The server does not answer, or answers with other than vectors.
            InputError: The cache is broken.
        """
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        wanted = [make_encodable(text) for text in dict.fromkeys(texts)]
        with self._open_cache() as cache:
            self._read_kept(cache, wanted)
            self._ask_missing(cache, [text for text in wanted if text not in self._known])
        return np.stack([self._known[make_encodable(text)] for text in texts])

    @contextmanager
    def _open_cache(self) -> Iterator[AppendOnlyCache | None]:
        if self._cache is None:
            yield None
            return
        with AppendOnlyCache(self._cache) as cache:
            yield cache

    def _make_key(self, text: str) -> str:
        return cache_key({"embedder": dict(self.settings), "text": text})

    def _read_kept(self, cache: AppendOnlyCache | None, texts: Sequence[str]) -> None:
        for text in texts if cache is not None else ():
            kept = None if text in self._known or cache is None else cache.get(self._make_key(text))
            if kept is not None:
                self._known[text] = _decode_vector(kept, self._cache)

    def _ask_missing(self, cache: AppendOnlyCache | None, texts: Sequence[str]) -> None:
        from fingertip_models.chat.chat_client import print_note
        from fingertip_models.chat.embedding_client import EmbeddingClient

        if not texts:
            return
        with EmbeddingClient(self._options, on_note=print_note, preflight=True) as client:
            for start in range(0, len(texts), BATCH_SIZE):
                batch = texts[start : start + BATCH_SIZE]
                for text, vector in zip(
                    batch, _normalize(client.embed([self._prefix + text for text in batch])), strict=True
                ):
                    self._known[text] = vector
                    if cache is not None:
                        cache.put(self._make_key(text), {"text": text, "float32": _encode_vector(vector)})

    def describe_alike(self, texts: Sequence[str]) -> str | None:
        """Return a note if many different texts have one vector, as of a model without their script.

        Args:
            texts: Texts that were encoded before.
        """
        distinct = {bare: text for text in map(make_encodable, texts) if (bare := _bare(text))}
        rows = [np.round(self._known[text], 5).tobytes() for text in distinct.values() if text in self._known]
        counts = Counter(rows)
        alike = sum(counts[row] > 1 for row in rows)
        if len(rows) < FEWEST or alike <= ALIKE * len(rows):
            return None
        return (
            f"{self.name} gives {alike:,} of {len(rows):,} different texts the vector of another one: it "
            "cannot tell them apart, so take an embedder for their language"
        )


def _bare(text: str) -> str:
    """Letters and digits of a text, which models without capitals cannot tell from others."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _normalize(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    # squares of numbers of 32 bits may be too large or too small for 32 bits
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0).astype(
        np.float32
    )
    return scaled


def _encode_vector(vector: NDArray[np.float32]) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def _decode_vector(kept: Mapping[str, object], file: Path | None) -> NDArray[np.float32]:
    try:
        content = base64.b64decode(str(kept["float32"]), validate=True)
        return np.frombuffer(content, dtype="<f4").astype(np.float32)
    except (KeyError, ValueError) as error:
        raise InputError("the line has no vector", file=file) from error
