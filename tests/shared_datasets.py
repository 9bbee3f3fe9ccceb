"""Datasets that several test modules read: built once per pytest run and shared by the xdist workers.

They are read-only: a test that changes one copies it first.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fingertip_dataset.parquet.manifest import MANIFEST_VERSION, DataFile, Shard, data_file, hash_data
from tests.fixtures.drawn_sample import sample_release


def shared_folder(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Folder of this pytest run that `make(folder)` fills once, whichever worker comes first.

    The others wait at a lock. The folder gets its name when it is complete: what a killed worker leaves is
    removed, and made again by the next one.

    Args:
        factory: The factory of the worker; its base folder is within the one of the run.
        name: Name of the folder, one per content.
        make: Fills the folder, which is empty and is renamed afterwards: no path may be stored in it.
    """
    base = factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, partial = run / f"shared-{name}", run / f"shared-{name}.partial"
    # a kill releases the lock too
    with (run / f"shared-{name}.lock").open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir()
            make(partial)
            partial.rename(folder)
    return folder


def built_sample(factory: pytest.TempPathFactory) -> Path:
    """The dataset built from the drawn sample: twelve tasks of track 1."""
    return built(factory, "sample", sample_release())


def built(factory: pytest.TempPathFactory, name: str, release: Path) -> Path:
    """The dataset built from a release (`raw/` and `tables/`), in a shared folder of this name."""
    from fingertip_dataset.parquet.build import build

    def make(folder: Path) -> None:
        build(release / "raw", folder / "fingertip-20k", tables=release / "tables")

    return shared_folder(factory, name, make) / "fingertip-20k"


def manifest_again(dataset: Path, *, version: int = MANIFEST_VERSION) -> None:
    """Write sizes and hashes of a changed dataset into its manifest, of this version or an older one."""
    file = dataset / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8")) | {"version": version}
    for entry in (*manifest["shards"], *manifest["files"]):
        entry |= data_file("any.json", (dataset / entry["file"]).read_bytes()).model_dump(exclude={"file"})
    files = manifest.pop("files")
    if version == MANIFEST_VERSION:
        manifest["files"] = files
    entries = [Shard.model_validate(entry) for entry in manifest["shards"]]
    others = [DataFile.model_validate(entry) for entry in manifest.get("files", ())]
    manifest["data_sha256"] = hash_data((*entries, *others))
    file.write_text(json.dumps(manifest), encoding="utf-8")


def simulated_people(
    factory: pytest.TempPathFactory,
    *,
    users: int = 2,
    episodes: int = 8,
    seed: int = 3,
    size: tuple[int, int] = (270, 600),
    locales: tuple[str, ...] = ("zh",),
) -> Path:
    """Folder with the generated release `sample/` of simulated people and the `dataset/` built from it.

    Args:
        factory: As in `shared_folder`.
        users: Number of people.
        episodes: Number of episodes of each.
        seed: Seed of the people and of what they do.
        size: Width and height of the screens, px.
        locales: Languages of the people, as in `SampleOrder`.
    """
    from fingertip_dataset.parquet.build import build
    from fingertip_recorder.simulated_life import SampleOrder, write_sample

    def make(folder: Path) -> None:
        sample = folder / "sample"
        order = SampleOrder(out=sample, users=users, episodes=episodes, seed=seed, size=size, locales=locales)
        write_sample(order)
        build(sample / "raw", folder / "dataset", tables=sample / "tables", workers=1)

    name = f"people-{'-'.join(locales)}-{users}-{episodes}-{seed}-{size[0]}x{size[1]}"
    return shared_folder(factory, name, make)
