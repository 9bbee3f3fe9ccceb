"""Ride hailing: call or book a car, trips, places and emergency contacts."""

from simulated_phone.apps.ride.pages import RIDE

__all__ = ["RIDE"]
