"""Check times in a bundle: ISO 8601 with a zone, and not in the future."""

from __future__ import annotations

from datetime import datetime, timedelta

from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

SLACK = timedelta(minutes=10)
"""Tolerated difference between the clocks of two machines."""


def read_moment(text: str) -> datetime | None:
    """A moment with a zone; None for another text."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


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
            kind, expected = RefusalKind.BAD_TIME, "a moment in ISO 8601"
        else:
            kind, expected = RefusalKind.BAD_TIME, "a moment with its zone"
            if moment.tzinfo is not None:
                if moment <= self._now + SLACK:
                    return moment
                # a run of tomorrow would be the newest of its agent for ever
                kind, expected = RefusalKind.FUTURE_TIME, "a moment that is past"
        self._found.refuse(kind, f"expected {expected}, got {text!r}", file, line)
        return None
