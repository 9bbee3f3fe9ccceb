"""Names of splits and device kinds are spelled in one module each; all other code imports them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from fingertip_dataset.split_names import SPLITS
from fingertip_runs.device_kinds import DEVICE_KINDS

ROOT = Path(__file__).parents[1]
PACKAGES = [path.parent for path in sorted(ROOT.glob("*/py.typed"))]
NAMES = {
    "fingertip_dataset/split_names.py": {
        name for split in SPLITS for name in (split, split.replace("_", "-"))
    },
    # each environment declares its kind as a Literal; "adb" and "simulated" are words of other things, too
    "fingertip_runs/device_kinds.py": DEVICE_KINDS.keys() - {"adb", "simulated"},
}


def spelled(names: Collection[str]) -> Iterator[tuple[str, str]]:
    """File and name of each string that is one of the names, apart from declarations of a class."""
    for file in (file for package in PACKAGES for file in sorted(package.rglob("*.py"))):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        declared = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "kind"
            for part in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in list(names) and id(node) not in declared:
                yield str(file.relative_to(ROOT)), node.value


@pytest.mark.parametrize("home", NAMES)
def test_a_name_is_spelled_only_where_it_is_declared(home: str) -> None:
    assert {(file, name) for file, name in spelled(NAMES[home]) if file != home} == set()
