"""Datasets of planned lives, in Chinese and in English."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suggestion_datasets import lived_dataset


@pytest.fixture(scope="session")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lived_dataset(tmp_path_factory)


@pytest.fixture(scope="session")
def english_lives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lived_dataset(tmp_path_factory, locale="en")
