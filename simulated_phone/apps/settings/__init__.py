"""The system's settings as an app: switches, choices, networks, devices, apps and the device's name."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.settings.data import PACKAGE, initial
from simulated_phone.apps.settings.goals import GOALS
from simulated_phone.apps.settings.pages import HANDLERS, PAGES
from simulated_phone.screens.nodes import action_ref

SETTINGS = App(
    package=PACKAGE,
    activity=".Settings",
    label="设置",
    english="Settings",
    glyph="gear",
    color="#5f6b7d",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="WLAN", glyph="wifi", tap=action_ref("go", page="wlan")),
        Shortcut(text="蓝牙", glyph="bluetooth", tap=action_ref("go", page="bluetooth")),
        Shortcut(text="电池", glyph="battery", tap=action_ref("go", page="battery")),
    ),
    goals=GOALS,
    position=7,
    hours=(9, 22, 23),
)
