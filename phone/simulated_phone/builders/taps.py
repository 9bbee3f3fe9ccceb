"""References to the handlers that every app has (`handler_context.COMMON`)."""

from __future__ import annotations

from simulated_phone.screens.nodes import ActionRef, ActionValue, action_ref


def go(page: str, /, **arguments: ActionValue) -> ActionRef:
    """Open a page over the shown one."""
    return action_ref("go", page=page, **arguments)


def visit(page: str, /, **arguments: ActionValue) -> ActionRef:
    """Open a page over the shown one, whose keyboard closes: from a search to what it found."""
    return action_ref("visit", page=page, **arguments)


def write(page: str, field: str, /, **arguments: ActionValue) -> ActionRef:
    """Open a page with the keyboard on one of its fields."""
    return action_ref("write", page=page, field=field, **arguments)


def instead(page: str, /, **arguments: ActionValue) -> ActionRef:
    """Open a page in place of the shown one."""
    return action_ref("instead", page=page, **arguments)


def change(**arguments: ActionValue) -> ActionRef:
    """Change what the shown page was opened with."""
    return action_ref("set", **arguments)


def tab(page: str) -> ActionRef:
    """Open a page as a tab."""
    return action_ref("tab", page=page)
