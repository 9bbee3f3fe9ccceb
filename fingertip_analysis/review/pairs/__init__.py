"""The annotation page on which people label whether a predicted intent is the person's own."""

from __future__ import annotations

from fingertip_analysis.review.pairs.pair_page import PairPage
from fingertip_analysis.review.pairs.pair_session import PairAnnotation, PairAnnotationSession

__all__ = ["PairAnnotation", "PairAnnotationSession", "PairPage"]
