"""Maps: places by kind, search, routes, navigation, and saved places."""

from .pages import MAPS

__all__ = ["MAPS"]
