"""A page on this computer where people say whether a predicted intent is the person's own."""

from __future__ import annotations

from suggestion_runner.review.pair_server import PairServer
from suggestion_runner.review.pairs import PairAnnotationSession

__all__ = ["PairAnnotationSession", "PairServer"]
