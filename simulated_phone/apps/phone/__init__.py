"""Phone: the list of calls, a keypad, calls, speed dial and the block list."""

from simulated_phone.apps.phone.pages import PHONE

__all__ = ["PHONE"]
