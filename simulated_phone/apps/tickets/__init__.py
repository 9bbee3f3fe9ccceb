"""Tickets: trains and films, seats, changes and refunds."""

from simulated_phone.apps.tickets.pages import TICKETS

__all__ = ["TICKETS"]
