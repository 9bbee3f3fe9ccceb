"""The default number of worker processes of a command."""

from __future__ import annotations

import os

MOST_WORKERS = 4
"""Maximum of the default: more processes only wait for the disk."""


def default_workers() -> int:
    """Return the number of CPU cores, at most `MOST_WORKERS`."""
    return min(MOST_WORKERS, os.cpu_count() or 1)
