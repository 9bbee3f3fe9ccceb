"""Names of agents, device kinds and splits are declared in one module each.

No other module lists them; names of splits and device kinds are imported wherever they are used.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from fingertip_agents.registry import AGENTS, EXECUTION_AGENTS, EXECUTION_ALIASES, FORMATS
from fingertip_dataset.split_names import SPLITS
from fingertip_runs.device_kinds import DEVICE_KINDS
from simulated_phone.dialogue.dialogue_kinds import AnsweredBy
from tests.test_architecture import ROOT, folder, syntax_tree
from tests.test_architecture import SOURCES as ALL_SOURCES

STUDIES = folder("fingertip_studies")
SOURCES = [path for path in ALL_SOURCES if not path.is_relative_to(STUDIES)]
"""Every package but the studies, which name what they measure."""

DECLARED = {
    # but a model and a human may also be who answers an agent's questions
    "agents": frozenset({*AGENTS, *EXECUTION_AGENTS, *EXECUTION_ALIASES, *FORMATS} - {*get_args(AnsweredBy)}),
    "device kinds": frozenset({*DEVICE_KINDS, *(kind.spec for kind in DEVICE_KINDS.values())}),
    "splits": frozenset({*SPLITS, *(split.replace("_", "-") for split in SPLITS)}),
}
"""Kind of name -> all its names."""

EXEMPT = {
    "agents": {
        "fingertip_agents/own_agents.py",
    },
    "device kinds": {
        "fingertip_runs/device_kinds.py",
        # Android's system properties, some of whose values are the same words
        "phone/simulated_phone/adb/commands/properties.py",
    },
    "splits": {"fingertip_dataset/split_names.py"},
}
"""Kind of name -> modules that declare the names, or use the same words for something else."""

SPELLED_IN = {
    "fingertip_dataset/split_names.py": DECLARED["splits"],
    # "adb" and "simulated" are words of other things, too
    "fingertip_runs/device_kinds.py": DEVICE_KINDS.keys() - {"adb", "simulated"},
}
"""Module -> the names that no other module spells."""

_STRING = re.compile(r"""["']([\w-]+)["']""")


@cache
def strings(path: Path) -> frozenset[str]:
    """Words in quotes in a file: all names that it may spell."""
    return frozenset(_STRING.findall(path.read_text(encoding="utf-8")))


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


@pytest.mark.parametrize("what", DECLARED)
def test_no_other_module_lists_the_names(what: str) -> None:
    names = DECLARED[what]
    places = {path: path.relative_to(ROOT).as_posix() for path in SOURCES if len(strings(path) & names) >= 2}
    assert EXEMPT[what] <= {*places.values()}
    found = {
        f"{place}:{line}": sorted(some & names)
        for path, place in places.items()
        if place not in EXEMPT[what]
        for line, some in listed(syntax_tree(path))
        if len(some & names) >= 2
    }
    assert found == {}


@pytest.mark.parametrize("home", SPELLED_IN)
def test_a_name_is_spelled_only_where_it_is_declared(home: str) -> None:
    """Each environment declares its device kind as a `Literal`; the phone knows no splits, but trains."""
    names = SPELLED_IN[home]
    phone = ROOT / "phone" / "simulated_phone"
    spelled = {
        f"{path.relative_to(ROOT)}:{node.lineno}": node.value
        for path in SOURCES
        if strings(path) & names and path != ROOT / home and not path.is_relative_to(phone)
        for node in constants(syntax_tree(path), skip_kinds=names <= DEVICE_KINDS.keys())
        if node.value in [*names]
    }
    assert spelled == {}


def constants(tree: ast.AST, *, skip_kinds: bool) -> list[ast.Constant]:
    """All constants, except for names of extras, and those in declarations of `kind` if `skip_kinds`."""
    declared = {
        id(part)
        for node in ast.walk(tree)
        if (skip_kinds and isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "kind")
        # the extra `train` is no split
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "MissingExtraError")
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "EXTRAS")
        for part in ast.walk(node)
    }
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in declared]


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
