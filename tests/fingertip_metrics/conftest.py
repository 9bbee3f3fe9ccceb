"""What several tests of the metrics need: golden files, slow oracles, a tiny sentence transformer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="session")
def golden() -> Callable[[str], dict[str, Any]]:
    """Reads one golden file by its name."""

    def read(name: str) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
        return content

    return read


def slow_distance(a: Sequence[object], b: Sequence[object], substitution: int) -> int:
    """Edit distance by the textbook's table; a substitution of 2 makes it the Indel distance."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, start=1):
        above, row = row, [i]
        for j, right in enumerate(b, start=1):
            change = above[j - 1] + (0 if left == right else substitution)
            row.append(min(above[j] + 1, row[j - 1] + 1, change))
    return row[-1]


@pytest.fixture(scope="session")
def slow_levenshtein() -> Callable[[Sequence[object], Sequence[object]], float]:
    """1 - distance / length of the longer one."""
    return lambda a, b: 1 - slow_distance(a, b, 1) / max(len(a), len(b), 1)


@pytest.fixture(scope="session")
def slow_indel() -> Callable[[str, str], float]:
    """1 - Indel distance / both lengths."""
    return lambda a, b: 1 - slow_distance(a, b, 2) / max(len(a) + len(b), 1)
