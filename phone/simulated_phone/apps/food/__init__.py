"""Food delivery: shops by kind, search, ordering, and orders."""

from .pages import FOOD

__all__ = ["FOOD"]
