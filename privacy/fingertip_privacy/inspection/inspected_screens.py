"""The screenshots that an inspector looks at: the first and last one of each episode, that of each moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, TypeVar

from fingertip_dataset.errors import DatasetError, ReleaseError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.moment_files import Moment
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.screens.content import MAX_IMAGE_BYTES

Taken = TypeVar("Taken", str, bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedScreen:
    """A screenshot.

    Attributes:
        step: Index of its step.
        file: Its file as in `Find.file`: in a built dataset the shard.
        content: The stored file; b"" if it cannot be read.
    """

    step: int
    file: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedEpisode:
    """An episode, or a moment, and its screenshots to look at.

    Attributes:
        user: Id of the user.
        episode: Id of the episode or moment.
        screens: The first and the last screenshot, one if the episode has only one; empty without any.
    """

    user: str
    episode: str
    screens: tuple[InspectedScreen, ...]


def read_inspected_episodes(
    source: Path, kind: Literal["raw", "dataset"], tables: Path | None = None
) -> tuple[int, Iterator[InspectedEpisode]]:
    """Number of episodes and moments of a release or a dataset, and these, each read when it is taken.

    Args:
        source: The raw release, without the episodes that `build` rejects, or the built dataset.
        kind: Which of them it is.
        tables: Folder of a release's tables; None looks for them in the release.

    Raises:
        UsageError: The source is no release.
        DatasetError: The dataset is missing or broken.
    """
    if kind == "raw":
        release = read_release(source, tables)
        raw = RawFolder.open(source)
        episodes = (
            InspectedEpisode(
                user=episode.intent.user_id,
                episode=episode.episode_id,
                screens=tuple(
                    InspectedScreen(step=step, file=file, content=_content(raw.path(file)))
                    for step, file in _ends([step.screenshot for step in episode.steps])
                ),
            )
            for episode in release.episodes
        )
        number = release.kept + len(release.moments)
        return number, chain(episodes, _of_moments(raw, release.moments))
    built = BuiltDataset.open(source)
    shards = built.manifest.screen_shards
    return sum(shard.rows for shard in shards), (
        episode for shard in shards for episode in _of_shard(source, shard.file)
    )


def _of_moments(raw: RawFolder, moments: Iterable[Moment]) -> Iterator[InspectedEpisode]:
    for moment in moments:
        file = moment.screenshot
        screens = (InspectedScreen(step=0, file=file, content=_content(raw.path(file))),) if file else ()
        yield InspectedEpisode(user=moment.at.user_id, episode=moment.moment_id, screens=screens)


def _of_shard(source: Path, shard: str) -> Iterator[InspectedEpisode]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ["episode_id", "user_id", "screenshots"]
    try:
        with pq.ParquetFile(source / shard) as parquet:
            # a row at a time: an episode's screens take several megabytes
            for batch in parquet.iter_batches(1, columns=names, use_threads=False):
                for row in batch.to_pylist():
                    pictures = [image["bytes"] if image is not None else None for image in row["screenshots"]]
                    yield InspectedEpisode(
                        user=row["user_id"],
                        episode=row["episode_id"],
                        screens=tuple(
                            InspectedScreen(step=step, file=shard, content=content)
                            for step, content in _ends(pictures)
                        ),
                    )
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the Parquet shard cannot be read: {error}", file=source / shard) from error


def _ends(screens: Sequence[Taken | None]) -> tuple[tuple[int, Taken], ...]:
    """Step and screenshot of the first and the last step with one."""
    taken = [(step, screen) for step, screen in enumerate(screens) if screen]
    return (taken[0], taken[-1])[: len(taken)] if taken else ()


def _content(path: str) -> bytes:
    try:
        return read_file(path, MAX_IMAGE_BYTES)
    except ReleaseError:
        return b""
