"""Honest runs shared by all tests of bundles."""

from __future__ import annotations

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Honest runs and their bundles, each made on first use."""
    return Workshop(tmp_path_factory)
