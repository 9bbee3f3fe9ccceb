"""Number of Hypothesis examples."""

from __future__ import annotations

import os


def examples(count: int) -> int:
    """All of them in `make soak`, a quarter in `make test`."""
    return count if os.environ.get("FINGERTIP_SOAK") else count // 4
