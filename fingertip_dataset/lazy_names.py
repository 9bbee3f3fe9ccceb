"""Names of a package's root that are imported from their own modules on first use (PEP 562)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec


def lazy_names(
    package: str,
    *,
    aliases: Mapping[str, str] | None = None,
    moved: Mapping[str, str] | None = None,
    extras: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make the functions `__getattr__` and `__dir__` of a package root.

    The root states where each name lives once, in the imports for type checkers; they are read from its file
    on first use of a name. Importing the root loads none of these modules. A name must differ from the
    package's direct submodules: the import system binds a submodule to its package under its own name.

    Args:
        package: Import name of the package.
        aliases: Name of an earlier version -> current name.
        moved: Name -> other package whose root has it; imported on first use.
        extras: Package that a name may need -> the extra that installs it; MissingExtraError names the extra.

    Returns:
        `__getattr__`, which raises AttributeError for other names, and `__dir__`.
    """
    current, elsewhere = dict(aliases or {}), dict(moved or {})

    @cache
    def find_places() -> dict[str, tuple[str, str]]:
        # by the loader, which also reads from a zip file
        spec = find_spec(package)
        source = spec.loader.get_source(package) if spec and isinstance(spec.loader, InspectLoader) else None
        there = {name: (place, name) for name, place in elsewhere.items()}
        return read_type_imports(source or "") | there

    def get(name: str) -> object:
        # asked for by the import system of every package; no name begins with an underscore
        place = None if name.startswith("_") else find_places().get(current.get(name, name))
        if place is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, there = place
        try:
            value: object = getattr(import_module(module), there)
        except ModuleNotFoundError as error:
            from fingertip_dataset.errors import MissingExtraError

            extra = (extras or {}).get(error.name or "")
            if extra is None:
                raise
            raise MissingExtraError(str(error.name), extra) from error
        setattr(sys.modules[package], name, value)
        return value

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *find_places()})

    return get, list_names


def read_type_imports(source: str) -> dict[str, tuple[str, str]]:
    """Read what a module's source imports for type checkers: name -> module and name there."""
    tree = ast.parse(source)
    ifs = [node for node in tree.body if isinstance(node, ast.If)]
    blocks = [node for node in ifs if ast.unparse(node.test) == "TYPE_CHECKING"]
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for block in blocks
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
