"""Tabs: of an app at the bottom, of a page at its top, and the handler that keeps the first one below."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from simulated_phone.goals.app_definition import Handler
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.lists import Tab, Tabs
from simulated_phone.screens.nodes import ActionRef

from . import taps
from .list_parts import with_values


class BottomTabs(Protocol):
    """The tabs of an app as they look on one of its pages."""

    def __call__(self, chosen: str, /, **new: int) -> list[Tab]:
        """The tabs on the page `chosen`, with the number of what is new on other pages, by page."""


def bottom_tabs(*tabs: tuple[str, str, str]) -> BottomTabs:
    """The tabs at the bottom, each a page, its name and its icon."""

    def shown(chosen: str, /, **new: int) -> list[Tab]:
        return [
            Tab(text=text, glyph=glyph, tap=taps.tab(page), chosen=page == chosen, badge=new.get(page, 0))
            for page, text, glyph in tabs
        ]

    return shown


def top_tabs(values: Iterable[str] | Mapping[str, str], chosen: str, tap: Callable[[str], ActionRef]) -> Tabs:
    """Tabs over a list: its channels, kinds or states."""
    return Tabs(
        [
            Tab(text=words, tap=tap(value), chosen=value == chosen)
            for words, value in with_values(values).items()
        ]
    )


def tab_over(first: str) -> Handler:
    """A handler `tab` that keeps the first tab below the others, so that back returns to it."""

    def tab(context: HandlerContext, page: str) -> None:
        context.root(first)
        if page != first:
            context.go(page)

    return tab
