"""The annotation page on which people label whether a predicted intent is the person's own."""

from __future__ import annotations

from suggestion_runner.review.pair_page import PairPage
from suggestion_runner.review.pairs import PairAnnotation, PairAnnotationSession

__all__ = ["PairAnnotation", "PairAnnotationSession", "PairPage"]
