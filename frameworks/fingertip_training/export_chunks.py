"""Chunks of an export: a few episodes each, written by any number of processes, resumable one by one.

Which episodes are in a chunk depends on the dataset and the order alone, so the joined files do not depend on
the number of processes, or on where an earlier call ended.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN, TRAIN_MOMENTS, VALI, VALI_MOMENTS
from fingertip_dataset.track import Track
from fingertip_training.dropped_steps import DroppedKind, DroppedSteps
from fingertip_training.episode_choice import find_hidden_episodes
from fingertip_training.execution_samples import execution_samples
from fingertip_training.export_order import ExportOrder
from fingertip_training.export_record import ExportedSplit
from fingertip_training.framework_rows import RowMaker, has_reserved_text, row_maker
from fingertip_training.moment_samples import moment_samples
from fingertip_training.pair_samples import PairRuns, pair_samples
from fingertip_training.picture_folder import PictureFolder
from fingertip_training.rows_file import RowsFile
from fingertip_training.suggestion_samples import suggestion_samples
from fingertip_training.training_sample import TrainingSample
from suggestion_runner.suggestion_tasks import ShownParts, TaskRows

CHUNK_EPISODES = 16
"""Episodes of a chunk: a few seconds of work, which is what an interruption loses."""

CHUNKS, EXPORT = "chunks", "export"
"""Folders of an unfinished export: its chunks, and what gets its name."""

_FILES = {TRAIN_MOMENTS: TRAIN, VALI_MOMENTS: VALI}
"""Split of moments -> name of its file, by which frameworks tell the parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkJob:
    """Job of a worker: the samples of some episodes for one track.

    Attributes:
        dataset: Folder of the dataset.
        order: What to export.
        plan: Sha256 of the plan of the export, which the dataset's content is a part of.
        split: Name of the split.
        track: Track of the samples.
        number: Number of the chunk among those of the split and track, from 0.
        episodes: Id -> user of its episodes, in the order of the dataset.
    """

    dataset: Path
    order: ExportOrder
    plan: str
    split: str
    track: Track
    number: int
    episodes: Mapping[str, str]

    @property
    def name(self) -> str:
        """Name of the chunk's files."""
        return f"{self.split}-{self.track}-{self.number:05}"


class Chunk(FrozenModel):
    """Content of a finished chunk, which stands beside its rows.

    Attributes:
        name: Name of the chunk's files.
        track: Track of the samples, "moments" for those of moments.
        sha256: Sha256 of the file of rows.
        samples: Number of rows.
        episodes: Ids of the episodes with at least one sample.
        users: Ids of the people with at least one sample.
        pictures: Number of pictures in all rows.
        files: Path of each picture file -> its bytes.
        longest_text: Characters of the prompt and answer of the longest row.
        longest_answer: Characters of the longest answer.
        kinds: Number of preference pairs, by kind.
        dropped: What was left out, by kind.
    """

    name: str
    track: Literal["suggestion", "execution", "moments"]
    sha256: str
    samples: int = Field(ge=0)
    episodes: tuple[str, ...]
    users: tuple[str, ...]
    pictures: int = Field(ge=0)
    files: dict[str, int]
    longest_text: int = Field(ge=0)
    longest_answer: int = Field(ge=0)
    kinds: dict[str, int]
    dropped: tuple[DroppedKind, ...]

    @classmethod
    def read(cls, staging: Path, name: str) -> Chunk | None:
        """Read a chunk; None if it is not finished, or a file of it is not as it was written."""
        try:
            chunk = cls.model_validate_json((staging / CHUNKS / f"{name}.json").read_bytes())
            with (staging / CHUNKS / f"{name}.jsonl").open("rb") as rows:
                found = hashlib.file_digest(rows, "sha256").hexdigest()
        except (OSError, ValidationError):
            return None
        pictures = PictureFolder(staging / EXPORT)
        whole = (chunk.name, chunk.sha256) == (name, found) and all(map(pictures.is_whole, chunk.files))
        return chunk if whole else None


def name_file(split: str) -> str:
    """Name of the file of a split's rows, without its ending."""
    return _FILES.get(split, split)


def list_jobs(
    dataset: Path, order: ExportOrder, plan: str, episodes: Mapping[str, Mapping[str, str]]
) -> Iterator[ChunkJob]:
    """The jobs of an export, in the order of its rows.

    Args:
        dataset: Folder of the dataset.
        order: What to export.
        plan: Sha256 of the plan of the export.
        episodes: Split -> id -> user of its episodes.
    """
    for split, chosen in episodes.items():
        # pairs stand in the order in which a month was lived, run after run
        size = len(chosen) if order.pairs is not None else CHUNK_EPISODES
        for track in order.tracks:
            ahead = iter(chosen.items())
            for number in range(-(-len(chosen) // size)):
                yield ChunkJob(
                    dataset=dataset,
                    order=order,
                    plan=plan,
                    split=split,
                    track=track,
                    number=number,
                    episodes=dict(islice(ahead, size)),
                )


def write_chunk(job: ChunkJob, staging: Path) -> tuple[str, Chunk]:
    """Write the rows, the pictures and the record of a chunk; returns its name and the record.

    Every file gets its name when it is complete, the record last. A chunk that is written again has the same
    bytes.

    Args:
        job: What to write.
        staging: Folder of the unfinished export.

    Raises:
        InputError: A screenshot has to be scaled and is no picture.
        DatasetError: The dataset is missing or broken.
        OSError: A file cannot be written.
    """
    folder = staging / CHUNKS
    unfinished = folder / f".{job.name}.{os.getpid()}"
    unfinished.unlink(missing_ok=True)
    with RowsFile(unfinished) as rows:
        chunk = open_maker(job.dataset, job.order, job.plan).write(job, rows, PictureFolder(staging / EXPORT))
    unfinished.replace(folder / f"{job.name}.jsonl")
    unfinished.write_text(chunk.model_dump_json(), encoding="utf-8")
    unfinished.replace(folder / f"{job.name}.json")
    return job.name, chunk


def describe_split(split: str, chunks: Sequence[Chunk]) -> ExportedSplit:
    """Count what is in the file of a split.

    Args:
        split: Name of the split.
        chunks: Its chunks, in the order of the rows.
    """
    samples: dict[str, int] = {}
    dropped = DroppedSteps()
    for chunk in chunks:
        if chunk.samples:
            samples[chunk.track] = samples.get(chunk.track, 0) + chunk.samples
        dropped.add_kinds(chunk.dropped)
    return ExportedSplit(
        file=f"{name_file(split)}.jsonl",
        split=split,
        episodes=len({one for chunk in chunks for one in chunk.episodes}),
        samples=samples,
        users=len({one for chunk in chunks for one in chunk.users}),
        pictures=sum(chunk.pictures for chunk in chunks),
        longest_text=max((chunk.longest_text for chunk in chunks), default=0),
        longest_answer=max((chunk.longest_answer for chunk in chunks), default=0),
        dropped=dropped.kinds(),
    )


def count_kinds(chunks: Iterable[Chunk]) -> Counter[str]:
    """Number of preference pairs of chunks, by kind."""
    kinds: Counter[str] = Counter()
    for chunk in chunks:
        kinds.update(chunk.kinds)
    return kinds


def open_pairs(built: BuiltDataset, order: ExportOrder) -> PairRuns | None:
    """The month runs of an order of preference pairs; None for any other order.

    Raises:
        UsageError: A run does not fit the dataset or the others.
        RunError: A run is missing or broken.
    """
    if order.pairs is None:
        return None
    return PairRuns.open(order.pairs, built, order.language, missed=order.missed)


def have_pictures(order: ExportOrder, runs: PairRuns | None) -> bool:
    """Whether rows have a column of pictures."""
    return order.with_pictures if runs is None else runs.with_pictures


def place_pictures(order: ExportOrder, *, with_pictures: bool) -> bool:
    """Whether the content of a message is a list of parts.

    TRL puts pictures without a place before the first text of the user.
    """
    placed = ("conversation", "pictures_last")
    return with_pictures and any(getattr(order.agent_format, name, False) for name in placed)


@lru_cache(maxsize=1)
def open_maker(dataset: Path, order: ExportOrder, plan: str) -> SampleMaker:
    """Open what makes the samples of a plan; a process keeps it for all chunks of this plan.

    Args:
        dataset: Folder of the dataset.
        order: What to export.
        plan: Sha256 of the plan: of another one the dataset may have other content.
    """
    return SampleMaker(BuiltDataset.open(dataset), order)


class SampleMaker:
    """Makes the samples of chunks; it reads once per process what all of them need.

    Attributes:
        runs: Month runs of preference pairs; None for any other order.
    """

    def __init__(self, built: BuiltDataset, order: ExportOrder) -> None:
        self._built = built
        self._order = order
        self.runs = open_pairs(built, order)
        with_pictures = have_pictures(order, self.runs)
        self._row: RowMaker = row_maker(
            order.format,
            with_pictures=with_pictures,
            as_parts=place_pictures(order, with_pictures=with_pictures),
        )
        self._hidden: dict[str, frozenset[str]] = {}
        self._tasks: dict[str, TaskRows] = {}

    def write(self, job: ChunkJob, rows: RowsFile, pictures: PictureFolder) -> Chunk:
        """Write the rows of a job; returns their counts."""
        order, dropped, longest, number = self._order, DroppedSteps(), [0, 0], 0
        episodes, users, kinds = dict[str, None](), dict[str, None](), Counter[str]()
        for sample in self._make_samples(job, dropped):
            if has_reserved_text(sample, order.format):
                what = f"text that {order.format} takes for a picture"
                dropped.add(what, sample.episode_id, step=sample.step)
                continue
            rows.append(self._row(sample, [pictures.add(picture) for picture in sample.pictures]))
            episodes[sample.episode_id] = users[sample.user_id] = None
            kinds.update([sample.kind] if sample.kind else [])
            number += len(sample.pictures)
            longest = [max(longest[0], sample.characters), max(longest[1], *map(len, sample.answers))]
        return Chunk(
            name=job.name,
            track="moments" if order.of_moments else job.track,
            sha256=rows.sha256,
            samples=rows.count,
            episodes=tuple(episodes),
            users=tuple(users),
            pictures=number,
            files=pictures.files,
            longest_text=longest[0],
            longest_answer=longest[1],
            kinds=dict(kinds),
            dropped=dropped.kinds(),
        )

    def _make_samples(self, job: ChunkJob, dropped: DroppedSteps) -> Iterator[TrainingSample]:
        order, split = self._order, job.split
        if self.runs is not None:
            return pair_samples(
                self.runs.list_pairs(self._built, job.episodes),
                language=order.language,
                max_pixels=order.max_pixels,
            )
        if job.track == "suggestion":
            make = moment_samples if order.of_moments else suggestion_samples
            return make(
                self._open_tasks(split),
                job.episodes,
                dropped,
                language=order.language,
                max_pixels=order.max_pixels,
                files=order.suggestion_files,
                excluded=self._find_hidden(split),
            )
        assert order.agent_format is not None  # noqa: S101 - an order of track 2 has one
        return execution_samples(
            self._built,
            split,
            job.episodes,
            dropped,
            format=order.agent_format,
            language=order.language,
            reference=order.reference,
            view=order.view,
            excluded=self._find_hidden(split),
        )

    def _open_tasks(self, split: str) -> TaskRows:
        if split not in self._tasks:
            self._tasks[split] = TaskRows(self._built, _show_parts(self._built, self._order, split))
        return self._tasks[split]

    def _find_hidden(self, split: str) -> frozenset[str]:
        if split not in self._hidden:
            unseen = self._order.exclude_unseen
            self._hidden[split] = find_hidden_episodes(self._built, split, exclude_unseen=unseen)
        return self._hidden[split]


def _show_parts(built: BuiltDataset, order: ExportOrder, split: str) -> ShownParts:
    protocol = order.protocol or built.manifest.history
    own = order.history == "20" and protocol == built.manifest.history
    return ShownParts(
        split=split,
        screenshots=order.screenshots,
        history=order.history,
        protocol=protocol,
        history_source="previous_intents" if own else "dataset rows",
        without=order.suggestion_without,
    )
