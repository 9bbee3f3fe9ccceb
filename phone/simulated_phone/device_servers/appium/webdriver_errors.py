"""Errors of the WebDriver protocol."""

from __future__ import annotations


class WebDriverError(Exception):
    """A failed command.

    Args:
        message: What is wrong.
        error: The protocol's name of the error.
        status: HTTP status.
    """

    def __init__(self, message: str, error: str = "unknown error", status: int = 500) -> None:
        super().__init__(message)
        self.error = error
        self.status = status


def invalid_argument(message: str) -> WebDriverError:
    """A parameter is missing or has a wrong value."""
    return WebDriverError(message, "invalid argument", 400)


def invalid_selector(message: str) -> WebDriverError:
    """A locator cannot be parsed."""
    return WebDriverError(message, "invalid selector", 400)


def invalid_state(message: str) -> WebDriverError:
    """An element does not allow what was asked of it."""
    return WebDriverError(message, "invalid element state", 400)


def no_element(message: str = "no element on the screen matches the locator") -> WebDriverError:
    """Nothing matches a locator."""
    return WebDriverError(message, "no such element", 404)


def stale_element(identifier: str) -> WebDriverError:
    """An element that was found is no longer on the screen."""
    return WebDriverError(f"element {identifier} is no longer on the screen", "stale element reference", 404)


def unknown_command(message: str) -> WebDriverError:
    """A path, method or attribute that the server does not have."""
    return WebDriverError(message, "unknown command", 404)
