"""The apps of a simulated phone. To add one, write its file and name it here (docs/add-an-app.md)."""

from __future__ import annotations

from simulated_phone.app_definition import App
from simulated_phone.apps.calendar import CALENDAR
from simulated_phone.apps.chat import CHAT
from simulated_phone.apps.clock import CLOCK
from simulated_phone.apps.food import FOOD
from simulated_phone.apps.launcher import LAUNCHER
from simulated_phone.apps.maps import MAPS
from simulated_phone.apps.music import MUSIC
from simulated_phone.apps.notes import NOTES
from simulated_phone.apps.reader import READER
from simulated_phone.apps.settings import SETTINGS
from simulated_phone.apps.shopping import SHOPPING
from simulated_phone.apps.video import VIDEO
from simulated_phone.apps.weather import WEATHER

APPS: tuple[App, ...] = (
    LAUNCHER,
    CLOCK,
    MUSIC,
    WEATHER,
    FOOD,
    SHOPPING,
    CALENDAR,
    SETTINGS,
    VIDEO,
    READER,
    NOTES,
    CHAT,
    MAPS,
)
"""Every app that a phone has from the start, the launcher first."""

__all__ = ["APPS", "LAUNCHER"]
