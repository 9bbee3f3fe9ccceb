"""The annotation page on which people rate how much agents act in a person's own way (A.6.6)."""

from __future__ import annotations

from fingertip_analysis.review.rating.rating_page import RatingPage
from fingertip_analysis.review.rating.rating_session import RatedTask, Rating, RatingSession

__all__ = ["RatedTask", "Rating", "RatingPage", "RatingSession"]
