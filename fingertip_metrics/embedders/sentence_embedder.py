"""Sentence embedders in this process: SentenceTransformers from a folder, a package, the cache or the Hub."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MissingExtraError, ModelError
from fingertip_dataset.similar_names import did_you_mean
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.embedders.embedder import make_encodable
from fingertip_metrics.embedders.packaged_models import PACKAGED
from fingertip_metrics.embedders.text_prefix import find_text_prefix
from fingertip_metrics.embedders.unknown_tokens import TokenCount, count_tokens
from fingertip_models.loading_bars import hide_loading_bars

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH_SIZE = 64
"""Sentences per batch of a SentenceTransformer."""

PROBE_SECONDS = 5
"""Timeout of the request that checks whether the Hub can be reached, seconds."""


class SentenceEmbedder:
    """A SentenceTransformer, loaded from a folder, an installed package, the local cache or the Hub.

    Args:
        name: Model id on the Hub, a folder, or a name of `PACKAGED`.
        device: Device name of torch ("cpu", "cuda"); "auto" for the best available one.
        advice: What to do where it can be neither found nor downloaded.
        prefix: Text put before each text; None for that of `find_text_prefix`.

    Raises:
        MissingExtraError: sentence-transformers is not installed.
        UsageError: The package of a name of `PACKAGED` is not installed.
        ModelError: The model cannot be loaded; there is no fallback to another one.
    """

    def __init__(
        self,
        name: str = OFFICIAL_EMBEDDER,
        *,
        device: str = "cpu",
        advice: str = "",
        prefix: str | None = None,
    ) -> None:
        packaged = PACKAGED.get(name)
        folder = str(packaged.find_folder()) if packaged else name
        self.name = name
        self.why_not_comparable = _explain_unofficial(name)
        self._prefix = find_text_prefix(name) if prefix is None else prefix
        self._model = _load(folder, None if device == "auto" else device, advice)
        self.settings: Mapping[str, object] = {
            **(packaged.describe() if packaged else {}),
            **({"prefix": self._prefix} if self._prefix else {}),
        }

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
            [self._prefix + make_encodable(text) for text in rows],
            batch_size=BATCH_SIZE,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        chosen: NDArray[np.float32] = vectors.astype(np.float32, copy=False)[[rows[text] for text in texts]]
        return chosen

    def count_tokens(self, texts: Sequence[str]) -> list[TokenCount] | None:
        """Count the tokens of each text and those that the model does not know; None if it cannot tell."""
        return count_tokens(getattr(self._model, "tokenizer", None), [*map(make_encodable, texts)])


def _explain_unofficial(name: str) -> str | None:
    if name in PACKAGED:
        return f"embedder {name} {PACKAGED[name].remark}: the paper's is {OFFICIAL_EMBEDDER}"
    if _is_there(name):
        return f"embedder {name}: a local folder; whether it is the paper's model cannot be checked"
    if name != OFFICIAL_EMBEDDER:
        return f"embedder {name}: the paper's is {OFFICIAL_EMBEDDER}"
    return None


def _load(name: str, device: str | None, advice: str) -> SentenceTransformer:
    """Load from a folder or the cache, else from the Hub if it answers (its client retries for a minute)."""
    if find_spec("sentence_transformers") is None:
        instead = "--embedder lexical (not comparable with the paper)"
        instead = instead if "--embedder" in advice else ""
        raise MissingExtraError("sentence-transformers", "embeddings", instead=instead)
    local = _is_there(name) or _looks_like_a_path(name)
    # Importing the library takes seconds, so what can be known without it is checked first.
    folder = name if local else _find_cached(name)
    if folder is None and not _does_hub_answer():
        raise _explain_out_of_reach(name, "no answer from the Hub", advice)
    from sentence_transformers import SentenceTransformer

    try:
        # by its folder: by its name some versions of the libraries ask the Hub all the same
        with hide_loading_bars():
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
    do = did_you_mean(name, ("official", "lexical", *PACKAGED)) or (f": {advice}" if advice else "")
    return ModelError(f"the embedder {name} is neither in the local cache nor on the Hub ({what}){do}")


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]:.200}"
