"""Every package that a module imports is declared in pyproject.toml, of the project or of the phone."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement

from tests.test_architecture import PACKAGES, ROOT, SOURCES

OTHERS = {"docs", "tests", "benchmarks"}
"""Packages of the repository that are in no wheel."""
BROUGHT = {
    "scipy": "scikit-learn",
    "starlette": "gradio",
    "fastapi": "openenv",
    "_typeshed": "the type checker's own",
}
"""Package that is part of another one's interface -> the declared one that brings it."""

IMPORT = re.compile(r"^ *(?:from (\w+)[\w.]* import |import (\w+))", re.MULTILINE)


def list_declared() -> set[str]:
    """Names of all distributions that an install or an extra brings."""
    found = set()
    for file in (ROOT / "pyproject.toml", ROOT / "phone" / "pyproject.toml"):
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        extras = project.get("optional-dependencies", {}).values()
        for line in (*project["dependencies"], *(line for extra in extras for line in extra)):
            found.add(Requirement(line).name.lower().replace("_", "-"))
    return found


def list_imported(path: Path) -> set[str]:
    return {name for pair in IMPORT.findall(path.read_text("utf-8")) for name in pair if name}


def test_every_imported_package_is_declared() -> None:
    declared, brought_by = list_declared(), packages_distributions()
    own = {*PACKAGES, *OTHERS, *BROUGHT, *sys.stdlib_module_names}
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES
        # studies name what they compare with, which nobody else installs
        if not path.is_relative_to(ROOT / "studies")
        for name in list_imported(path) - own
        if not {one.lower().replace("_", "-") for one in brought_by.get(name, [name])} & declared
    }
    assert missing == set()
