"""The clock: alarms, world clock, timer."""

from .pages import CLOCK

__all__ = ["CLOCK"]
