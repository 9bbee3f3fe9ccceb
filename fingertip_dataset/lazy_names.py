"""Names of a package's root that are imported from their own modules on first use (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(
    package: str,
    modules: Mapping[str, str],
    aliases: Mapping[str, str] | None = None,
    moved: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package root.

    Importing the root then loads none of the package's modules. A name must differ from the package's direct
    submodules: the import system binds a submodule to its package under the submodule's name.

    Args:
        package: Import name of the package.
        modules: Public name -> module that defines it, relative to the package.
        aliases: Name of an earlier version -> current name.
        moved: Name -> other package whose root has it; imported on first use, and not listed.

    Returns:
        `__getattr__`, which raises AttributeError for other names, and `__dir__`.
    """
    elsewhere = dict(moved or {})
    places = {name: f"{package}.{module}" for name, module in modules.items()} | elsewhere
    current = {name: name for name in places} | dict(aliases or {})

    def get(name: str) -> object:
        if name not in current:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        public = current[name]
        value: object = getattr(import_module(places[public]), public)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return get, names
