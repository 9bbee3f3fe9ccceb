"""Runs every example in a docstring."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from fingertip_metrics.install import MODULES

ROOT = Path(__file__).parents[1]
PACKAGES = [path.parent for path in sorted(ROOT.glob("*/py.typed"))]
# the scripts of the evaluate modules and their pages run in test_modules.py and test_spaces.py
SOURCES = [
    path
    for package in PACKAGES
    for path in sorted(package.rglob("*.py"))
    if path.parent.name not in MODULES
    and re.search(r"^\s*>>> ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_run(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    answer = doctest.testmod(importlib.import_module(name), verbose=False)
    assert answer.attempted > 0
    assert answer.failed == 0
