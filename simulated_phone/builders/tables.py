"""Tables of an app: its pages and handlers by the names of their functions."""

from __future__ import annotations

from collections.abc import Mapping

from simulated_phone.app_definition import Handler, PageFunction

_SURFACES = ("_page", "_sheet", "_dialog")


def pages(*functions: PageFunction) -> Mapping[str, PageFunction]:
    """Pages by name: `_list_page` is the page "list", `_delete_dialog` the page "delete"."""
    named = {}
    for function in functions:
        name = function.__name__.strip("_")
        for suffix in _SURFACES:
            name = name.removesuffix(suffix)
        named[name] = function
    return named


def handlers(*functions: Handler) -> Mapping[str, Handler]:
    """Handlers by name: `_save` is the handler "save"."""
    return {function.__name__.strip("_"): function for function in functions}
