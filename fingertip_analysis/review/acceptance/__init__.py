"""The annotation page on which people accept or reject suggestions without seeing what the user wanted."""

from __future__ import annotations

from fingertip_analysis.review.acceptance.acceptance_page import AcceptancePage
from fingertip_analysis.review.acceptance.acceptance_session import AcceptanceAnnotation, AcceptanceSession

__all__ = ["AcceptanceAnnotation", "AcceptancePage", "AcceptanceSession"]
