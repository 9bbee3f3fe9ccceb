"""The interface of an embedder, and the cosine of texts by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import ModelError


class Embedder(Protocol):
    """Turns texts into vectors whose cosine is the similarity of the texts."""

    @property
    def name(self) -> str:
        """Model id, path, or method with its settings; part of every result."""

    @property
    def why_not_comparable(self) -> str | None:
        """Reason why scores with it are not comparable with the paper's; None if they are."""

    @property
    def comparable(self) -> bool:
        """Whether scores with it are comparable with the paper's."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row per text, (n, d), with norm 1; a row of zeros for a text without any feature."""


@runtime_checkable
class AlikeTeller(Protocol):
    """An embedder that can tell whether it takes different texts for one."""

    def describe_alike(self, texts: Sequence[str]) -> str | None:
        """Return a note on texts that were encoded before, a sentence without a full stop; None for none."""


def describe_embedder(embedder: Embedder) -> dict[str, object]:
    """Return what identifies an embedder beyond its name, in JSON types; {} if it declares nothing.

    An embedder may have `settings`, such as the package that its weights are from, or a prefix of texts.
    """
    settings = getattr(embedder, "settings", None)
    return dict(settings) if isinstance(settings, Mapping) else {}


def make_encodable(text: str) -> str:
    """Replace lone surrogates, which a model's broken output may contain, by question marks."""
    return text.encode("utf-8", "replace").decode()


def cosines(embedder: Embedder, first: Sequence[str], second: Sequence[str]) -> list[float]:
    """Cosine of each pair of texts, -1 to 1; 0 if a text has no feature (a row of zeros).

    Args:
        embedder: Embedder, called once for both lists together.
        first: First text of each pair, n texts.
        second: Second text of each pair, n texts.

    Raises:
        ModelError: The embedder returned a wrong shape, or a number that is not finite.
    """
    vectors: Any = np.asarray(embedder.encode([*first, *second]), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(first) + len(second):
        raise ModelError(
            f"expected {len(first) + len(second)} vectors of {embedder.name}, got shape {vectors.shape}"
        )
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if broken.size:
        raise ModelError(f"expected finite vectors of {embedder.name}, got nan or inf in row {broken[0]}")
    a, b = vectors[: len(first)], vectors[len(first) :]
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    products = np.einsum("ij,ij->i", a, b)
    # a zero vector has no direction: its cosine counts as 0
    values = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    # rounding can lead beyond 1
    return [float(value) for value in np.clip(values, -1, 1)]
