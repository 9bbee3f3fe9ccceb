"""The dataset of simulated people that the exports are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared_datasets import simulated_people


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"
