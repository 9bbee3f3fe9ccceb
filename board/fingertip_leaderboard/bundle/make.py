"""Make a bundle from a run and write it atomically, as a folder or a .zip."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import RunError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.draft import Draft, draft_bundle
from fingertip_leaderboard.bundle.schema import AgentCard

STORED = (".png", ".jpg")
"""Suffixes of files that are already compressed."""


@accept_path_texts
def make_bundle(run: Path, out: Path, card: AgentCard, *, archive: bool = False, **options: Any) -> Path:  # noqa: ANN401 - those of `draft_bundle`
    """Make the bundle of a run.

    Args:
        run: Folder of a finished run of either track.
        out: Parent folder of the bundle, which gets the name of the run's folder.
        card: Description of the agent for the leaderboard.
        archive: Whether to write one .zip instead of a folder.
        options: Keyword arguments of `draft_bundle`.

    Returns:
        Path of the bundle.

    Raises:
        RunError: The run is missing, broken or not finished, or the bundle cannot be written.
        UsageError: An argument is not for this track.
    """
    return write_bundle(draft_bundle(run, card, **options), out, archive=archive)


def write_bundle(draft: Draft, out: Path, *, archive: bool = False) -> Path:
    """Write a drafted bundle: first under a temporary name, which is then renamed.

    Args:
        draft: Result of `draft_bundle`.
        out: Parent folder of the bundle, which gets the name of the run's folder.
        archive: Whether to write one .zip instead of a folder.

    Raises:
        RunError: The path exists already, or cannot be written (for example, disk full).
    """
    name = draft.run.resolve().name + (".zip" if archive else "")
    place, temporary = out / name, out / f".{name}.tmp"
    if place.exists():
        raise RunError("the path exists: give a new path for the bundle", file=place)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _clear(temporary)
        _write_zip(draft, temporary) if archive else _write_folder(draft, temporary)
        temporary.rename(place)
    except OSError as error:
        with suppress(OSError):  # where `out` is a file, there is nothing to clear, either
            _clear(temporary)
        raise RunError(f"the bundle could not be written: {error.strerror or error}", file=place) from error
    return place


def contents(draft: Draft) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Name of each file of a drafted bundle with a function that reads it, bundle.json first."""
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
            entry = zipfile.ZipInfo(name)  # fixed date: same bundle, same bytes
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(STORED) else zipfile.ZIP_DEFLATED
            archive.writestr(entry, read())


def _clear(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
