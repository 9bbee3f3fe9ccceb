"""Context of an action handler: the app's state to change, and navigation on the phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from simulated_phone.goals.app_definition import App, Handler, State, States
from simulated_phone.machine.machine import Machine
from simulated_phone.screens.layouts.wheel_column import field_of
from simulated_phone.screens.nodes import ActionRef, ActionValue


class HandlerContext:
    """Tap (or Enter) that an app handles.

    Attributes:
        state: The app's state; change it in place, with JSON values only.
        arguments: What the shown page was opened with.
        page: The name of the shown page.
        now: The simulated time.
        seed: The phone's seed.
    """

    def __init__(self, phone: Machine, package: str, entry: dict[str, Any]) -> None:
        self._phone = phone
        self._package = package
        self._entry = entry
        self.state: State = phone.data["apps"][package]
        self.arguments: Mapping[str, Any] = entry["arguments"]
        self.page: str = entry["page"]
        self.now: datetime = phone.now
        self.seed: int = phone.seed

    @property
    def apps(self) -> Sequence[App]:
        """The installed apps."""
        return tuple(self._phone.apps.values())

    @property
    def states(self) -> States:
        """Every app's state, read-only."""
        return self._phone.state

    def field(self, name: str, start: str = "") -> str:
        """Text typed in a field of the page; `start` where nothing was typed yet."""
        return str(self._entry["fields"].get(name, start))

    def fill(self, name: str, text: str) -> None:
        """Put text into a field of the page."""
        self._entry["fields"][name] = text

    def clear(self, name: str) -> None:
        """Remove what is typed in a field of the page."""
        self._entry["fields"].pop(name, None)

    def unfocus(self) -> None:
        """Remove the focus, which closes the keyboard."""
        self._entry["focus"] = None
        self._entry.pop("typing", None)

    def focus(self, name: str) -> None:
        """Focus a field of the shown page, which opens the keyboard."""
        self._phone.tasks.stack[-1]["focus"] = name

    def go(self, page: str, /, **arguments: ActionValue) -> None:
        """Open a page over this one; from a widget of the home screen, in the app."""
        if self._phone.data["front"] == self._package:
            self._phone.tasks.push(page, arguments)
        else:
            self._phone.tasks.open(self._package, page, arguments)

    def replace(self, page: str, /, **arguments: ActionValue) -> None:
        """Open a page in place of this one."""
        self._phone.tasks.pop()
        self._phone.tasks.push(page, arguments)

    def root(self, page: str, /, **arguments: ActionValue) -> None:
        """Open a page with nothing under it (a tab)."""
        self._phone.tasks.root(page, arguments)

    def back(self, pages: int = 1) -> None:
        """Close this page, and more under it."""
        for _ in range(pages):
            self._phone.tasks.pop()

    def close(self, page: str) -> None:
        """Close this page if it is that one: the sheet, menu or question that the action may come from."""
        if self.page == page:
            self.back()

    def set(self, **arguments: ActionValue) -> None:
        """Change what this page was opened with (which day is chosen, which filter)."""
        self._entry["arguments"] |= arguments

    def open_app(self, package: str, page: str | None = None, /, **arguments: ActionValue) -> None:
        """Open another app, on a page of it if given."""
        self._phone.tasks.open(package, page, arguments)

    def act(self, package: str, action: ActionRef) -> None:
        """Let an app do something, as if it had been tapped on its shown page."""
        self._phone.act(ActionRef(f"{package}/{action.name}", action.arguments))

    def change_setting(self, namespace: str, key: str, value: str) -> None:
        """Set a system setting."""
        self._phone.settings[namespace][key] = value

    def toast(self, text: str) -> None:
        """Show a toast."""
        self._phone.show_toast(text)

    def fact(self, name: str, /, **arguments: ActionValue) -> None:
        """Record an event, which shows partial progress."""
        self._phone.log_fact(self._package, name, arguments)


def _visit(context: HandlerContext, page: str, **arguments: ActionValue) -> None:
    context.unfocus()
    context.go(page, **arguments)


def _write(context: HandlerContext, page: str, field: str, **arguments: ActionValue) -> None:
    context.go(page, **arguments)
    context.focus(field)


def _turn(context: HandlerContext, wheel: str, value: ActionValue) -> None:
    context.unfocus()
    context.clear(field_of(wheel))
    context.set(**{wheel: value})


COMMON: Mapping[str, Handler] = MappingProxyType(
    {
        "go": lambda context, page, **arguments: context.go(page, **arguments),
        "visit": _visit,
        "write": _write,
        "instead": lambda context, page, **arguments: context.replace(page, **arguments),
        "tab": lambda context, page: context.root(page),
        "back": lambda context: context.back(),
        "set": lambda context, **arguments: context.set(**arguments),
        "turn": _turn,
    }
)
"""Handlers that every app has: open a page (closing the keyboard, writing in a field, in place of the shown
page), open a tab, close the page, change the page's arguments, turn one of its wheels to a value."""
