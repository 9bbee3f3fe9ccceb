"""The default number of worker processes of a command."""

from __future__ import annotations

import os

MOST_WORKERS = 4
"""Maximum of the default: more processes only wait for the disk."""


FEW_EPISODES = 30
"""Number of episodes below which more than one process takes longer to start than it saves."""


def default_workers(episodes: int = FEW_EPISODES) -> int:
    """Return the number of CPU cores, at most `MOST_WORKERS`; 1 for fewer than `FEW_EPISODES` episodes."""
    return min(MOST_WORKERS, os.cpu_count() or 1) if episodes >= FEW_EPISODES else 1
