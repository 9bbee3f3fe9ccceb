"""The small datasets of track 1, a run of the small one, and the embedder that needs no download."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from fingertip_metrics.embedders import Embedder, get_embedder
from suggestion_runner import run_suggestions
from tests.suggestion_datasets import real_dataset, sample_dataset, small_dataset

__all__ = ["real_dataset", "sample_dataset", "small_dataset"]


@pytest.fixture(scope="session")
def lexical() -> Embedder:
    return get_embedder("lexical")


@pytest.fixture
def run(small_dataset: Path, tmp_path: Path) -> Path:
    """A run of `habit` on the four tasks of the small dataset."""
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "run")
    return tmp_path / "run"
