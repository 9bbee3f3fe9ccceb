"""Phone: the list of calls, a keypad, calls, speed dial and the block list."""

from .pages import PHONE

__all__ = ["PHONE"]
