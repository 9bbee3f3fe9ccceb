"""A bundle written: a folder, or a .zip; whole or not at all."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import RunError
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.draft import Draft, draft_bundle
from fingertip_leaderboard.bundle.schema import AgentCard

STORED = (".png", ".jpg")
"""Endings of files that do not get smaller."""


def make_bundle(run: Path, out: Path, card: AgentCard, *, archive: bool = False, **options: Any) -> Path:  # noqa: ANN401 - those of `draft_bundle`
    """Makes the bundle of a run.

    Args:
        run: Folder of a finished run of either track.
        out: Folder that gets the bundle, under the name of the run's folder.
        card: Who is on the leaderboard.
        archive: Whether it is one .zip instead of a folder.
        options: Those of `draft_bundle`.

    Returns:
        The bundle.

    Raises:
        RunError: There is no run, it is broken or not finished, or the bundle cannot be written.
        UsageError: An argument is not for this track.
    """
    return write_bundle(draft_bundle(run, card, **options), out, archive=archive)


def write_bundle(draft: Draft, out: Path, *, archive: bool = False) -> Path:
    """Writes a drafted bundle, beside its place first.

    Args:
        draft: From `draft_bundle`.
        out: Folder that gets it, under the name of the run's folder.
        archive: Whether it is one .zip instead of a folder.

    Raises:
        RunError: There is something already, or no room.
    """
    name = draft.run.resolve().name + (".zip" if archive else "")
    place, beside = out / name, out / f".{name}.tmp"
    if place.exists():
        raise RunError("expected a place for the bundle, got one that is taken", file=place)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _clear(beside)
        _write_zip(draft, beside) if archive else _write_folder(draft, beside)
        beside.rename(place)
    except OSError as error:
        _clear(beside)
        raise RunError(f"expected room for a bundle, got {error.strerror or error}", file=place) from error
    return place


def contents(draft: Draft) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Every file of a drafted bundle with what reads it, bundle.json first."""
    head = json.dumps(draft.bundle.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
    yield BUNDLE, head.encode
    for name, content in draft.texts.items():
        yield name, lambda content=content: content  # type: ignore[misc]
    for name, file in draft.screens.items():
        yield name, file.read_bytes


def _write_folder(draft: Draft, place: Path) -> None:
    for name, read in contents(draft):
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(read())


def _write_zip(draft: Draft, place: Path) -> None:
    with zipfile.ZipFile(place, "w") as archive:
        for name, read in contents(draft):
            entry = zipfile.ZipInfo(name)  # of 1980: the same bundle gives the same bytes
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(STORED) else zipfile.ZIP_DEFLATED
            archive.writestr(entry, read())


def _clear(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
