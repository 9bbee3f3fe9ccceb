"""The apps of a simulated phone, found by listing this folder: a folder (or one file) per app.

An app's module defines one `App`. docs/developers/add-an-app.md shows how to add one. The folder is executed
once for each language (`simulated_phone.language.language`): `list_apps("en")` gives the English apps.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from functools import lru_cache
from types import ModuleType

from simulated_phone.goals.app_definition import App
from simulated_phone.language.language import CHINESE, import_module_in

from .launcher import LAUNCHER


def find_apps(folder: ModuleType) -> tuple[App, ...]:
    """The `App` that each module of a package defines, in order of installation (position, then package).

    Args:
        folder: The imported package; each of its modules is a folder or a single file.
    """
    names = [found.name for found in pkgutil.iter_modules(folder.__path__)]
    modules = [importlib.import_module(f"{folder.__name__}.{name}") for name in names]
    apps = [value for module in modules for value in vars(module).values() if isinstance(value, App)]
    return tuple(sorted(apps, key=lambda app: (app.position, app.package)))


APPS: tuple[App, ...] = find_apps(sys.modules[__name__])
"""Every app that a phone of this module's language has from the start, the launcher first."""


@lru_cache(maxsize=8)
def list_apps(locale: str) -> tuple[App, ...]:
    """Every app that a phone of that language has from the start, the launcher first.

    An app whose goals or names the catalogue lacks is not there yet, except for the launcher.

    Raises:
        PhoneSetupError: there is no such language.
    """
    apps: tuple[App, ...] = import_module_in(locale, "simulated_phone", "apps").APPS
    return tuple(
        app
        for app in apps
        if locale == CHINESE or app.package == LAUNCHER.package or not _list_words(app) & _CHINESE_WORDS
    )


def _list_words(app: App) -> set[str]:
    """Names of an app and the wordings of its goals, as far as there are letters in them."""
    words = {app.label, *(shortcut.text for shortcut in app.shortcuts)}
    words |= {template for goal in app.goals for template in goal.words}
    return {text for text in words if not text.isascii()}


_CHINESE_WORDS = {text for app in APPS for text in _list_words(app)}


__all__ = ["APPS", "LAUNCHER", "find_apps", "list_apps"]
