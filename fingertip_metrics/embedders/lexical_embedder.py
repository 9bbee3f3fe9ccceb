"""Embedder without a model: counts of characters and character pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MissingExtraError
from fingertip_metrics.embedders.embedder import make_encodable

LEXICAL_SETTINGS: Mapping[str, Any] = {
    "analyzer": "char",
    "ngram_range": (1, 2),
    "n_features": 2048,
    "alternate_sign": False,
    "norm": "l2",
}
"""Settings of scikit-learn's HashingVectorizer: stateless, so a text's vector depends on no other text."""


class LexicalEmbedder:
    """Vectors of counts of characters and character pairs; needs no model and captures no meaning.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """

    why_not_comparable = "embedder lexical: the paper's Sim_1 uses sentence embeddings"
    comparable = False

    def __init__(self) -> None:
        try:
            from sklearn.feature_extraction.text import HashingVectorizer
        except ImportError:
            raise MissingExtraError("scikit-learn", "lexical") from None
        settings = ", ".join(f"{key}={value!r}" for key, value in LEXICAL_SETTINGS.items())
        self.name = f"lexical: HashingVectorizer({settings})"
        self._vectorizer = HashingVectorizer(**LEXICAL_SETTINGS, dtype=np.float32)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors with norm 1, (n, 2048); a row of zeros for an empty text."""
        if not texts:
            return np.zeros((0, LEXICAL_SETTINGS["n_features"]), dtype=np.float32)
        vectors: NDArray[np.float32] = self._vectorizer.transform(map(make_encodable, texts)).toarray()
        return vectors
