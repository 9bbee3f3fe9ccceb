"""The clock: alarms, world clock, timer."""

from simulated_phone.apps.clock.pages import CLOCK

__all__ = ["CLOCK"]
