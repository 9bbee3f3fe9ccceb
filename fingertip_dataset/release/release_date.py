"""Day on which a release was made, for descriptions of the dataset that is built from it."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.origins import AUTHORS
from fingertip_dataset.release.surveys import SURVEY_FILE

if TYPE_CHECKING:
    from fingertip_dataset.release.read_release import Release

VARIABLE = "SOURCE_DATE_EPOCH"
"""Environment variable with the seconds since 1970 to state, https://reproducible-builds.org/specs/"""

PAPER_DATE = date(2025, 6, 9)
"""Day of the first version of the paper (arXiv:2507.21071v1); the authors' release states none of its own."""


def find_release_date(release: Release) -> date | None:
    """Return the day of a release in UTC, not that of the build: the same release gives the same day.

    It is the day of the newest survey, unless `SOURCE_DATE_EPOCH` states another one; of the authors' release
    it is the day of the paper, because a download has the day of the download.

    Returns:
        The day; None if no survey can be read any more.

    Raises:
        UsageError: `SOURCE_DATE_EPOCH` is no number of seconds.
    """
    if stated := os.environ.get(VARIABLE, ""):
        try:
            return datetime.fromtimestamp(int(stated), UTC).date()
        except (ValueError, OverflowError, OSError):
            raise UsageError(f"{VARIABLE}: expected seconds since 1970, got {stated!r}") from None
    if release.origins.origins == (AUTHORS,):
        return PAPER_DATE
    times = []
    for episode in release.episodes:
        try:
            times.append((release.root / episode.folder / SURVEY_FILE).stat().st_mtime)
        except OSError:
            continue
    return datetime.fromtimestamp(max(times), UTC).date() if times else None
