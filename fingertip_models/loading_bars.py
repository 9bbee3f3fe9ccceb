"""Bars that transformers draws while it loads weights, which would break the lines of our own progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hide_loading_bars() -> Iterator[None]:
    """Load weights that are on this machine without bars; those of a download say what takes so long."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
