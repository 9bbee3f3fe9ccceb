"""Names of agents, device kinds and splits are declared in one module each: no other module lists them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingertip_agents.registry import AGENTS, EXECUTION_AGENTS, EXECUTION_ALIASES, FORMATS
from fingertip_dataset.split_names import SPLITS, TESTS
from fingertip_runs.device_kinds import DEVICE_KINDS

ROOT = Path(__file__).parents[1]
PACKAGES = sorted(
    path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name not in ("tests", "benchmarks")
)
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]

DECLARED = {
    "agents": frozenset({*AGENTS, *EXECUTION_AGENTS, *EXECUTION_ALIASES, *FORMATS}),
    "device kinds": frozenset({*DEVICE_KINDS, *(kind.spec for kind in DEVICE_KINDS.values())}),
    "splits": frozenset({*SPLITS, *(split.replace("_", "-") for split in SPLITS)}),
}
"""Kind of name -> all its names."""

EXEMPT = {
    "agents": {"fingertip_agents/registry.py"},
    "device kinds": {
        "fingertip_runs/device_kinds.py",
        # Android's system properties, some of whose values are the same words
        "simulated_phone/adb/commands/properties.py",
    },
    "splits": {"fingertip_dataset/split_names.py"},
}
"""Kind of name -> modules that declare the names, or use the same words for something else."""


def listed(tree: ast.AST) -> Iterator[tuple[int, frozenset[str]]]:
    """Line and strings of every collection, `Literal[...]` and comparison that contains strings."""
    for node in ast.walk(tree):
        match node:
            case ast.Tuple() | ast.List() | ast.Set():
                parts = node.elts
            case ast.Dict():
                parts = [key for key in node.keys if key is not None]
                yield node.lineno, texts(node.values)
            case ast.BoolOp():
                parts = [
                    one
                    for value in node.values
                    if isinstance(value, ast.Compare)
                    for one in value.comparators
                ]
            case _:
                continue
        yield node.lineno, texts(parts)


def texts(nodes: list[ast.expr]) -> frozenset[str]:
    return frozenset(
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_other_module_lists_agents_device_kinds_or_splits(path: Path) -> None:
    place = path.relative_to(ROOT).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for what, names in DECLARED.items():
        if place in EXEMPT[what]:
            continue
        found = [(line, sorted(some & names)) for line, some in listed(tree) if len(some & names) >= 2]
        assert not found, f"{what} in a list"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_other_module_spells_a_test_split(path: Path) -> None:
    if path.relative_to(ROOT).as_posix() in EXEMPT["splits"]:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    spelled = [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in TESTS
    ]
    assert not spelled


def test_a_list_is_found_in_each_of_its_forms() -> None:
    for source in (
        'X = ("replay", "simulated")',
        'X = {"replay": 1, "simulated": 2}',
        'X = {1: "replay", 2: "simulated"}',
        'X = Literal["replay", "simulated"]',
        'kind == "replay" or kind == "simulated"',
        'kind in ["replay", "simulated"]',
    ):
        assert any(len(some & DECLARED["device kinds"]) == 2 for _, some in listed(ast.parse(source))), source
