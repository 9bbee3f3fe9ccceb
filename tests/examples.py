"""Number of Hypothesis examples."""

from __future__ import annotations

import os


def examples(count: int) -> int:
    """The given number in `make soak`; in `make test` a sixth of it, and at least ten."""
    return count if os.environ.get("FINGERTIP_SOAK") else max(count // 6, min(count, 10))
