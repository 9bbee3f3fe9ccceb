"""Moments that a bundle names: whole, with a zone, not before what they follow, not to come."""

from __future__ import annotations

from datetime import datetime, timedelta

from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

SLACK = timedelta(minutes=10)
"""How far the clocks of two machines may be apart."""


class Clock:
    """Judges moments.

    Args:
        now: When the bundle is looked at.
        found: Gets the refusals.
    """

    def __init__(self, now: datetime, found: Refusals) -> None:
        self._now = now
        self._found = found

    def read(self, text: str, file: str, line: int | None = None) -> datetime | None:
        """A moment; None where it is none, or lies in the future."""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            self._found.refuse(
                RefusalKind.BAD_TIME, f"expected a moment in ISO 8601, got {text!r}", file, line
            )
            return None
        if moment.tzinfo is None:
            self._found.refuse(
                RefusalKind.BAD_TIME, f"expected a moment with its zone, got {text!r}", file, line
            )
            return None
        if moment > self._now + SLACK:
            self._found.refuse(
                RefusalKind.FUTURE_TIME, f"expected a moment that is past, got {text!r}", file, line
            )
            return None
        return moment
