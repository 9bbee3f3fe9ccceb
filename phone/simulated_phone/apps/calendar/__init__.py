"""The calendar: months, days, an agenda, and events."""

from .pages import CALENDAR

__all__ = ["CALENDAR"]
