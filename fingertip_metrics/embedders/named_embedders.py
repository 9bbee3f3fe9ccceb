"""Loading an embedder by its name."""

from __future__ import annotations

from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.embedders.embedder import Embedder
from fingertip_metrics.embedders.lexical_embedder import LexicalEmbedder
from fingertip_metrics.embedders.packaged_models import PACKAGED
from fingertip_metrics.embedders.sentence_embedder import SentenceEmbedder
from fingertip_metrics.embedders.served_embedder import ServedEmbedder
from fingertip_models.options import ModelOptions

NAMES = ("official", "lexical", *PACKAGED)
"""Names that stand for an embedder; any other is that of a SentenceTransformer, or of a server's model."""

OTHER_EMBEDDER = (
    "--embedder lexical needs no download (not comparable with the paper); or download it where there is "
    "network and give its folder as --embedder PATH"
)
"""Advice for commands that have the option."""


@accept_path_texts
def get_embedder(
    name: str = "official",
    *,
    device: str = "cpu",
    advice: str = OTHER_EMBEDDER,
    base_url: str | None = None,
    prefix: str | None = None,
    cache: Path | None = None,
) -> Embedder:
    """Load an embedder by name.

    Args:
        name: "official", "lexical", the name of a package's model ("all-minilm-l6-v2"), or a
            SentenceTransformer: its id on the Hub, or its folder. With `base_url` the model's name there.
        device: Device of a SentenceTransformer; see `SentenceEmbedder`.
        advice: What the error says to do where it can be neither found nor downloaded; by default to give
            another --embedder.
        base_url: URL of an OpenAI-compatible server that has `/embeddings`; None for a model in this process.
        prefix: Text put before each text; None for that of `find_text_prefix`, by the model's name.
        cache: With `base_url`: file of the vectors, which are reused; None keeps none.

    Raises:
        UsageError: `name` is empty, a server is given for a rule, or a named package is not installed.
        MissingExtraError: The embedder's package is not installed.
        ModelError: The model cannot be loaded.

    >>> get_embedder("lexical").why_not_comparable
    "embedder lexical compares characters: the paper's compares meanings (sentence embeddings)"
    """
    if not name:
        raise UsageError("expected official, lexical, a model's name or its folder, got nothing")
    if base_url is not None:
        if name in NAMES:
            raise UsageError(
                f"the embedder {name} runs in this process: with a server's URL give the name of its model"
            )
        return ServedEmbedder(ModelOptions(base_url=base_url, model=name), prefix=prefix, cache=cache)
    if name == "lexical":
        if prefix is not None:
            raise UsageError("a prefix of texts is for a sentence embedder, not for lexical")
        return LexicalEmbedder()
    full = OFFICIAL_EMBEDDER if name == "official" else name
    return SentenceEmbedder(full, device=device, advice=advice, prefix=prefix)
