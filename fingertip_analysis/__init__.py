"""Analysis above the runners: statistics of a dataset, and the paper's experiments."""

from __future__ import annotations

__all__: list[str] = []
