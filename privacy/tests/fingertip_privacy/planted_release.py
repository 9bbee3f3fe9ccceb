"""A small simulated release with planted values, and the report that a perfect scan of it would write."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterable
from pathlib import Path

import pytest

from fingertip_privacy.finds import Find, ScanReport, count_finds, make_find, write_finds, write_report
from fingertip_privacy.planted.known_secrets import KnownSecret
from fingertip_privacy.planted.plant_release import plant_release
from fingertip_privacy.source_fingerprint import source_fingerprint
from fingertip_recorder import SampleOrder, write_sample
from tests.shared_datasets import shared_folder

KNOWN = "known.pickle"


def make_planted(folder: Path) -> None:
    """Write raw/, tables/ and the known secrets of two people with four episodes each."""
    write_sample(SampleOrder(out=folder / "sample", users=2, episodes=4, seed=3, size=(540, 1200)))
    for name in ("raw", "tables"):
        (folder / "sample" / name).rename(folder / name)
    (folder / "sample").rmdir()
    known = [dataclasses.asdict(one) for one in plant_release(folder / "raw")]
    (folder / KNOWN).write_bytes(pickle.dumps(known))


def shared_planted(factory: pytest.TempPathFactory) -> Path:
    """Folder of this run of pytest with the planted release, and the report of a perfect scan of it."""

    def make(folder: Path) -> None:
        make_planted(folder)
        finds = perfect_finds(known_secrets(folder))
        write_perfect_report(folder / "report", folder / "raw", finds, folder / "tables")

    return shared_folder(factory, "planted-release", make)


def known_secrets(folder: Path) -> tuple[KnownSecret, ...]:
    """The known secrets next to a planted release."""
    fields = pickle.loads((folder / KNOWN).read_bytes())  # noqa: S301 - written above
    return tuple(KnownSecret(**one) for one in fields)


def perfect_finds(known: Iterable[KnownSecret]) -> list[Find]:
    """A find for each known secret whose place is exact."""
    finds = {}
    for one in known:
        if one.place.value == "screenshot" and not one.exact:
            continue
        parts = {name: getattr(one, name) for name in Find.model_fields if hasattr(one, name)}
        find = make_find(**parts, text=one.value, confidence=1.0, why="known")
        finds[find.id] = find
    return list(finds.values())


def write_perfect_report(
    report: Path, source: Path, finds: Iterable[Find], tables: Path | None = None
) -> None:
    """Write the report of a scan of a release or dataset that found exactly this."""
    listed = list(finds)
    write_finds(report, listed)
    record = ScanReport(
        source=str(source),
        source_kind="dataset" if (source / "manifest.json").is_file() else "raw",
        fingerprint=source_fingerprint(source, tables),
        settings={},
        packages={"scanner": "1.0"},
        episodes=8,
        screenshots=1,
        trees=1,
        counts=count_finds(listed),
        problems=(),
        seconds=1.0,
    )
    write_report(report, record)
