"""Marks on things (liked, saved, rated): the heart and the stars that show one, the handler that flips it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from simulated_phone.goals.app_definition import Handler
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.widgets import Icon, Text
from simulated_phone.screens.nodes import ActionRef, ActionValue
from simulated_phone.screens.theme import FAINT, GREY, INK

_ = messages(__name__)

UNDO, SAVED, UNSAVED = _("取消"), _("收藏成功"), _("已取消收藏")
SAVE = _("收藏")


def heart(on: bool, tap: ActionRef, words: str = SAVE, *, size: float = 24, color: str = INK) -> Icon:
    """A heart, filled if the mark is set; its description is the words, or that they are undone."""
    return Icon(
        "heart" if on else "heart_line",
        _("取消{words}").format(words=words) if on else words,
        tap,
        size=size,
        color=color,
    )


def stars(
    counts: Iterable[int], given: int, tap: Callable[[int], ActionRef], *, color: str, size: float = 24
) -> RowLayout:
    """Stars to rate something with, as many in colour as were given."""
    cards = [
        Card(
            [
                Icon("star", size=size, color=color if given >= count else FAINT, room=size + 10),
                Text(_("{count}星").format(count=count), size=12, color=GREY, align="center"),
            ],
            pad=2,
            tap=tap(count),
        )
        for count in counts
    ]
    return RowLayout(cards, gap=2)


def flip(items: list[ActionValue], item: ActionValue, *, first: bool = False) -> bool:
    """Put the item into the list (at its beginning if `first`), or take it out; return whether it is in."""
    if item in items:
        items.remove(item)
        return False
    items.insert(0 if first else len(items), item)
    return True


def flipping(
    key: str, argument: str, fact: str, *, on: str = SAVED, off: str = UNSAVED, first: bool = False
) -> Handler:
    """A handler that puts its `argument` into the state's list `key`, or takes it out.

    Args:
        key: Name of the list in the state.
        argument: Name of the handler's argument.
        fact: Name of the recorded event.
        on: Toast when it was put in; none if empty.
        off: Toast when it was taken out.
        first: Whether new items come first.
    """

    def handler(context: HandlerContext, **arguments: ActionValue) -> None:
        is_in = flip(context.state[key], arguments[argument], first=first)
        context.fact(fact, **{argument: arguments[argument]}, on=is_in)
        if on:
            context.toast(on if is_in else off)

    return handler


def put(context: HandlerContext, key: str, fact: str, *, first: bool = False, **item: ActionValue) -> None:
    """Put an item, named as in the fact, into the state's list `key`, unless it is there."""
    (value,) = item.values()
    if value not in context.state[key]:
        context.state[key].insert(0 if first else len(context.state[key]), value)
        context.fact(fact, **item)


def take(context: HandlerContext, key: str, fact: str, **item: ActionValue) -> None:
    """Take an item, named as in the fact, out of the state's list `key`, if it is there."""
    (value,) = item.values()
    if value in context.state[key]:
        context.state[key].remove(value)
        context.fact(fact, **item)
