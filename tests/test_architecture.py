"""The rules of docs/architecture.md: import direction, sizes of files and functions, light imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BELOW = {
    "simulated_phone": set(),
    "fingertip_dataset": set(),
    "fingertip_models": {"fingertip_dataset"},
    "fingertip_metrics": {"fingertip_dataset", "fingertip_models", "simulated_phone"},
}
BELOW["fingertip_agents"] = BELOW["fingertip_metrics"] | {"fingertip_metrics"}
BELOW["fingertip_runs"] = BELOW["fingertip_agents"] | {"fingertip_agents"}
BELOW["suggestion_runner"] = BELOW["fingertip_runs"] | {"fingertip_runs"}
BELOW["execution_runner"] = BELOW["suggestion_runner"]
BELOW["fingertip_recorder"] = BELOW["suggestion_runner"] | {"suggestion_runner", "execution_runner"}
BELOW["fingertip_training"] = BELOW["fingertip_recorder"] | {"fingertip_recorder"}
BELOW["fingertip_analysis"] = BELOW["fingertip_training"] | {"fingertip_training"}
BELOW["fingertip_environments"] = BELOW["fingertip_training"]
BELOW["fingertip_privacy"] = BELOW["fingertip_training"]
BELOW["fingertip_20k"] = BELOW["fingertip_recorder"]
BELOW["fingertip_leaderboard"] = BELOW["fingertip_analysis"]
BELOW["fingertip_cli"] = BELOW["fingertip_leaderboard"] | {
    "fingertip_analysis",
    "fingertip_environments",
    "fingertip_leaderboard",
    "fingertip_privacy",
    "fingertip_recorder",
    "fingertip_training",
}
PACKAGES = [package for package in BELOW if (ROOT / package).is_dir()]
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
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


def test_imports_run_one_way() -> None:
    wrong = {}
    for path in SOURCES:
        package = path.relative_to(ROOT).parts[0]
        ours = {name.split(".")[0] for name in imported(path)} & set(BELOW)
        wrong[str(path)] = ours - BELOW[package] - {package}
    assert {path: packages for path, packages in wrong.items() if packages} == {}


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
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
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if "wait_for_function" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "wait_for_function"
    ]
    assert calls == []


def test_execution_runner_is_thin() -> None:
    lines = {
        path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCES
        if path.relative_to(ROOT).parts[0] == "execution_runner"
    }
    # what real phones need grows with the troubles that they are known to have
    devices = sum(count for path, count in lines.items() if path.parts[1] == "devices")
    assert devices < 2500
    # what it records and scores grows, too: last by suggested goals and by answers that were seen
    assert sum(lines.values()) - devices < 4760
