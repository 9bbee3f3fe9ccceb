"""Folders from which a process of ours imports our packages, whatever its working directory holds."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("fingertip_leaderboard", "fingertip_dataset", "simulated_phone", "pydantic")
"""One package of each folder that `find_package_folders` gives: a checkout has our packages in several."""


def find_package_folders() -> tuple[Path, ...]:
    """Return the folders of our packages and of those that they need; one folder where all are installed."""
    places = (spec.origin for name in PACKAGES if (spec := find_spec(name)) is not None)
    return tuple(dict.fromkeys(Path(place).resolve().parents[1] for place in places if place))
