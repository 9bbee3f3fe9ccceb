"""An embedder of commands that have no --embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingertip_metrics.embedders import Embedder


def embedder_for(name: str, advice: str) -> Embedder:
    """Load an embedder by name.

    Args:
        name: As for `get_embedder`.
        advice: What to do where it can be neither found nor downloaded, in place of another --embedder.

    Raises:
        FingerTipError: As for `get_embedder`.
    """
    from fingertip_dataset.errors import ModelError
    from fingertip_metrics.embedders import OTHER_EMBEDDER, get_embedder

    try:
        return get_embedder(name)
    except ModelError as error:
        raise ModelError(error.message.replace(OTHER_EMBEDDER, advice)) from None
