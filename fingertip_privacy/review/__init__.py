"""The annotation page on which people confirm, reject and add private parts."""

from __future__ import annotations

from fingertip_privacy.review.find_page import FindPage
from fingertip_privacy.review.find_session import (
    AddedBox,
    FindAnnotation,
    FindSession,
    find_kinds,
    selected_finds,
)

__all__ = ["AddedBox", "FindAnnotation", "FindPage", "FindSession", "find_kinds", "selected_finds"]
