"""The embedder of a dataset's references."""

from __future__ import annotations

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.references import Encode
from fingertip_metrics.embedders import get_embedder
from fingertip_runs.same_task import TEXT


def reference_encoder(built: BuiltDataset) -> Encode | None:
    """Return the embedder with which the dataset found its references; None if it compared the texts.

    Raises:
        UsageError: The embedder that the manifest names cannot be loaded under that name.
    """
    name = built.manifest.references.similarity
    if name == TEXT:
        return None
    embedder = get_embedder(
        "lexical" if name.startswith("lexical") else name,
        advice="the dataset's references were found with it: put it into the cache, or build the dataset "
        "with --references text or lexical",
    )
    if embedder.name != name:
        raise UsageError(
            f"the dataset's references were found with {name}, not {embedder.name}: build it again",
            file=built.path,
        )
    return embedder.encode
