"""Ride hailing: call or book a car, trips, places and emergency contacts."""

from .pages import RIDE

__all__ = ["RIDE"]
