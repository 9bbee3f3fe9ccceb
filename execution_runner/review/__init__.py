"""A page on this computer where people say whether a task is done, and how much in their own way."""

from __future__ import annotations

from execution_runner.review.annotation_session import AnnotationSession
from execution_runner.review.review_server import ReviewServer
from execution_runner.review.trajectories import Trajectory, read_trajectories

__all__ = ["AnnotationSession", "ReviewServer", "Trajectory", "read_trajectories"]
