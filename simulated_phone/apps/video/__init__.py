"""The video app: recommendations, channels, authors, a player, history and saved videos."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.video.data import PACKAGE, initial
from simulated_phone.apps.video.goals import GOALS
from simulated_phone.apps.video.pages import HANDLERS, PAGES
from simulated_phone.screens.nodes import action_ref

VIDEO = App(
    package=PACKAGE,
    activity=".MainActivity",
    label="视频",
    english="Video",
    glyph="film",
    color="#d6336c",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="观看历史", glyph="history", tap=action_ref("go", page="history")),
        Shortcut(text="我的收藏", glyph="star", tap=action_ref("go", page="saved")),
    ),
    goals=GOALS,
    position=8,
    hours=(12, 19, 21, 22),
)
