"""The touchscreen of a phone as the code below `Phone` sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from simulated_phone.screens.nodes import ActionRef
from simulated_phone.screens.shown import Shown


class Touchscreen(ABC):
    """Content of a display and the gestures on it.

    Handlers, keys and touches need them, and only `Phone` implements them: it alone imports the apps.
    """

    @abstractmethod
    def shown(self) -> Shown:
        """Content of the display, laid out."""

    @abstractmethod
    def tap(self, x: int, y: int) -> None:
        """A short touch at a pixel."""

    @abstractmethod
    def long_press(self, x: int, y: int, ms: int = 600) -> None:
        """A touch held for `ms`."""

    @abstractmethod
    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        """A finger moved from one pixel to another."""

    @abstractmethod
    def type_text(self, text: str) -> None:
        """Text into the field that has the focus."""

    @abstractmethod
    def act(self, action: ActionRef) -> None:
        """Do what a node's action says: the system's, or that of the app whose page is shown."""

    @abstractmethod
    def edit(self, change: Callable[[str], str]) -> None:
        """Change the text of the field that has the focus, if one has."""

    @abstractmethod
    def enter(self) -> None:
        """The Enter key: the focused field's action, and the keyboard goes."""
