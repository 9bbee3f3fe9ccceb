"""The files of a bundle: their names, and how large each may be."""

from __future__ import annotations

import re

BUNDLE = "bundle.json"
TASKS = "tasks.jsonl"
VERDICTS = "verdicts.jsonl"
LABELS = "labels.jsonl"
TRAJECTORIES = "trajectories"

MB = 1 << 20
LIMITS = {BUNDLE: 4 * MB, TASKS: 256 * MB, VERDICTS: 128 * MB, LABELS: 32 * MB}
"""Bytes of each file at most."""

SCREEN_LIMIT = 8 * MB
"""Bytes of a screenshot or a tree at most."""

TOTAL_LIMIT = 4 << 30
"""Bytes of all files together, unpacked."""

MOST_FILES = 50_000

_SCREEN = re.compile(rf"{TRAJECTORIES}/[0-9]{{5}}/([0-9]{{3,5}}\.(png|jpg|xml)|final\.(png|jpg))", re.ASCII)
_FOLDER = re.compile(rf"{TRAJECTORIES}/([0-9]{{5}}/)?", re.ASCII)


def size_limit(name: str) -> int | None:
    """Bytes that a file of that name may have at most; None where a bundle has no such file.

    >>> size_limit("trajectories/00001/003.png"), size_limit("setup.py")
    (8388608, None)
    """
    if name in LIMITS:
        return LIMITS[name]
    return SCREEN_LIMIT if _SCREEN.fullmatch(name) else None


def is_folder(name: str) -> bool:
    """Whether a bundle may have a folder of that name, a slash at its end."""
    return _FOLDER.fullmatch(name) is not None


def screen_name(task: int, name: str) -> str:
    """Where a screen lies in a bundle.

    Args:
        task: Line of the task in tasks.jsonl, counted from 1.
        name: "001.png", "001.xml", ..., "final.png".

    >>> screen_name(7, "001.png")
    'trajectories/00007/001.png'
    """
    return f"{TRAJECTORIES}/{task:05}/{name}"
