"""Runs every example in a docstring."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from fingertip_metrics.install import MODULES
from tests.test_architecture import ROOT, module_name
from tests.test_architecture import SOURCES as ALL_SOURCES

# the scripts of the evaluate modules and their pages run in test_modules.py and test_spaces.py
SOURCES = [
    path
    for path in ALL_SOURCES
    if path.parent.name not in MODULES
    and re.search(r"^\s*>>> ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_run(path: Path) -> None:
    name = module_name(path)
    answer = doctest.testmod(importlib.import_module(name), verbose=False)
    assert answer.attempted > 0
    assert answer.failed == 0
