"""Check times in a bundle: ISO 8601 with a zone, and not in the future."""

from __future__ import annotations

from datetime import datetime, timedelta

from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

SLACK = timedelta(minutes=10)
"""Tolerated difference between the clocks of two machines."""


class Clock:
    """Parses and checks times.

    Args:
        now: Time of verification.
        found: Collects the refusals.
    """

    def __init__(self, now: datetime, found: Refusals) -> None:
        self._now = now
        self._found = found

    def read(self, text: str, file: str, line: int | None = None) -> datetime | None:
        """Parse a time; None if it is malformed, has no zone, or is in the future."""
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
