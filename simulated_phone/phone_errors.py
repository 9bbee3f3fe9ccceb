"""Errors of the simulated phone.

::

    PhoneError
    ├── PhoneSetupError   the phone cannot be built as asked: a missing font, an unknown app, fault or size
    ├── NoTreeError       the accessibility tree cannot be had now ("could not get idle state")
    └── WayError          a simulated person does not find on the screen what the next step names
"""

from __future__ import annotations


class PhoneError(Exception):
    """Everything that goes wrong with a simulated phone and is not a bug."""


class PhoneSetupError(PhoneError):
    """The phone cannot be built or set as asked."""


class TreeUnavailableError(PhoneError):
    """The tree cannot be had now, as when a real dump says "could not get idle state"."""


class StrategyError(PhoneError):
    """What a step of a way names is not on the screen, nor found by scrolling."""
