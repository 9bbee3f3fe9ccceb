"""Embedders of Sim_1: the official model, character n-grams, one from a package, a folder or a server."""

from __future__ import annotations

from fingertip_metrics.embedders.embedder import Embedder, cosines, describe_embedder
from fingertip_metrics.embedders.lexical_embedder import LexicalEmbedder
from fingertip_metrics.embedders.named_embedders import NAMES, OTHER_EMBEDDER, get_embedder
from fingertip_metrics.embedders.sentence_embedder import SentenceEmbedder
from fingertip_metrics.embedders.served_embedder import ServedEmbedder

__all__ = [
    "NAMES",
    "OTHER_EMBEDDER",
    "Embedder",
    "LexicalEmbedder",
    "SentenceEmbedder",
    "ServedEmbedder",
    "cosines",
    "describe_embedder",
    "get_embedder",
]
