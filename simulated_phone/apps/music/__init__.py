"""The music app: songs, playlists, a player with a queue, and a sleep timer."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.music.data import LIKED, PACKAGE, initial
from simulated_phone.apps.music.goals import GOALS
from simulated_phone.apps.music.pages import HANDLERS, PAGES, home_widget
from simulated_phone.screens.nodes import action_ref

MUSIC = App(
    package=PACKAGE,
    activity=".activity.MainActivity",
    label="音乐",
    english="Music",
    glyph="music",
    color="#d8343b",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="搜索歌曲", glyph="search", tap=action_ref("go", page="search")),
        Shortcut(text=LIKED, glyph="heart", tap=action_ref("go", page="list", name=LIKED)),
    ),
    widget=home_widget,
    goals=GOALS,
    position=2,
    hours=(8, 12, 18, 22),
)
