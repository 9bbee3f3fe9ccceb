"""Number of Hypothesis examples."""

from __future__ import annotations

import os


def examples(count: int) -> int:
    """The given number in `make soak`, a quarter of it in `make test`."""
    return count if os.environ.get("FINGERTIP_SOAK") else count // 4
