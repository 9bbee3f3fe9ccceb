"""Chat: conversations, contacts, transfers, and moments."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.chat.data import PACKAGE, initial
from simulated_phone.apps.chat.goals import GOALS
from simulated_phone.apps.chat.pages import ACCENT, HANDLERS, PAGES
from simulated_phone.screens.nodes import action_ref

CHAT = App(
    package=PACKAGE,
    activity=".ChatActivity",
    label="聊天",
    english="Chat",
    glyph="chat",
    color=ACCENT,
    initial=initial,
    home="talks",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="搜索", glyph="search", tap=action_ref("open_search")),
        Shortcut(text="发动态", glyph="camera", tap=action_ref("write_moment")),
    ),
    goals=GOALS,
    position=11,
    hours=(9, 12, 19, 20),
)
