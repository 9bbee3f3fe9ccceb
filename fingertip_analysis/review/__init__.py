"""Human review of runs: pairs of intents, success labels, ratings of the user's style; the vision judge."""

from __future__ import annotations

__all__: list[str] = []
