"""A small release that we drew ourselves: it shows the layout and runs the demo; nobody lived it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["sample_release"]


def sample_release() -> Path:
    """The folder of the drawn sample: `raw/` in the layout of the release, and its index `tables/`."""
    return Path(__file__).with_name("release")
