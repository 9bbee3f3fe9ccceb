"""Messages: texts of people and of services, whose trains, appointments and codes other apps take."""

from .pages import MESSAGES

__all__ = ["MESSAGES"]
