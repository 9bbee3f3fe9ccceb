"""Honest bundles are accepted: both tracks, folders and .zip files, with all kinds of records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import SEEDS, Workshop
from fingertip_leaderboard import verify_bundle

LATER = datetime.now(UTC) + timedelta(hours=1)
ZIPPED = ("habit", "model", "phone", "replayed screens", "person")

pytestmark = pytest.mark.install


@pytest.mark.parametrize("seed", SEEDS)
def test_a_folder_is_accepted(workshop: Workshop, seed: str, tmp_path: Path) -> None:
    place = workshop.parts(seed).write(tmp_path / "bundle")
    report = verify_bundle(place, workshop.dataset_of(seed), now=LATER)
    assert [str(problem) for problem in report.problems] == []
    assert report.accepted


@pytest.mark.parametrize("seed", ZIPPED)
def test_a_zip_is_accepted(workshop: Workshop, seed: str, tmp_path: Path) -> None:
    place = tmp_path / "bundle.zip"
    with ZipFile(place, "w", ZIP_DEFLATED) as archive:
        for name, content in workshop.parts(seed).files().items():
            archive.writestr(name, content)
    report = verify_bundle(place, workshop.dataset_of(seed), now=LATER)
    assert [str(problem) for problem in report.problems] == []
    assert report.accepted
