"""The music app: songs, playlists, a player with a queue, and a sleep timer."""

from .pages import MUSIC

__all__ = ["MUSIC"]
