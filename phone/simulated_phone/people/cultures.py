"""Daily rhythms by culture: when people are at home, travel, eat and go out, and which days are free."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TypeAlias

from simulated_phone.goals.app_definition import App

Span: TypeAlias = tuple[float, float]
USUAL = "en"
"""Whose rhythm people have who speak a language without a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Culture:
    """A daily rhythm; times are hours of the day, 7.5 is half past seven.

    Attributes:
        at_home: Until when people are at home in the morning, and from when at night.
        commute: The ways to work and home again, from and until.
        lunch: Time of lunch, from and until.
        outings: When people go out on free days, from and until.
        weekend: Free weekdays, 0 is Monday.
        hours: Favourite hours by package, where they differ from the app's own.
    """

    at_home: Span
    commute: tuple[Span, Span]
    lunch: Span
    outings: Span
    weekend: tuple[int, ...]
    hours: Mapping[str, tuple[int, ...]]

    @property
    def workdays(self) -> Sequence[int]:
        """The other weekdays."""
        return [day for day in range(7) if day not in self.weekend]

    def hours_of(self, app: App) -> tuple[int, ...]:
        """Hours of the day at which people mostly use the app."""
        return self.hours.get(app.package, app.hours)


@cache
def find_culture(locale: str) -> Culture:
    """The rhythm of people who speak a language."""
    tables = tomllib.loads((files("simulated_phone.people") / "cultures.toml").read_text(encoding="utf-8"))
    table = tables.get(locale, tables[USUAL])
    there, back = map(tuple, table["commute"])
    return Culture(
        at_home=tuple(table["at_home"]),
        commute=(there, back),
        lunch=tuple(table["lunch"]),
        outings=tuple(table["outings"]),
        weekend=tuple(table["weekend"]),
        hours=MappingProxyType({name: tuple(hours) for name, hours in table.get("hours", {}).items()}),
    )
