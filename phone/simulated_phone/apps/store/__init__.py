"""App store: search, kinds, rankings, installing, updates, reviews."""

from .pages import STORE

__all__ = ["STORE"]
