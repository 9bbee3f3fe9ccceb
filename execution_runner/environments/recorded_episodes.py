"""Recorded episodes of a built dataset, read one at a time: screens, trees, and the action on each."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from execution_runner.devices.device import Observation
from fingertip_dataset.errors import DatasetError, DeviceError, InputError, NoTreeError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.pictures import read_picture_size
from fingertip_dataset.plain_pictures import write_plain
from fingertip_dataset.tasks.task import DatasetRow
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree
from fingertip_metrics.action_matching import readable_tree

COLUMNS = ("screenshots", "accessibility_trees", "actions")


@dataclass(frozen=True, kw_only=True)
class RecordedStep:
    """A screen of an episode, and the person's action on it.

    Attributes:
        action: The action string as written in the release.
        screenshot: Bytes of the recorded image file; None if missing.
        xml: The recorded accessibility tree; None if missing.
    """

    # no slots: cached_property needs an instance dictionary
    action: str
    screenshot: bytes | None = field(repr=False)
    xml: str | None = field(repr=False)

    @cached_property
    def observation(self) -> Observation:
        """The recorded screen as an observation of a phone.

        Raises:
            DeviceError: The screenshot is missing or cannot be read.
        """
        if self.screenshot is None:
            raise DeviceError(f"the recording has no screenshot before {self.action}")
        size = _size(self.screenshot)
        tree = readable_tree(self.xml, size)
        problem = NoTreeError("the recording has no readable accessibility tree for this step")
        return Observation(
            screenshot=self.screenshot,
            tree=None if tree is None else self.xml,
            size=size,
            package=_package(tree),
            problems=() if tree else (problem,),
        )

    @property
    def tree(self) -> AccessibilityTree | None:
        """The parsed tree; None if it is missing or cannot be parsed."""
        return readable_tree(self.xml, self.observation.size)


class RecordedEpisodes:
    """The episodes of a split with their screens, each read on request. Thread-safe.

    Args:
        built: The dataset.
        split: Name of the split.

    Raises:
        DatasetError: A shard is not a Parquet file.
    """

    def __init__(self, built: BuiltDataset, split: str) -> None:
        self._index_rows = dict(_index_rows(built, split))
        self._reading = threading.Lock()

    def steps(self, task_id: str) -> tuple[RecordedStep, ...]:
        """The steps of an episode, including `finished()`; a screen without an action is left out.

        Raises:
            DatasetError: There is no such episode, or its file cannot be read.
        """
        if task_id not in self._index_rows:
            raise DatasetError("the dataset has no recording of this episode", episode_id=task_id)
        file, group, number = self._index_rows[task_id]
        with self._reading:  # one at a time, because a row group takes some megabytes
            row = _find_row(file, group, number)
        return read_recorded_steps(row)


def read_recorded_steps(row: DatasetRow) -> tuple[RecordedStep, ...]:
    """The steps of a row with the columns `COLUMNS`; see `RecordedEpisodes.steps`."""
    screens = zip(row["actions"], row["screenshots"], row["accessibility_trees"], strict=True)
    return tuple(
        RecordedStep(
            action=action["raw"],
            screenshot=write_plain(image["bytes"]) if image else None,
            xml=tree or None,
        )
        for action, image, tree in screens
        if action["raw"]
    )


def _index_rows(built: BuiltDataset, split: str) -> Iterator[tuple[str, tuple[Path, int, int]]]:
    """(episode id, (file, row group, row within it)) of each episode."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for shard in built.shards(split, "default"):
        file = built.path / shard.file
        try:
            with pq.ParquetFile(file) as parquet:
                for group in range(parquet.num_row_groups):
                    # the ids alone: screens are read when a task begins
                    ids = parquet.read_row_group(group, ["episode_id"]).column(0).to_pylist()
                    yield from ((name, (file, group, number)) for number, name in enumerate(ids))
        except (pa.ArrowException, OSError) as error:
            raise DatasetError(f"the Parquet shard cannot be read: {error}", file=file) from error


def _find_row(file: Path, group: int, number: int) -> Mapping[str, Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as parquet:
            rows = parquet.read_row_group(group, list(COLUMNS), use_threads=False).slice(number, 1)
            row: Mapping[str, Any] = rows.to_pylist()[0]
            return row
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the Parquet shard cannot be read: {error}", file=file) from error


def _size(picture: bytes) -> tuple[int, int]:
    try:
        return read_picture_size(picture)
    except InputError as error:
        raise DeviceError(f"the recorded screenshot cannot be read: {error}") from None


def _package(tree: AccessibilityTree | None) -> str:
    """The app in the foreground by the tree: the package of its first node that has one; "" for none."""
    return next((element.package for element in tree.elements if element.package), "") if tree else ""
