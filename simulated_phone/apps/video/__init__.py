"""The video app: recommendations, channels, authors, a player, history and saved videos."""

from simulated_phone.apps.video.pages import VIDEO

__all__ = ["VIDEO"]
