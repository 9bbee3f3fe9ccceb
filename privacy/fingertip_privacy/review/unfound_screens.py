"""Screens on which a scan found nothing: people look at some of them, so that what it misses is known."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import MOMENTS
from fingertip_dataset.release.read_release import read_release
from fingertip_privacy.finds import Find, FindKind, FindPlace, read_finds

UNFOUND = "screen-"
"""Start of the id of a screen without a find; decisions on it confirm or reject that something is private."""


def is_unfound(key: str) -> bool:
    """Whether an id is that of a screen without a find."""
    return key.startswith(UNFOUND)


def unfound_screens(
    report: Path, source: Path, kind: Literal["raw", "dataset"], count: int
) -> tuple[Find, ...]:
    """Screenshots of steps without a find of any place, as finds without a place on them.

    Args:
        report: The report's folder.
        source: What it was made from.
        kind: "raw" or "dataset".
        count: Maximum number; of more, those with the smallest sha256 of episode and step, the same on every
            machine.

    Raises:
        InputError: The finds are missing or broken.
        UsageError: The source is no release.
        DatasetError: The dataset is broken.
    """
    known = {(find.episode, find.step) for find in read_finds(report)}
    screens = _of_release(source) if kind == "raw" else _of_dataset(source)
    unfound = [screen for screen in screens if (screen.episode, screen.step) not in known]
    return tuple(sorted(unfound, key=lambda screen: screen.id)[:count])


def _of_release(source: Path) -> Iterator[Find]:
    release = read_release(source)
    for episode in release.episodes:
        for number, step in enumerate(episode.steps):
            if step.screenshot:
                yield _screen(episode.intent.user_id, episode.episode_id, number, step.screenshot)
    for moment in release.moments:
        if moment.screenshot:
            yield _screen(moment.at.user_id, moment.moment_id, 0, moment.screenshot, MOMENTS)


def _of_dataset(source: Path) -> Iterator[Find]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # the path of a picture alone: a dataset has gigabytes of pictures
    names = ["episode_id", "user_id", "screenshots.list.element.path"]
    for shard in BuiltDataset.open(source).manifest.screen_shards:
        config = MOMENTS if shard.config == MOMENTS else ""
        try:
            with pq.ParquetFile(source / shard.file) as parquet:
                rows = parquet.read(names, use_threads=False).to_pylist()
        except (pa.ArrowException, OSError) as error:
            raise DatasetError(
                f"the Parquet shard cannot be read: {error}", file=source / shard.file
            ) from error
        for row in rows:
            for number, image in enumerate(row["screenshots"]):
                if image is not None:
                    yield _screen(row["user_id"], row["episode_id"], number, shard.file, config)


def _screen(user: str, episode: str, step: int, file: str, config: str = "") -> Find:
    # a moment and an episode may have one id
    within = f"\0{config}" if config else ""
    digest = hashlib.sha256(f"{episode}\0{step}{within}".encode()).hexdigest()[:16]
    return Find(
        id=f"{UNFOUND}{digest}",
        kind=FindKind.NAME,  # not shown: nothing was found
        user=user,
        episode=episode,
        step=step,
        place=FindPlace.SCREENSHOT,
        file=file,
        field="",
        start=None,
        end=None,
        box=None,
        text="",
        confidence=0.0,
        why="",
    )
