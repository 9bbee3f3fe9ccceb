"""The launcher: home pages with icons and widgets, a menu for each icon, search, and a voice assistant."""

from __future__ import annotations

from simulated_phone.app_definition import App
from simulated_phone.apps.launcher.pages import HANDLERS, PACKAGE, PAGES, initial

LAUNCHER = App(
    package=PACKAGE,
    activity=".Launcher",
    label="桌面",
    english="Launcher",
    glyph="home",
    color="#3b6fe0",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    position=0,
)
