"""The rules of docs/developers/architecture.md: import direction, sizes of files and functions."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WINGS = {
    "phone": ["android_shell", "simulated_phone"],
    "board": ["fingertip_leaderboard"],
    "privacy": ["fingertip_privacy"],
    "frameworks": ["fingertip_training", "fingertip_environments"],
    "studies": ["fingertip_studies"],
}
"""Wing -> its packages, each a folder of the wing."""

LEVELS = [
    ["android_shell", "fingertip_dataset", "fingertip_pages"],
    ["simulated_phone"],
    ["fingertip_models"],
    ["fingertip_metrics"],
    ["fingertip_agents", "fingertip_runs"],
    ["suggestion_runner", "execution_runner"],
    ["fingertip_recorder", "fingertip_analysis"],
    ["fingertip_20k"],
    ["fingertip_cli"],
    ["fingertip_leaderboard", "fingertip_privacy", "fingertip_training", "fingertip_environments"],
    ["fingertip_studies"],
]
"""Each package imports packages of the levels above its own in this list, and none of its own level."""

BELOW = {
    package: {lower for level in LEVELS[:height] for lower in level}
    for height, packages in enumerate(LEVELS)
    for package in packages
}
BELOW["simulated_phone"] = {"android_shell"}
for wing in WINGS["board"] + WINGS["privacy"] + WINGS["frameworks"]:
    BELOW[wing] -= {"fingertip_20k", "fingertip_cli"}
COMMANDS_OF_WINGS = {
    f"{wing}/{package}/commands" for wing, packages in WINGS.items() for package in packages
} - {"phone/simulated_phone/commands", "phone/android_shell/commands"}
"""Folders that import the options of fingertip_cli."""

PLACES = {package: wing for wing, packages in WINGS.items() for package in packages}


def folder(package: str) -> Path:
    """Return the folder of a package: in the root, or in its wing."""
    return ROOT / PLACES.get(package, "") / package


PACKAGES = list(BELOW)
SOURCES = [path for package in PACKAGES for path in sorted(folder(package).rglob("*.py"))]
HEAVY = {
    "datasets",
    "evaluate",
    "matplotlib",
    "pandas",
    "ray",
    "sentence_transformers",
    "sklearn",
    "torch",
    "transformers",
}


@cache
def syntax_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def statements(path: Path) -> list[ast.stmt]:
    """All imports and functions of a file, however deep; expressions have none and are not searched."""
    found: list[ast.stmt] = []
    nodes: list[ast.AST] = [syntax_tree(path)]
    while nodes:
        for child in ast.iter_child_nodes(nodes.pop()):
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                nodes.append(child)
            if isinstance(child, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef):
                found.append(child)
    return found


def imported(path: Path) -> list[str]:
    names = [alias.name for node in statements(path) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in statements(path) if isinstance(node, ast.ImportFrom)]
    return names


TESTS = [path for folder in (ROOT / "tests", *ROOT.glob("*/tests")) for path in sorted(folder.rglob("*.py"))]
"""Every test file, of the main house and of the wings."""


def package_of(path: Path) -> str:
    """Return the package that a source file belongs to."""
    return next(part for part in path.relative_to(ROOT).parts if part in BELOW)


def test_imports_run_one_way() -> None:
    wrong = {}
    for path in SOURCES:
        package = package_of(path)
        ours = {name.split(".")[0] for name in imported(path)} & set(BELOW)
        allowed = BELOW[package] | {package}
        if any(path.is_relative_to(ROOT / commands) for commands in COMMANDS_OF_WINGS):
            allowed |= {"fingertip_cli"}
        wrong[str(path)] = ours - allowed
    assert {path: packages for path, packages in wrong.items() if packages} == {}


def test_every_package_has_a_place() -> None:
    found = {path.parent.name for path in [*ROOT.glob("*/py.typed"), *ROOT.glob("*/*/py.typed")]}
    assert found == set(BELOW)


def module_name(path: Path) -> str:
    package = package_of(path)
    name = ".".join((package, *path.relative_to(folder(package)).with_suffix("").parts))
    return name.removesuffix(".__init__")


def imported_modules(path: Path, modules: set[str]) -> set[str]:
    """Modules of this project that a file imports; `from package import module` counts for the module only.

    Importing a module also runs its package's `__init__`. That is not counted: a root that exports what its
    modules define would be a cycle.
    """
    found = {alias.name for node in statements(path) if isinstance(node, ast.Import) for alias in node.names}
    for node in statements(path):
        if isinstance(node, ast.ImportFrom):
            within = f"{node.module}."
            found |= {
                within + alias.name if within + alias.name in modules else within[:-1] for alias in node.names
            }
    return found & modules


def test_no_import_cycles() -> None:
    """Imports for type checking and inside functions count, too."""
    modules = {module_name(path): path for path in SOURCES}
    graph = {name: imported_modules(path, set(modules)) for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("import cycle: " + " <- ".join(error.args[1]))


def test_files_stay_small() -> None:
    lines = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {path: count for path, count in lines.items() if count > 500} == {}


def test_functions_stay_small() -> None:
    functions = [
        (path, node)
        for path in SOURCES
        for node in statements(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    lines = {
        f"{path}: {node.name}": (node.end_lineno or node.lineno) - node.body[0].lineno
        for path, node in functions
    }
    assert {name: count for name, count in lines.items() if count >= 60} == {}


def test_import_of_the_command_line_is_light() -> None:
    """That the package roots load no other package is in `test_roots.py`."""
    code = "import sys, fingertip_cli.main; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not HEAVY & set(loaded)


def test_no_workplace_names_and_no_registry_hosts() -> None:
    hosts = ["pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "download.pytorch" + ".org"]
    words = [*hosts, "/work" + "/"]
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, tracked.split("\0")):
        path = ROOT / name
        if path.suffix in {".jpg", ".png"} or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        assert not [word for word in words if word in text], name


def test_no_test_of_a_page_polls_with_eval() -> None:
    """Playwright's own wait polls with eval: under our pages' policy it fails if a page is slow."""
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in TESTS
        if "wait_for_function" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "wait_for_function"
    ]
    assert calls == []


def test_execution_runner_is_thin() -> None:
    lines = {
        path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCES
        if package_of(path) == "execution_runner"
    }
    # what real phones need grows with the troubles that they are known to have
    devices = sum(count for path, count in lines.items() if path.parts[1] == "devices")
    assert devices < 2500
    # what reads finished runs, and carries nothing out
    scoring = sum(count for path, count in lines.items() if path.parts[1] == "scoring")
    assert scoring < 1800
    # with the gate, the attached agents, the start of an attempt and the view of a task that an agent gets,
    # which are needed wherever an attempt is
    assert sum(lines.values()) - devices - scoring < 6200
