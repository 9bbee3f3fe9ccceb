"""The annotation page on which people confirm, reject and add private parts."""

from __future__ import annotations

from fingertip_privacy.review.find_page import FindPage
from fingertip_privacy.review.find_session import (
    AddedBox,
    FindAnnotation,
    FindSession,
    select_finds,
)
from fingertip_privacy.review.unfound_screens import is_unfound, unfound_screens

__all__ = [
    "AddedBox",
    "FindAnnotation",
    "FindPage",
    "FindSession",
    "is_unfound",
    "select_finds",
    "unfound_screens",
]
