"""Tickets: trains and films, seats, changes and refunds."""

from .pages import TICKETS

__all__ = ["TICKETS"]
