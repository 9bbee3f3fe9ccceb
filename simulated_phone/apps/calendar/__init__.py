"""The calendar: months, days, an agenda, and events."""

from simulated_phone.apps.calendar.pages import CALENDAR

__all__ = ["CALENDAR"]
