"""The system's settings as an app: switches, choices, networks, devices, apps and the device's name."""

from .pages import SETTINGS

__all__ = ["SETTINGS"]
