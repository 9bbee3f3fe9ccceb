"""Pages of apps as they were last built: a page that would read the same again is not built again.

A page function only reads its `PageView`. What it read is noted, and the page is kept with the content of all
that: equal content gives the same page, on whichever phone of the process. A page that read the exact time is
not kept.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from simulated_phone.goals.app_definition import MINUTE, NOW, SEED, App, PageFunction
from simulated_phone.machine.machine import Machine
from simulated_phone.machine.state import MINUTE_MS, Data
from simulated_phone.screens.pages import Surface

MOST_VIEWS, MOST_VARIANTS = 512, 8
"""Most contents of a page and its app's state that are kept, and most pages for each of them."""
_JSON = 2
"""Version of marshal's format in which equal values are equal bytes."""

_Read: TypeAlias = tuple[object, ...]


@dataclass(slots=True)
class _Built:
    """The pages of one function with one content of its own app's state, by the content of its reads."""

    reads: tuple[str, ...] = ()
    pages: dict[_Read, Surface] = field(default_factory=dict)


@lru_cache(maxsize=MOST_VIEWS)
def _built(function: PageFunction, content: bytes, locale: str, installed: tuple[App, ...]) -> _Built:
    return _Built()


def forget_pages() -> None:
    """Drop all kept pages."""
    _built.cache_clear()


def build_app_page(phone: Machine, package: str, entry: Data) -> Surface:
    """Page that an entry of an app's back stack shows now.

    Notes in `phone.time_read` that it depends on the exact time, if it does.
    """
    function = phone.apps[package].pages[entry["page"]]
    try:
        content = marshal.dumps([entry["arguments"], entry["fields"], phone.data["apps"][package]], _JSON)
    except ValueError:
        # no JSON value: nobody can tell whether it has changed
        phone.time_read = True
        return function(phone.view(package, entry))
    built = _built(function, content, phone.locale, tuple(phone.apps.values()))
    if NOW not in built.reads:
        found = built.pages.get(_read_content(phone, built.reads))
        if found is not None:
            return found
    view = phone.view(package, entry)
    page = function(view)
    if not view.reads <= {*built.reads}:
        built.reads = tuple(sorted(view.reads.union(built.reads)))
        # the others were kept by fewer reads
        built.pages = {}
    if NOW in view.reads:
        phone.time_read = True
    if NOW not in built.reads:
        if len(built.pages) >= MOST_VARIANTS:
            built.pages = {}
        built.pages[_read_content(phone, built.reads)] = page
    return page


def _read_content(phone: Machine, reads: tuple[str, ...]) -> _Read:
    """The content of what a page read besides its own app's state."""
    found: list[object] = []
    for name in reads:
        if name == SEED:
            found.append(phone.seed)
        elif name == MINUTE:
            found.append((phone.data["now"] // MINUTE_MS, phone.zone))
        else:
            found.append(marshal.dumps(phone.plain_state(name), _JSON))
    return tuple(found)
