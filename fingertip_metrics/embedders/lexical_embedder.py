"""Embedder without a model: counts of characters and character pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fingertip_metrics.embedders.embedder import make_encodable

LEXICAL_SETTINGS: Mapping[str, Any] = {
    "analyzer": "char",
    "ngram_range": (1, 2),
    "n_features": 2048,
    "alternate_sign": False,
    "norm": "l2",
}
"""Settings of scikit-learn's HashingVectorizer that gives the same vectors, and that the embedder is named
after. It is not used: its import takes 120 MB and a second."""

SIZE = 2048
"""Length of a vector."""

MOST_KEPT = 1 << 16
"""Maximum number of characters and pairs whose place is remembered."""

_SPACES = re.compile(r"\s\s+")


class LexicalEmbedder:
    """Vectors of counts of characters and character pairs; needs no model and captures no meaning.

    Stateless: a text's vector depends on no other text. The numbers are those of scikit-learn's
    HashingVectorizer with `LEXICAL_SETTINGS`, to the bit.
    """

    why_not_comparable = (
        "embedder lexical compares characters: the paper's compares meanings (sentence embeddings)"
    )
    comparable = False

    def __init__(self) -> None:
        settings = ", ".join(f"{key}={value!r}" for key, value in LEXICAL_SETTINGS.items())
        self.name = f"lexical: HashingVectorizer({settings})"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors with norm 1, (n, 2048); a row of zeros for an empty text."""
        vectors = np.zeros((len(texts), SIZE), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            counts = Counter(map(_find_place, _list_pieces(make_encodable(text))))
            places = np.fromiter(counts.keys(), dtype=np.intp, count=len(counts))
            values = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))
            row[places] = values / np.sqrt((values * values).sum())
        return vectors


def _list_pieces(text: str) -> Iterator[str]:
    """Yield the characters and the pairs of a text in small letters, with runs of white space as one."""
    text = _SPACES.sub(" ", text.lower())
    yield from text
    yield from (text[place : place + 2] for place in range(len(text) - 1))


@lru_cache(maxsize=MOST_KEPT)
def _find_place(piece: str) -> int:
    """Place of a piece in the vector: its hash, folded as scikit-learn's feature hasher does."""
    hashed = hash_murmur3(piece.encode())
    if hashed == -(1 << 31):
        return ((1 << 31) - 1 - (SIZE - 1)) % SIZE
    return abs(hashed) % SIZE


def hash_murmur3(content: bytes) -> int:
    """Hash bytes by MurmurHash3 for 32 bits (x86, seed 0), as a signed number.

    Source: Austin Appleby, https://github.com/aappleby/smhasher (public domain), of which only the definition
    is used.

    >>> hash_murmur3(b""), hash_murmur3(b"hello")
    (0, 613153351)
    """
    mask, total = (1 << 32) - 1, 0
    whole = len(content) & ~3
    for start in range(0, whole, 4):
        total ^= _mix(int.from_bytes(content[start : start + 4], "little"))
        total = ((total << 13 | total >> 19) * 5 + 0xE6546B64) & mask
    total ^= _mix(int.from_bytes(content[whole:], "little")) if len(content) > whole else 0
    total ^= len(content)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        total = ((total ^ total >> shift) * factor) & mask
    total ^= total >> 16
    return total - (1 << 32) if total >> 31 else total


def _mix(block: int) -> int:
    mask = (1 << 32) - 1
    block = block * 0xCC9E2D51 & mask
    return ((block << 15 | block >> 17) & mask) * 0x1B873593 & mask
