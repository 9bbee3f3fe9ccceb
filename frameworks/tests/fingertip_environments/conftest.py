"""Tasks that two people live now, and datasets."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_environments import PhoneTask, live_tasks
from tests import shared_datasets
from tests.phone_bench import adb_port

__all__ = ["adb_port"]

SIZE = (360, 800)


@pytest.fixture(scope="session")
def tasks() -> tuple[PhoneTask, ...]:
    return live_tasks(people=2, episodes=3, size=SIZE)


@pytest.fixture(scope="session")
def simulated_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return (
        shared_datasets.simulated_people(tmp_path_factory, users=3, episodes=6, seed=5, size=SIZE) / "dataset"
    )


@pytest.fixture(scope="session")
def built_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_datasets.built_sample(tmp_path_factory)
