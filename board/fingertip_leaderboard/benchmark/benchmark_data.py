"""The dataset of a benchmark: the one that is given, or fingertip-sim, which is made where it is missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.benchmark.quick_people import QUICK_PEOPLE
from fingertip_recorder.published_sample import NAME, PUBLISHED, VERSIONS, Size, explain_difference
from fingertip_recorder.simulated_life import write_sample
from fingertip_recorder.unfinished_sample import is_finished
from fingertip_runs.benchmark_versions import BenchmarkVersions
from simulated_phone.versions import CURRENT

QUICK_NAME = f"{NAME}-quick"
"""Name of the folder of a dataset of a few people, made where the published one is missing."""

QUICK_SIZE = replace(PUBLISHED, users=QUICK_PEOPLE)

Progress = Callable[[str, int, int], None]
"""Called with a stage, the items done, and the items in total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkData:
    """The dataset of a benchmark.

    Attributes:
        path: Folder of the dataset.
        built: The dataset.
        difference: How it differs from the published one, in a phrase; None if it is the published one.
    """

    path: Path
    built: BuiltDataset
    difference: str | None

    @classmethod
    def open(cls, path: Path) -> BenchmarkData:
        """Open a dataset and compare it with the published one.

        Raises:
            DatasetError: It is missing, incomplete, or of a newer version.
        """
        built = BuiltDataset.open(path)
        difference = explain_difference(built.manifest, read_versions(built))
        return cls(path=path, built=built, difference=difference)


def read_versions(built: BuiltDataset) -> Mapping[str, str]:
    """Versions of phone, suite and people that a dataset's people were simulated with; empty without them."""
    versions = BenchmarkVersions.of(built)
    return {name: found for name in VERSIONS if (found := getattr(versions, name)) is not None}


def find_published(out: Path, notify: Callable[[str], None], size: Size = PUBLISHED) -> BenchmarkData | None:
    """Find fingertip-sim beside or in the folder of a benchmark, or in the working folder.

    Args:
        out: Folder of the benchmark.
        notify: Called with a line about each folder of that name that is not the published dataset.
        size: Size of the published dataset.

    Returns:
        The published dataset, or one that this version made in its place; None without either.
    """
    for folder in dict.fromkeys((out / NAME, out.absolute().parent / NAME, Path(NAME).absolute())):
        if not folder.exists():
            continue
        try:
            data = BenchmarkData.open(folder)
        except DatasetError as error:
            notify(f"not used: {error}")
            continue
        # of this code and this size: made here, where the packages or the versions are others
        own = read_versions(data.built) == CURRENT.to_json() and _has_size(data.built, size)
        if data.difference is None or own:
            return data
        notify(f"{folder} is not used: {data.difference}")
    return None


def find_quick(out: Path) -> BenchmarkData | None:
    """Find the dataset of a few people that an earlier quick look has made beside a benchmark's folder."""
    folder = out.absolute().parent / QUICK_NAME
    try:
        data = BenchmarkData.open(folder)
    except DatasetError:
        return None
    own = read_versions(data.built) == CURRENT.to_json() and _has_size(data.built, QUICK_SIZE)
    return data if own else None


def make_data(
    place: Path, size: Size, *, workers: int, notify: Callable[[str], None], on_progress: Progress
) -> BenchmarkData:
    """Simulate people of the published seed and build their dataset; a stopped call is gone on with.

    Args:
        place: Folder of the dataset; the people are beside it until it is built.
        size: Number of people and episodes, and their screens.
        workers: Number of processes.
        notify: Called with a line about what is made.
        on_progress: Called with the progress.

    Raises:
        UsageError: The folder of the people holds something else, or another process makes them.
        DatasetError: The dataset cannot be written.
    """
    people = place.with_name(f"{place.name}-people")
    notify(f"making {place}: {size.words}")
    if not is_finished(people):
        write_sample(
            size.order(people),
            workers=workers,
            on_progress=lambda done, total: on_progress("people simulated", done, total),
        )
    build(
        people / "raw",
        place,
        tables=people / "tables",
        workers=workers,
        on_progress=lambda what, done, total: on_progress(f"{what} of the dataset", done, total),
    )
    # `fingertip sample --preset` makes them again; they take more room than the dataset
    shutil.rmtree(people)
    return BenchmarkData.open(place)


def choose_place(out: Path, name: str) -> Path:
    """Folder of a dataset that is to be made: beside the benchmark's, for others too, where that is free."""
    beside = out.absolute().parent / name
    return out / name if beside.exists() else beside


def count_tasks(built: BuiltDataset, splits: Iterable[str]) -> dict[str, int]:
    """Split -> number of its episodes; 0 for a split that the dataset does not have."""
    known = built.manifest.splits
    return {split: known[split].episodes if split in known else 0 for split in splits}


def _has_size(built: BuiltDataset, size: Size) -> bool:
    manifest = built.manifest
    users = manifest.people.users if manifest.people else None
    return (users, manifest.episodes.given) == (size.users, size.users * size.episodes)
