"""A simulated Android phone: apps, screens and trees, reset in milliseconds, driven through the real adb."""

from __future__ import annotations

from simulated_phone.adb.phone_server import SimulatedPhoneServer
from simulated_phone.app_definition import App, Goal, GoalInstance, Shortcut, Strategy
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneError, PhoneSetupError, TreeUnavailableError
from simulated_phone.screens.screen import Pictures
from simulated_phone.state import Fact, Snapshot

__all__ = [
    "App",
    "Fact",
    "Goal",
    "GoalInstance",
    "Phone",
    "PhoneError",
    "PhoneSetupError",
    "Pictures",
    "Shortcut",
    "SimulatedPhoneServer",
    "Snapshot",
    "Strategy",
    "TreeUnavailableError",
]

Aim, Way, NoTreeError = GoalInstance, Strategy, TreeUnavailableError
"""Names of earlier versions."""
