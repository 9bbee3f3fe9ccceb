"""Names and seeds of the tries of a repeated run."""

from __future__ import annotations

from pathlib import Path

MOST_REPEATS = 100
"""Maximum number of tries."""


def list_seeds(first: int, repeats: int) -> tuple[int, ...]:
    """Seed of each try: that of the first plus the try's number less one.

    >>> list_seeds(7, 3)
    (7, 8, 9)
    """
    return tuple(range(first, first + repeats))


def name_tries(repeats: int) -> tuple[str, ...]:
    """Name of each try's folder.

    >>> name_tries(2)
    ('try-1', 'try-2')
    """
    return tuple(f"try-{number}" for number in range(1, repeats + 1))


def describe_tries(folder: Path, tries: int) -> str:
    """Name of a run in a line about its tries.

    Args:
        folder: Folder of the run, or of the first of several tries.
        tries: Number of tries.
    """
    return folder.name if tries == 1 else f"{folder.parent.name} (mean of {tries} tries)"
