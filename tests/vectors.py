"""Vectors of tests: tables of inputs with what is expected of each, as JSON next to the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_vectors(test_file: str, name: str = "") -> dict[str, Any]:
    """Return the tables of vectors/<name>.json by name; by default those of test_<name>.py."""
    path = Path(test_file)
    name = name or path.stem.removeprefix("test_")
    tables: dict[str, Any] = json.loads((path.parent / "vectors" / f"{name}.json").read_text("utf-8"))
    return tables
