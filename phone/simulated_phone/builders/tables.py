"""Tables of an app: its pages and handlers by the names of their functions."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FunctionType

from simulated_phone.goals.app_definition import Handler, PageFunction

_SURFACES = ("_page", "_sheet", "_dialog")


def pages(*functions: PageFunction) -> Mapping[str, PageFunction]:
    """Pages by name: `_build_list_page` is the page "list", `_build_delete_dialog` the page "delete"."""
    named = {}
    for function in functions:
        name = function.__name__.removeprefix("_build_").strip("_")
        for suffix in _SURFACES:
            name = name.removesuffix(suffix)
        named[name] = function
    return named


def pages_of(module: str) -> Mapping[str, PageFunction]:
    """The pages of a module, for the end of it: its functions of a view that are named as `pages` says.

    Args:
        module: The module's `__name__`.
    """
    own = [one for one in vars(sys.modules[module]).values() if isinstance(one, FunctionType)]
    return pages(
        *(
            one
            for one in own
            if one.__module__ == module and one.__name__.endswith(_SURFACES) and one.__code__.co_argcount == 1
        )
    )


def handlers(*functions: Handler) -> Mapping[str, Handler]:
    """Handlers by name: `_save` is the handler "save"."""
    return {function.__name__.strip("_"): function for function in functions}
