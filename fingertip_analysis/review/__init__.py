"""Human review of track 2's runs: success labels, ratings of the user's style, and the vision judge."""

from __future__ import annotations

__all__: list[str] = []
