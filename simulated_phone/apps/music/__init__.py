"""The music app: songs, playlists, a player with a queue, and a sleep timer."""

from simulated_phone.apps.music.pages import MUSIC

__all__ = ["MUSIC"]
