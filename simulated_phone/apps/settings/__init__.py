"""The system's settings as an app: switches, choices, networks, devices, apps and the device's name."""

from simulated_phone.apps.settings.pages import SETTINGS

__all__ = ["SETTINGS"]
