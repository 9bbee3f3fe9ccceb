"""The video app: recommendations, channels, authors, a player, history and saved videos."""

from .pages import VIDEO

__all__ = ["VIDEO"]
