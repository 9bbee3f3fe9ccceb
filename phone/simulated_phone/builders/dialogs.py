"""Questions over a page: a dialog that asks before something is done, a choice, the menu of a long press."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from simulated_phone.goals.app_definition import Handler
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.widgets import Button, Field, Widget
from simulated_phone.screens.nodes import ActionRef, ActionValue
from simulated_phone.screens.pages import BACK, Dialog, Sheet

from .list_parts import menu_row, radio_rows

_ = messages(__name__)

CANCEL = _("取消")


def ask(
    title: str,
    yes: str,
    tap: ActionRef,
    *,
    message: str = "",
    body: Sequence[Widget] = (),
    style: str = "filled",
    no: str = CANCEL,
) -> Dialog:
    """A dialog with two buttons: `no` closes it, `yes` does `tap` ("danger" is the style of what deletes)."""
    buttons = [Button(no, BACK, style="tonal"), Button(yes, tap, style=style)]
    return Dialog(title=title, message=message, body=body, buttons=buttons)


def ask_text(title: str, field: str, hint: str, yes: str, tap: ActionRef) -> Dialog:
    """A dialog with one field, whose Enter key does the same as the button."""
    return ask(title, yes, tap, body=[Field(field, hint, submit=tap)])


def menu(title: str, *lines: tuple[str, str, ActionRef]) -> Sheet:
    """A sheet of what can be done with something: words, icon and action of each line."""
    return Sheet(title=title, body=[menu_row(*line) for line in lines])


def choices(
    title: str,
    values: Iterable[Any] | Mapping[str, Any],
    chosen: ActionValue,
    tap: Callable[[Any], ActionRef],
) -> Sheet:
    """A sheet where one of the values is chosen; a mapping has the values by their words."""
    return Sheet(title=title, body=radio_rows(values, chosen, tap))


def choosing(key: str, argument: str, fact: str, *, toast: str = "", closes: str = "") -> Handler:
    """A handler that makes its `argument` the state's `key`.

    Args:
        key: Name of the value in the state.
        argument: Name of the handler's argument.
        fact: Name of the recorded event.
        toast: Toast afterwards, in which the argument may stand in braces; none if empty.
        closes: Page that is closed if the choice was made there.
    """

    def handler(context: HandlerContext, **arguments: ActionValue) -> None:
        context.close(closes)
        context.state[key] = arguments[argument]
        context.fact(fact, **arguments)
        if toast:
            context.toast(toast.format(**arguments))

    return handler
