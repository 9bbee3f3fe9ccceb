"""A page on this computer where people rate how much agents act in a person's own way (A.6.6)."""

from __future__ import annotations

from execution_runner.review.rating.rating_server import RatingServer
from execution_runner.review.rating.rating_session import RatedTask, RatingSession

__all__ = ["RatedTask", "RatingServer", "RatingSession"]
