"""The annotation page on which people label whether an attempt at a task succeeded."""

from __future__ import annotations

from fingertip_analysis.review.success.success_page import SuccessPage
from fingertip_analysis.review.success.success_session import SuccessAnnotation, SuccessSession

__all__ = ["SuccessAnnotation", "SuccessPage", "SuccessSession"]
