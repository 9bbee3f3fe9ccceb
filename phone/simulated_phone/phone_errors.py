"""Errors of the simulated phone.

::

    PhoneError
    ├── PhoneSetupError        invalid arguments or a missing font: unknown app, fault or size
    │   └── PhoneNameError     no app, fault, language, design or goal of this name
    │       ├── UnknownFaultError  there is no such fault
    │       └── UnknownGoalError   no app of the phone has this goal
    ├── PhoneHungError         a command or a page of the phone does not end, so nothing else can run on it
    ├── TreeUnavailableError   the accessibility tree is not available now ("could not get idle state")
    └── StrategyError          the element of a strategy's step is not on the screen
"""

from __future__ import annotations

from collections.abc import Iterable


class PhoneError(Exception):
    """Base class of the simulated phone's errors."""


class PhoneSetupError(PhoneError):
    """The phone cannot be built or set up with these arguments."""


class PhoneNameError(PhoneSetupError):
    """A name that is none of those that exist.

    Args:
        message: What is wrong.
        name: The wrong name.
        names: All names.
    """

    def __init__(self, message: str, *, name: str = "", names: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.name, self.names = name, tuple(names)


class UnknownFaultError(PhoneNameError, ValueError):
    """There is no such fault."""


class UnknownGoalError(PhoneNameError, LookupError):
    """No app of the phone has this goal."""


class PhoneHungError(PhoneError):
    """A command or a page of the phone does not end, so nothing else can run on it."""


class TreeUnavailableError(PhoneError):
    """The tree is not available now, as when a real dump prints "could not get idle state"."""


class StrategyError(PhoneError):
    """The element of a strategy's step is neither on the screen nor found by scrolling."""
