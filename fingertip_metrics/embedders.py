"""Embedders of Sim_1: the official model, another SentenceTransformer by name or path, character n-grams."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MissingExtraError, ModelError, UsageError
from fingertip_dataset.similar_names import did_you_mean
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

NAMES = "official", "lexical"
"""Names that stand for an embedder; any other is that of a SentenceTransformer."""

BATCH_SIZE = 64
"""Sentences per batch of a SentenceTransformer."""

PROBE_SECONDS = 5
"""Timeout of the request that checks whether the Hub can be reached, seconds."""

OTHER_EMBEDDER = (
    "--embedder lexical needs no download (not comparable with the paper); or download it where there is "
    "network and give its folder as --embedder PATH"
)
"""Advice for commands that have the option."""

LEXICAL_SETTINGS: Mapping[str, Any] = {
    "analyzer": "char",
    "ngram_range": (1, 2),
    "n_features": 2048,
    "alternate_sign": False,
    "norm": "l2",
}
"""Settings of scikit-learn's HashingVectorizer: stateless, so a text's vector depends on no other text."""


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


class SentenceEmbedder:
    """A SentenceTransformer, loaded from a folder, the local cache or the Hub.

    Args:
        name: Model id on the Hub, or a folder.
        device: Device name of torch ("cpu", "cuda"); "auto" for the best available one.
        advice: What to do where it can be neither found nor downloaded.

    Raises:
        MissingExtraError: sentence-transformers is not installed.
        ModelError: The model cannot be loaded; there is no fallback to another one.
    """

    def __init__(
        self, name: str = OFFICIAL_EMBEDDER, *, device: str = "cpu", advice: str = OTHER_EMBEDDER
    ) -> None:
        self.name = name
        self.why_not_comparable = _explain_unofficial(name)
        self._model = _load(name, None if device == "auto" else device, advice)

    @property
    def comparable(self) -> bool:
        """True for the official model by its name on the Hub."""
        return self.why_not_comparable is None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors with norm 1, (n, d); each distinct text is encoded once, in order of appearance."""
        if not texts:
            return np.zeros((0, self._model.get_embedding_dimension() or 0), dtype=np.float32)
        # intents repeat in a dataset, and a model's time grows with the number of texts
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        vectors = self._model.encode(
            [_encodable(text) for text in rows],
            batch_size=BATCH_SIZE,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        chosen: NDArray[np.float32] = vectors.astype(np.float32, copy=False)[[rows[text] for text in texts]]
        return chosen


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
        vectors: NDArray[np.float32] = self._vectorizer.transform(map(_encodable, texts)).toarray()
        return vectors


def get_embedder(name: str = "official", *, device: str = "cpu", advice: str = OTHER_EMBEDDER) -> Embedder:
    """Load an embedder by name.

    Args:
        name: "official", "lexical", or a SentenceTransformer: its id on the Hub, or its folder.
        device: Device of a SentenceTransformer; see `SentenceEmbedder`.
        advice: What the error says to do where it can be neither found nor downloaded; by default to give
            another --embedder.

    Raises:
        UsageError: `name` is empty.
        MissingExtraError: The embedder's package is not installed.
        ModelError: The model cannot be loaded.

    >>> get_embedder("lexical").why_not_comparable
    "embedder lexical: the paper's Sim_1 uses sentence embeddings"
    """
    if not name:
        raise UsageError("expected official, lexical, a model's name or its folder, got nothing")
    if name == "lexical":
        return LexicalEmbedder()
    return SentenceEmbedder(OFFICIAL_EMBEDDER if name == "official" else name, device=device, advice=advice)


def _explain_unofficial(name: str) -> str | None:
    if _is_there(name):
        return f"embedder {name}: a local folder, which cannot be identified as the paper's model"
    if name != OFFICIAL_EMBEDDER:
        return f"embedder {name}: the paper's is {OFFICIAL_EMBEDDER}"
    return None


def _load(name: str, device: str | None, advice: str) -> SentenceTransformer:
    """Load from a folder or the cache, else from the Hub if it answers (its client retries for a minute)."""
    if find_spec("sentence_transformers") is None:
        instead = "--embedder lexical with 'fingertip-20k[lexical]' (not comparable with the paper)"
        instead = instead if advice == OTHER_EMBEDDER else ""
        raise MissingExtraError("sentence-transformers", "embeddings", instead=instead)
    local = _is_there(name) or _looks_like_a_path(name)
    # Importing the library takes seconds, so what can be known without it is checked first.
    folder = name if local else _find_cached(name)
    if folder is None and not _does_hub_answer():
        raise _explain_out_of_reach(name, "no answer from the Hub", advice)
    from sentence_transformers import SentenceTransformer

    try:
        # by its folder: by its name some versions of the libraries ask the Hub all the same
        return SentenceTransformer(folder or name, device=device, local_files_only=True)
    except OSError as error:
        if local:
            raise _unusable(name, error) from None
    except Exception as error:  # the loader raises various errors for a broken folder
        raise _unusable(name, error) from None
    if not _does_hub_answer():
        raise _explain_out_of_reach(name, "no answer from the Hub", advice)
    try:
        return SentenceTransformer(name, device=device)
    except Exception as error:
        raise _explain_out_of_reach(name, _first_line(error), advice) from None


def _encodable(text: str) -> str:
    """Replace lone surrogates, which a model's broken output may contain, by question marks."""
    return text.encode("utf-8", "replace").decode()


def _is_there(name: str) -> bool:
    return os.path.exists(name)  # noqa: PTH110 - Path.exists raises for a name too long to be a file's


def _looks_like_a_path(name: str) -> bool:
    return name.startswith((".", "~", os.sep)) or name.count("/") > 1


def _find_cached(name: str) -> str | None:
    """The folder where the local cache may hold the model; the name itself if no Hub id can be like it."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    # the library completes a name without an owner
    for model_id in (name,) if "/" in name else (name, f"sentence-transformers/{name}"):
        try:
            config = try_to_load_from_cache(model_id, "config.json")
        # no id of the Hub, so the loader decides
        except HFValidationError:
            return name
        if isinstance(config, str):
            return str(Path(config).parent)
    return None


def _does_hub_answer() -> bool:
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=PROBE_SECONDS)
    except Exception:  # DNS, routing, certificate or offline mode: in each case the Hub is unreachable
        return False
    return True


def _unusable(name: str, error: Exception) -> ModelError:
    return ModelError(f"{name} cannot be loaded as a SentenceTransformer: {_first_line(error)}")


def _explain_out_of_reach(name: str, what: str, advice: str) -> ModelError:
    do = did_you_mean(name, NAMES) or f": {advice}"
    return ModelError(f"the embedder {name} is neither in the local cache nor on the Hub ({what}){do}")


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]:.200}"


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
